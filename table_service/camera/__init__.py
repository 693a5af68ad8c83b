"""The camera of a running table: sightings become observations, pictures of a moment become evidence."""
