"""All properties of the vertices of a binary PLY file and its comments, as JSON. Usage: python3 read_ply.py FILE"""
import json
import struct
import sys

codes = {"float": "f", "int": "i", "uchar": "B"}
data = open(sys.argv[1], "rb").read()
head, data = data.split(b"end_header\n", 1)
lines = head.decode().split("\n")
assert lines[:2] == ["ply", "format binary_little_endian 1.0"], lines[:2]
comments = [line[8:] for line in lines if line.startswith("comment ")]
elements = []
for line in lines[2:]:
    words = line.split()
    if line.startswith("comment ") or not words:
        continue
    if words[0] == "element":
        elements.append((words[1], int(words[2]), []))
    else:
        assert words[0] == "property", line
        elements[-1][2].append(words[1:])
assert [e[0] for e in elements] == ["vertex", "face"]
name, count, properties = elements[0]
layout = struct.Struct("<" + "".join(codes[p[0]] for p in properties))
columns = {p[1]: [] for p in properties}
at = 0
for _ in range(count):
    for p, value in zip(properties, layout.unpack_from(data, at)):
        columns[p[1]].append(value)
    at += layout.size
faces = []
assert elements[1][2] == [["list", "uchar", "int", "vertex_indices"]]
for _ in range(elements[1][1]):
    n = data[at]
    faces.append(struct.unpack_from("<%di" % n, data, at + 1))
    at += 1 + 4 * n
assert at == len(data), "bytes are left"
print(json.dumps({"comments": comments, "vertices": columns, "faces": faces}))
