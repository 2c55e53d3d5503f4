"""What Pixar's own library finds in a stage, as JSON. Usage: python3 read_usd_pxr.py FILE"""
import json
import sys

from pxr import Usd, UsdGeom

stage = Usd.Stage.Open(sys.argv[1])
rate = stage.GetTimeCodesPerSecond()
found = {"up": UsdGeom.GetStageUpAxis(stage), "meters": UsdGeom.GetStageMetersPerUnit(stage), "meshes": []}
for prim in stage.Traverse():
    if not prim.IsA(UsdGeom.Mesh):
        continue
    mesh = UsdGeom.Mesh(prim)
    points = mesh.GetPointsAttr()
    codes = points.GetTimeSamples()
    found["meshes"].append({
        "name": prim.GetDisplayName(),
        "counts": list(mesh.GetFaceVertexCountsAttr().Get()),
        "corners": list(mesh.GetFaceVertexIndicesAttr().Get()),
        "times": [code / rate for code in codes],
        "points": [[c for p in points.Get(code) for c in p] for code in (codes or [Usd.TimeCode.Default()])],
    })
print(json.dumps(found))
