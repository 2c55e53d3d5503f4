"""What VTK finds in exported files, as JSON: that of a file, or a list of several.
Usage: /usr/bin/python3 read_vtk.py FILE.pvd|FILE.ply|FILE.obj..."""
import json
import os
import sys
import xml.etree.ElementTree as ElementTree

import vtk


def numbers(array):
    return [c for i in range(array.GetNumberOfTuples()) for c in array.GetTuple(i)]


def arrays(data):
    found = {}
    for i in range(data.GetNumberOfArrays()):
        array = data.GetAbstractArray(i)
        if isinstance(array, vtk.vtkStringArray):
            found[array.GetName()] = [array.GetValue(k) for k in range(array.GetNumberOfValues())]
        else:
            found[array.GetName()] = numbers(array)
    return found


def grid_of(reader, file):
    errors = []
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(file))
    reader.SetFileName(file)
    reader.Update()
    if errors:
        sys.exit("VTK could not read " + file)
    grid = reader.GetOutput()
    cells = []
    for i in range(grid.GetNumberOfCells()):
        cell = grid.GetCell(i)
        cells.append({"type": cell.GetCellType(), "corners": [cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())]})
    points = numbers(grid.GetPoints().GetData())
    return {"points": points, "cells": cells, "point_data": arrays(grid.GetPointData()),
            "cell_data": arrays(grid.GetCellData()), "field_data": arrays(grid.GetFieldData())}


def found_in(path):
    if path.endswith(".ply"):
        return grid_of(vtk.vtkPLYReader(), path)
    if path.endswith(".obj"):
        return grid_of(vtk.vtkOBJReader(), path)
    frames = []
    for entry in ElementTree.parse(path).getroot().find("Collection"):
        file = os.path.join(os.path.dirname(path), entry.get("file"))
        frame = grid_of(vtk.vtkXMLUnstructuredGridReader(), file)
        frame["time"] = float(entry.get("timestep"))
        frames.append(frame)
    return frames


found = [found_in(path) for path in sys.argv[1:]]
print(json.dumps(found[0] if len(found) == 1 else found))
