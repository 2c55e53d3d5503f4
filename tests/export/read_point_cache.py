"""The header and the points of PC2 or MDD files, as JSON: that of a file, or a list of several.
Usage: python3 read_point_cache.py FILE..."""
import json
import struct
import sys


def found_in(path):
    data = open(path, "rb").read()
    if path.endswith(".pc2"):
        mark, version, points, start, rate, samples = struct.unpack_from("<12siiffi", data)
        assert mark == b"POINTCACHE2\0" and version == 1
        found = {"start": start, "rate": rate}
        order, at = "<", 32
    else:
        samples, points = struct.unpack_from(">ii", data)
        found = {"times": struct.unpack_from(">%df" % samples, data, 8)}
        order, at = ">", 8 + 4 * samples
    frames = []
    for _ in range(samples):
        frames.append(struct.unpack_from("%s%df" % (order, 3 * points), data, at))
        at += 12 * points
    assert at == len(data), "the length of the file does not fit"
    return {**found, "frames": frames}


found = [found_in(path) for path in sys.argv[1:]]
print(json.dumps(found[0] if len(found) == 1 else found))
