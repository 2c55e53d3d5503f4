#!/usr/bin/env python3
"""Plants one fault after another in a copy of the sources and checks that a test fails for each.

    tools/plant_faults.py                  every fault of tools/faults.json
    tools/plant_faults.py NAME...          these
    tools/plant_faults.py --list           what there is, and whether it still fits the sources
    tools/plant_faults.py --programs a,b   only these test programs, in this order

A fault that no test notices is a test that is missing. The copy and its build lie in build/faults; the sources
themselves stay as they are. Exit status 1 if a fault survived or no longer fits.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / "build" / "faults"
BUILD = COPY / "build" / "release" # as deep as that of the sources: a compiler cache then serves both

# In the order in which they are asked. The contracts come first: they run over the catalogs, so a new method meets
# them without a line of its own.
PROGRAMS = ["contracts", "integrators", "simulation", "control", "friction", "potentials", "solvers", "contact"]
COMPILER = "the compiler"
LIMIT = 900  # s for one test program; one that hangs has noticed the fault


def call(command, **keywords):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **keywords)


def copy_sources():
    """Brings the copy up to date; files that did not change keep their times, so that little is built again."""
    for name in ["src", "apps", "tests", "benchmarks", "scenes", "bodies", "docs", "tools", "CMakeLists.txt"]:
        source, target = ROOT / name, COPY / name
        if source.is_file():
            files = [source]
        else:
            files = [path for path in source.rglob("*") if path.is_file() and "node_modules" not in path.parts]
        wanted = {path.relative_to(ROOT) for path in files}
        if target.is_dir():
            for path in list(target.rglob("*")):
                if path.is_file() and path.relative_to(COPY) not in wanted:
                    path.unlink()
        for path in wanted:
            there = COPY / path
            if there.exists() and there.read_bytes() == (ROOT / path).read_bytes():
                continue
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, there)


def configure():
    if not (BUILD / "build.ninja").exists():
        made = call(["cmake", "-S", str(COPY), "-B", str(BUILD), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                     "-DRUBATO_UNITY=OFF"])
        if made.returncode != 0:
            sys.exit(made.stdout)


def failed_tests(output):
    """Names of the tests that GoogleTest reports as failed, each once, in order."""
    names = re.findall(r"^\[  FAILED  \] ([A-Za-z0-9_/.]+)", output, re.MULTILINE)
    return list(dict.fromkeys(names))


def noticed_by(programs):
    """What notices a fault first: (program, tests), or (the compiler, what it says); None if all tests pass.

    Each program is built when it is its turn: a fault in a header that the first one notices costs no more than that.
    """
    for name in programs:
        made = call(["ninja", "-C", str(BUILD), f"test_{name}"])
        if made.returncode != 0:
            return COMPILER, [made.stdout[-4000:]]
        program = BUILD / "tests" / f"test_{name}"
        try:
            run = call([str(program), "--gtest_brief=1", "--gtest_fail_fast"], timeout=LIMIT, cwd=BUILD)
        except subprocess.TimeoutExpired:
            return name, [f"did not end within {LIMIT} s"]
        if run.returncode != 0:
            return name, failed_tests(run.stdout) or [f"ended with status {run.returncode}"]
    return None


def fits(fault, tree):
    path = tree / fault["file"]
    return path.exists() and path.read_text().count(fault["was"]) == 1


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("names", nargs="*")
    arguments.add_argument("--list", action="store_true")
    arguments.add_argument("--programs", default=",".join(PROGRAMS))
    options = arguments.parse_args()
    programs = options.programs.split(",")

    faults = json.loads((ROOT / "tools" / "faults.json").read_text())
    unknown = set(options.names) - {fault["name"] for fault in faults}
    if unknown:
        sys.exit(f"no such fault: {', '.join(sorted(unknown))}; --list shows what there is")
    if options.names:
        faults = [fault for fault in faults if fault["name"] in options.names]
    stale = [fault["name"] for fault in faults if not fits(fault, ROOT)]
    if options.list:
        for fault in faults:
            print(f"{'does not fit' if fault['name'] in stale else 'fits':14}{fault['name']:34}{fault['says']}")
        sys.exit(1 if stale else 0)
    if stale:
        sys.exit(f"these no longer fit the sources, bring them up to date: {', '.join(stale)}")

    os.environ.setdefault("CTEST_OUTPUT_ON_FAILURE", "1")
    copy_sources()
    configure()
    found = noticed_by(programs)
    if found is not None:
        sys.exit(f"without any fault, {found[0]} fails: {', '.join(found[1])}")

    survivors = []
    for number, fault in enumerate(faults, 1):
        path = COPY / fault["file"]
        sound_text = path.read_text()
        began = time.monotonic()
        path.write_text(sound_text.replace(fault["was"], fault["is"]))
        try:
            found = noticed_by(programs)
        finally:
            path.write_text(sound_text)
        took = time.monotonic() - began
        if found is not None and found[0] == COMPILER:
            sys.exit(f"{fault['name']} does not compile, write it anew: {found[1][0]}")
        if found is None:
            survivors.append(fault["name"])
        verdict = "SURVIVED" if found is None else f"{found[0]}: {', '.join(found[1][:3])}"
        print(f"[{number}/{len(faults)}] {fault['name']:34} {verdict}  ({took:.0f} s)", flush=True)
    print(f"{len(faults) - len(survivors)} of {len(faults)} faults were noticed")
    if survivors:
        print(f"survived: {', '.join(survivors)}")
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
