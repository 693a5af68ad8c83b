# Runs under MicroPython: the firmware's codec against the shared vectors. Prints "frames N refused M hash H".

import json
import sys


def check(codec, vectors):
    for vector in vectors["frames"]:
        fields = tuple(
            tuple(bytes.fromhex(uid) for uid in value) if isinstance(value, list) else value
            for value in vector["fields"]
        )
        head = (vector["seq"], vector["boot"], vector["session"], vector["micros"])
        wire = codec.encode(vector["name"], head[0], head[1], head[2], head[3], fields)
        if bytes(wire).hex() != vector["wire"]:
            raise ValueError("writes %s as %s" % (vector["name"], bytes(wire).hex()))
        read = codec.decode(bytes(wire)[:-1])
        if read != (vector["name"],) + head + (fields,):
            raise ValueError("reads %s as %s" % (vector["name"], read))
    for vector in vectors["refused"]:
        if codec.decode(bytes.fromhex(vector["block"])) is not None:
            raise ValueError("takes " + vector["why"])
    return "frames %d refused %d hash %d" % (len(vectors["frames"]), len(vectors["refused"]), codec.hash)


def main(node, schema, vectors):
    sys.path.insert(0, node)
    from codec import load

    with open(vectors) as stream:
        print(check(load(schema), json.load(stream)))


if len(sys.argv) > 3:
    main(*sys.argv[1:4])
