#!/usr/bin/env bash
# Draws the pictures of docs/gallery.md and the energy plots of docs/integrators/ with the program that is built.
#   tools/gallery.sh [pictures|plots] [NAME...]
#   tools/gallery.sh                        everything: some five minutes of one core
#   tools/gallery.sh pictures dice-roll     the picture of one scene
#   tools/gallery.sh plots bdf2 a-search    the plots of two methods
# RUBATO names the program, if it is not build/release/apps/cli/rubato. Runs go to a temporary folder.
set -euo pipefail

root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)
rubato=${RUBATO:-$root/build/release/apps/cli/rubato}
pictures=$root/docs/images/gallery
plots=$root/docs/images/integrators
plotted_scene=hanging-bar
explicit_step=1/250 # s; implicit methods take the step of the scene, 1/30
# Heights are counted so that the bar at rest has the energy 0 (`rubato rest hanging-bar`: 272.334 J above the usual zero).
plotted_with=(--set 'gravity_zero=[0,-0.055373,0]' --set 'energy={"type": "hold", "ground": 0}')
threads=1

die() {
    printf 'gallery: %s\n' "$*" >&2
    exit 1
}

# How long a scene runs for its picture [s]: "all" of it, or "start" where even a part takes more than a minute or two.
duration_of() {
    case $1 in
        bouncing-ball-*) echo 1.5 ;;
        rotating-cube-*) echo 0.5 ;;
        hanging-bar | twisted-bar) echo 0.4 ;;
        bunny-splash | bunny-stairs | dice-roll) echo start ;;
        *) echo all ;;
    esac
}

# Status 3 is a run that could not go on; what it wrote up to there is what a page is about.
run() {
    local status=0
    "$rubato" run "$@" --threads "$threads" || status=$?
    ((status == 0 || status == 3)) || exit "$status"
}

picture() {
    local scene=$1 duration
    local file=$pictures/$scene.png
    duration=$(duration_of "$scene")
    if [[ $duration == start ]]; then
        "$rubato" thumbnail "$scene" -o "$file" --width 960 --height 480 --threads "$threads" --force
        return
    fi
    local options=()
    if [[ $duration != all ]]; then options=(--duration "$duration"); fi
    run "$scene" "${options[@]}" --out "$work/$scene"
    "$rubato" thumbnail "$work/$scene" -o "$file" --width 240 --height 240 --moments 4 --threads "$threads" --force
    rm -r -- "${work:?}/$scene"
}

plot() {
    local method=$1 options=()
    case $method in
        symplectic-euler | stormer-verlet | rk4) options=(--dt "$explicit_step") ;;
        forward-euler) options=(--dt 1/2000 --duration 0.4) ;; # soon after, its numbers overflow
    esac
    run "$plotted_scene" --integrator "$method" "${plotted_with[@]}" "${options[@]}" --no-frames --out "$work/$method"
    cp -- "$work/$method/energy.svg" "$plots/$method.svg"
}

all_scenes() { "$rubato" scenes | awk 'NF == 0 { exit } { print $1 }'; }

# Every method has a page.
all_methods() {
    local page
    for page in "$root"/docs/integrators/*.md; do
        page=$(basename -- "$page" .md)
        if [[ $page != index ]]; then echo "$page"; fi
    done
}

[[ -x $rubato ]] || die "no program at $rubato; ./run builds it"
kind=${1:-all}
[[ $kind == all || $kind == pictures || $kind == plots ]] || die "usage: tools/gallery.sh [pictures|plots] [NAME...]"
if (($# > 0)); then shift; fi
names=("$@")

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
mkdir -p -- "$pictures" "$plots"

if [[ $kind != plots ]]; then
    chosen=("${names[@]}")
    if ((${#names[@]} == 0)); then mapfile -t chosen < <(all_scenes); fi
    for name in "${chosen[@]}"; do picture "$name"; done
fi
if [[ $kind != pictures ]]; then
    chosen=("${names[@]}")
    if ((${#names[@]} == 0)); then mapfile -t chosen < <(all_methods); fi
    for name in "${chosen[@]}"; do plot "$name"; done
fi
