#!/usr/bin/env python3
"""Hashes what every scene does under every integrator, so that a change that is to change no result can show it.

    tools/hash_runs.py PROGRAM                         a line per run: hash, scene, integrator, how it ended
    tools/hash_runs.py PROGRAM --save FILE             the same, into a file
    tools/hash_runs.py PROGRAM --compare FILE          runs again what the file holds and names what differs
    tools/hash_runs.py PROGRAM --threads 1,2           with each number of threads; they have to agree
    tools/hash_runs.py PROGRAM --scenes a,b --integrators x,y --steps 8

A hash is that of stats.csv without its column `wall`: bit for bit, so that it is good for one machine only. Runs have 60
steps (`--steps`), of scenes with more than 20000 tetrahedra 10. A run that cannot go on counts with the rows that it has
and its exit status. Exit status 1 if anything differs.
"""

import argparse
import concurrent.futures
import csv
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LARGE = 20000  # tetrahedra; above it a run has LARGE_STEPS
LARGE_STEPS = 10


def output_of(command):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def scenes_of(program):
    made = output_of([program, "scenes"])
    return [line.split()[0] for line in made.stdout.split("\n\n")[0].splitlines() if line and not line.startswith(" ")]


def integrators_of(program):
    made = output_of([program, "list", "integrators"])
    return re.findall(r"^([a-z][a-z0-9-]+): ", made.stdout.split("\n", 1)[1], re.MULTILINE)


def scene_numbers(program, scene):
    """Step length [s] and number of tetrahedra, from a run of no step."""
    with tempfile.TemporaryDirectory() as folder:
        run_directory = pathlib.Path(folder) / "run"
        made = output_of([program, "run", scene, "--integrator", "symplectic-euler", "--duration", "1e-9", "--no-frames",
                          "--out", str(run_directory)])
        if not (run_directory / "summary.json").exists():
            sys.exit(f"{scene}: {made.stderr.strip()}")
        summary = json.loads((run_directory / "summary.json").read_text())
        scene_json = json.loads((run_directory / "scene.json").read_text())
        return float(scene_json["time"]["step"]), int(summary["tets"])


def hash_of(program, scene, integrator, h, steps, threads):
    """(hash of the rows, how the run ended)"""
    folder = tempfile.mkdtemp(prefix="hash-runs-")
    try:
        run_directory = pathlib.Path(folder) / "run"
        made = output_of([program, "run", scene, "--integrator", integrator, "--duration", repr(h * steps), "--no-frames",
                          "--threads", str(threads), "--out", str(run_directory)])
        if not (run_directory / "stats.csv").exists():
            return "-" * 16, f"status {made.returncode}"
        digest = hashlib.sha256()
        rows = 0
        with open(run_directory / "stats.csv", newline="") as file:
            for row in csv.DictReader(file):
                row.pop("wall", None)
                digest.update(json.dumps(row).encode())
                rows += 1
        return digest.hexdigest()[:16], f"status {made.returncode}, {rows} rows"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--save", metavar="FILE")
    arguments.add_argument("--compare", metavar="FILE")
    arguments.add_argument("--threads", default="1")
    arguments.add_argument("--scenes")
    arguments.add_argument("--integrators")
    arguments.add_argument("--steps", type=int, default=60)
    arguments.add_argument("--jobs", type=int, default=2, help="runs at a time")
    options = arguments.parse_args()

    known = {}
    if options.compare:
        for line in pathlib.Path(options.compare).read_text().splitlines():
            found, scene, integrator, ending = line.split(maxsplit=3)
            known[scene, integrator] = (found, ending)
    scenes = options.scenes.split(",") if options.scenes else scenes_of(options.program)
    integrators = options.integrators.split(",") if options.integrators else integrators_of(options.program)
    threads = [int(n) for n in options.threads.split(",")]

    numbers = {scene: scene_numbers(options.program, scene) for scene in scenes}
    jobs = [(scene, integrator) for scene in scenes for integrator in integrators
            if not known or (scene, integrator) in known]

    def run(job):
        scene, integrator = job
        h, tets = numbers[scene]
        steps = min(options.steps, LARGE_STEPS) if tets > LARGE else options.steps
        return [hash_of(options.program, scene, integrator, h, steps, n) for n in threads]

    different, lines = [], []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (scene, integrator), found in zip(jobs, pool.map(run, jobs)):
            line = f"{found[0][0]} {scene} {integrator} {found[0][1]}"
            lines.append(line)
            wrong = []
            if len(set(found)) > 1:
                wrong.append(f"{scene} {integrator}: threads {options.threads} give {found}")
            if known and known[scene, integrator] != found[0]:
                wrong.append(f"{scene} {integrator}: {known[scene, integrator]} before, {found[0]} now")
            different += wrong
            print(line, *("    differs: " + text for text in wrong), sep="\n", flush=True)
    if options.save:
        pathlib.Path(options.save).write_text("\n".join(lines) + "\n")
    if not jobs:
        sys.exit("no scene, no integrator: nothing was run")
    print(f"{len(jobs)} runs, {len(different)} differ")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
