# What a node keeps over a power cut: its configuration with a checksum, and how often it started and why. Files on the
# node's own flash; a cut while writing leaves the old file or the new one, never half of each.

import binascii
import json
import os

MARK = ',\n"crc32": "'


def seal(text):
    """``text`` (one JSON object) with a last member crc32, which covers every byte before it."""
    body = text.rstrip()
    if not body.startswith("{") or not body.endswith("}"):
        raise ValueError("a configuration is one JSON object")
    body = body[:-1].rstrip()
    return '%s%s%08x"\n}\n' % (body, MARK, binascii.crc32(body.encode()) & 0xFFFFFFFF)


def unseal(text):
    """The object in a sealed text. ValueError says what is wrong with it."""
    at = text.rfind(MARK)
    if at < 0:
        raise ValueError("has no checksum")
    given = text[at + len(MARK) : at + len(MARK) + 8]
    if text[at + len(MARK) + 8 :].strip() not in ('"\n}', '"}'):
        raise ValueError("goes on after its checksum")
    if given != "%08x" % (binascii.crc32(text[:at].encode()) & 0xFFFFFFFF):
        raise ValueError("does not fit its checksum")
    return json.loads(text[:at] + "}")


def write_whole(path, text):
    """``text`` in the place of ``path``, or the old file still."""
    fresh = path + ".new"
    with open(fresh, "w") as stream:
        stream.write(text)
    os.rename(fresh, path)


def load(path, defaults):
    """(configuration, trouble). Where the file is missing or damaged the defaults, and a sentence that says so.

    A member that is missing is taken from the defaults; one of another type counts as damage.
    """
    try:
        with open(path) as stream:
            found = unseal(stream.read())
        for name, value in found.items():
            if name in defaults and type(value) is not type(defaults[name]):
                raise ValueError("has a strange '%s'" % name)
    except OSError:
        return dict(defaults), "no configuration; defaults are in use"
    except (ValueError, KeyError, TypeError) as error:
        return dict(defaults), "the configuration %s; defaults are in use" % error
    config = dict(defaults)
    config.update(found)
    return config, ""


def save(path, config):
    write_whole(path, seal(json.dumps(config)))


POWER, WATCHDOG, BROWNOUT, RESET, UNKNOWN = 1, 2, 3, 4, 0  # the causes of link_schema.json


def count_start(path, cause):
    """Note one more start for ``cause``; (resets, brown-outs) so far. A damaged file begins anew."""
    counts = {"starts": 0, "resets": 0, "brownouts": 0}
    try:
        with open(path) as stream:
            for name, value in unseal(stream.read()).items():
                if name in counts and isinstance(value, int):
                    counts[name] = value
    except (OSError, ValueError, AttributeError):
        pass
    counts["starts"] += 1
    if cause == BROWNOUT:
        counts["brownouts"] += 1
    elif cause != POWER:
        counts["resets"] += 1
    try:
        save(path, counts)
    except OSError:
        pass  # a full or worn flash must not keep the node from starting
    return counts["resets"], counts["brownouts"]
