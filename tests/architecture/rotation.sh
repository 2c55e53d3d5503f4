#!/usr/bin/env bash
# Whether tools/rotation.sh leaves nothing out, and whether it tells failures from time that was up. ctest, cmake and
# timeout are stand-ins: nothing is built, and what ends with status 99 ran until time was up.  rotation.sh SOURCE_DIRECTORY
set -euo pipefail
source_directory=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0
wrong() {
    printf '%s\n' "$@"
    status=1
}

# A tree with nothing but the files that the rotation reads.
root=$scratch/tree
mkdir -p "$root/tests" "$scratch/bin"
cp "$source_directory/tests/CMakeLists.txt" "$source_directory/tests/slow_seconds.txt" "$root/tests"
jobs=2 limit=2700 fixed_addresses=(env)
say() { printf '%s\n' "$@" >&2; }
configure() { true; }
# shellcheck source=tools/rotation.sh
source "$source_directory/tools/rotation.sh"
mkdir -p "$logs"

# --- the deal
in_parts=$(for number in "${!rotation_parts[@]}"; do folders_of_part "$number"; done | sort)
declared=$(sed -n 's/^ *rubato_tests(\([a-z_]*\) unit .*/\1/p' "$root/tests/CMakeLists.txt" | sort)
[[ $in_parts == "$declared" ]] || wrong "parts of the unit tests: $in_parts" "declared: $declared"
echo 'rubato_tests(brand_new unit rubato_base)' >>"$root/tests/CMakeLists.txt"
folders_of_part $((${#rotation_parts[@]} - 1)) | grep -qx brand_new || wrong "a new folder of unit tests is in no part"

# everything_comes HOW_MANY NAMES: whether every test is dealt out once, and all shards and presets have their turn.
everything_comes() {
    local names=$2 dealt turn preset part shard shards is_long
    dealt=$(dealt_out <<<"$names")
    [[ $(awk '{ print $3 }' <<<"$dealt" | sort) == "$(sort <<<"$names")" ]] || wrong "not every test is dealt out once:" "$dealt"
    local -A seen=() weekly=() presets=()
    for ((turn = 20000; turn < 20000 + 140; ++turn)); do
        choose "$turn" "$dealt"
        seen[$shard]=1
        if ((turn % 7 == 0)); then weekly[$shard]=1; fi
        if [[ $is_long == no ]]; then presets[$preset $part]=1; fi
    done
    ((shards == $1)) || wrong "$shards shards, expected $1:" "$dealt"
    ((${#seen[@]} == shards && ${#weekly[@]} == shards)) || wrong "of $shards shards ${#seen[@]} come, ${#weekly[@]} on Mondays"
    local wanted=$((${#rotation_presets[@]} * ${#rotation_parts[@]}))
    ((${#presets[@]} == wanted)) || wrong "${#presets[@]} of $wanted presets and parts come"
}
for i in {1..9}; do printf '%s a.Test%s\n' $((i * 100)) "$i"; done >"$root/tests/slow_seconds.txt" # 4500 s
everything_comes 4 "$(awk '{ print $2 }' "$root/tests/slow_seconds.txt")"
{ echo '4000 a.Long'; echo '1300 a.AlsoLong'; } >>"$root/tests/slow_seconds.txt"
everything_comes 6 "$(awk '{ print $2 }' "$root/tests/slow_seconds.txt")"
everything_comes 8 "$(awk '{ print $2 }' "$root/tests/slow_seconds.txt"; printf 'a.Unmeasured%s\n' 1 2 3 4 5)" # 7 would be one weekday each
expression=$(printf 'All/A.B/c_1\nD.E\n' | exactly)
[[ 'All/A.B/c_1  # GetParam() = 3' =~ $expression && D.E =~ $expression ]] || wrong "$expression does not match its tests"
for other in 'All/A.B/c_12' 'DxE' 'All/A.B/c'; do
    [[ ! $other =~ $expression ]] || wrong "$expression matches $other"
done

# --- verdicts
cat >"$scratch/bin/ctest" <<'END'
#!/usr/bin/env bash
case "$*" in
*' -N '*) for name in $SLOW; do echo "  Test  #1: $name  # GetParam() = x"; done; exit ;;
*'-L slow'*) how=$SLOW_GO ;;
*) how=$PRESET_GO ;;
esac
echo '1/2 Test  #1: a.First ........   Passed    1.00 sec'
case $how in
pass) echo '2/2 Test  #2: a.Second .......   Passed    1.00 sec'; echo '100% tests passed, 0 tests failed out of 2' ;;
fail) echo '2/2 Test  #2: a.Second .......***Failed    1.00 sec'; echo '50% tests passed, 1 tests failed out of 2'; exit 8 ;;
hang) exit 99 ;;
fail-and-hang) echo '2/3 Test  #2: a.Second .......***Exception: SegFault  1.00 sec'; exit 99 ;;
esac
END
cat >"$scratch/bin/cmake" <<'END'
#!/usr/bin/env bash
case $BUILD_GO in
fail) echo 'error: no'; exit 1 ;;
hang) exit 99 ;;
esac
END
cat >"$scratch/bin/timeout" <<'END'
#!/usr/bin/env bash
shift 2 # --kill-after, seconds
"$@"
status=$?
exit $((status == 99 ? 124 : status))
END
chmod +x "$scratch/bin/ctest" "$scratch/bin/cmake" "$scratch/bin/timeout"
export PATH=$scratch/bin:$PATH SLOW='a.Test1 a.Test2' SLOW_GO BUILD_GO PRESET_GO
ordinary='100% tests passed, 0 tests failed out of 1234'
echo "$ordinary" >"$scratch/ordinary.log"

# ends SECONDS SLOW BUILD PRESET STATUS LAST_LINE [WORDS]: how the rotation ends when its parts go this way.
ends() {
    SLOW_GO=$2 BUILD_GO=$3 PRESET_GO=$4
    local said rc=0 last
    said=$(
        limit=$1 SECONDS=0
        rotate 0 no "$scratch/ordinary.log" 2>/dev/null
    ) || rc=$?
    last=$(tail -n 1 <<<"$said")
    if [[ $rc != "$5" || $last != "$6"* || $said != *"${7-}"* ]]; then
        wrong "slow tests $2, build $3, preset $4: status $rc, expected $5 and '$6' and '${7-}'; it said:" "$said"
    fi
}
ends 100 pass pass pass 0 "$ordinary"
ends 100 fail pass pass 1 '50% tests passed, 1 tests failed out of 2'
ends 100 pass pass fail 1 '50% tests passed, 1 tests failed out of 2' 'slow tests, shard 1 of 1: 100%'
ends 100 pass fail pass 1 '' 'could not be built'
ends 100 hang pass pass 0 "$ordinary" 'slow tests, shard 1 of 1: NOT RUN to the end, the time was up; 1 tests had passed'
ends 100 fail-and-hang pass pass 1 '' '1 of 2 tests failed before the time was up'
ends 100 pass hang pass 0 "$ordinary" 'NOT RUN, the time was up while'
ends 100 pass pass hang 0 "$ordinary" 'NOT RUN to the end'
ends 10 pass pass pass 0 "$ordinary" 'NOT RUN'
SLOW='a.Long'
ends 100 pass fail fail 0 "$ordinary" 'no preset on this turn'
exit $status
