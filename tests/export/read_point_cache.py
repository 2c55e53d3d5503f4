"""The header and the points of a PC2 or MDD file, as JSON. Usage: python3 read_point_cache.py FILE"""
import json
import struct
import sys

data = open(sys.argv[1], "rb").read()
if sys.argv[1].endswith(".pc2"):
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
print(json.dumps({**found, "frames": frames}))
