# shellcheck shell=bash
# Sourced by ./test: what `./test --rotation` runs besides the ordinary tests, another choice on each turn. A turn is a
# number, that of the day unless it is given. It chooses
#   - a shard of the slow tests: they are dealt out by their seconds in tests/slow_seconds.txt;
#   - a preset of dev, asan, ubsan and tsan, and a part of the unit tests to build and run under it.
# docs/developing/test.md tells it to people.
# Expects `root`, `jobs`, `limit` and `fixed_addresses` of ./test, and tools/setup.sh.

: "${root:?}" "${jobs:?}" "${limit:?}" "${fixed_addresses[0]:?}"
logs=$root/build/rotation
rotation_presets=(dev asan ubsan tsan)
# Folders of unit tests that need about the same rooms. Those that are named nowhere join the last part.
rotation_parts=(
    "base math geometry files fields mesher distance picture"
    "materials potentials contact solvers control lab"
    "dynamics integrators contact_scenes friction simulation"
    "contracts record scene allocation figures architecture"
)
# Seconds of slow tests in a shard, as ctest counts them with two tests at a time.
shard_seconds=1200

day() { echo $(($(date +%s) / 86400)); }

# Folders of part NUMBER (from 0), without those that no longer exist.
folders_of_part() {
    local number=$1 all named folder
    all=" $(sed -n 's/^ *rubato_tests(\([a-z_]*\) unit .*/\1/p' "$root/tests/CMakeLists.txt" | tr '\n' ' ')"
    named=" ${rotation_parts[*]} "
    for folder in ${rotation_parts[$number]}; do
        if [[ $all == *" $folder "* ]]; then echo "$folder"; fi
    done
    if ((number != ${#rotation_parts[@]} - 1)); then return; fi
    for folder in $all; do
        if [[ $named != *" $folder "* ]]; then echo "$folder"; fi
    done
}

# Names of the slow tests on stdin; lines "SHARD SECONDS NAME" on stdout, shards from 0. A test that is longer than a shard
# has one of its own; these are the last ones. A test without a measurement counts 300 s.
dealt_out() {
    awk -v of_shard="$shard_seconds" '
        NR == FNR { if ($1 !~ /^#/ && NF == 2) seconds[$2] = $1; next }
        { cost = $1 in seconds ? seconds[$1] : 300; print cost, $1 }
    ' "$root/tests/slow_seconds.txt" - | sort -k1,1nr -k2 | awk -v of_shard="$shard_seconds" '
        $1 > of_shard { long[++longs] = $0; next }
        { rest[++count] = $0; sum += $1 }
        END {
            shards = int((sum + of_shard - 1) / of_shard)
            if (shards == 0 && count) shards = 1
            # Seven shards would give a turn that comes once a week the same one each time.
            if ((shards + longs) % 7 == 0) ++shards
            for (i = 1; i <= count; ++i) { # the longest first, each to the shard with the least to do
                least = 0
                for (s = 1; s < shards; ++s) if (load[s] + 0 < load[least] + 0) least = s
                split(rest[i], word, " ")
                load[least] += word[1]
                print least, rest[i]
            }
            for (i = 1; i <= longs; ++i) print shards + i - 1, long[i]
        }'
}

# choose TURN DEALT: sets shard, shards, is_long, preset and part for the lines of dealt_out. A turn with a long test has no
# preset: the test takes all the time. The turns between count through the presets, so that none of them is left out.
choose() {
    local turn=$((10#$1)) dealt=$2 with_preset # 008 is eight
    shards=$(awk '$1 >= n { n = $1 + 1 } END { print n + 0 }' <<<"$dealt")
    with_preset=$(awk -v most="$shard_seconds" '$2 <= most && $1 >= n { n = $1 + 1 } END { print n + 0 }' <<<"$dealt")
    shard=$((shards > 0 ? turn % shards : 0))
    is_long=no preset='' part=0
    if ((shards > 0 && shard >= with_preset)); then
        is_long=yes
        return
    fi
    # shellcheck disable=SC2017 # rounds down on purpose
    local number=$((shards > 0 ? turn / shards * with_preset + shard : turn))
    preset=${rotation_presets[$((number % ${#rotation_presets[@]}))]}
    part=$((number / ${#rotation_presets[@]} % ${#rotation_parts[@]}))
}

# The slow tests by name, without what GoogleTest adds about parameters; everything has been built.
slow_tests() { (cd -- "$root" && ctest --preset release -N -L slow) | sed -n 's/^ *Test *#[0-9]*: \([^ ]*\).*/\1/p'; }

# Brings tests/slow_seconds.txt up to date with what ctest remembers of the last runs. A slow test that has not run keeps
# its seconds.
slow_seconds() {
    local measured=$root/build/release/Testing/Temporary/CTestCostData.txt list=$root/tests/slow_seconds.txt
    if [[ ! -f $measured ]]; then stop "Nothing is measured yet: run ./test --slow first."; fi
    {
        sed '/^[^#]/,$d; /^# Until/d' "$list"
        awk 'FILENAME == ARGV[1] { slow[$1]; next }
            FILENAME == ARGV[2] { if ($1 !~ /^#/ && $2 in slow) seconds[$2] = $1; next }
            $1 in slow && $(NF - 1) > 0 { seconds[$1] = $NF + 0.999 }
            END { for (name in seconds) printf "%5d %s\n", seconds[name], name }' <(slow_tests) "$list" "$measured" |
            sort -k1,1nr -k2
    } >"$list.new"
    mv -- "$list.new" "$list"
    say "Written: tests/slow_seconds.txt"
}

# A regular expression for ctest -R that matches the tests on stdin.
# shellcheck disable=SC2016
exactly() { sed 's/[.+*?^$()|[\]/\\&/g' | paste -s -d '|' | sed 's/.*/^(&)( |$)/'; }

closing_line() { grep -E '^[0-9]+% tests passed' "$1" | tail -n 1; }

# within SECONDS LOG COMMAND...: its status; 124 or 137 if time was up.
within() {
    local seconds=$1 log=$2
    shift 2
    if ((seconds <= 0)); then
        : >"$log"
        return 124
    fi
    local began=$SECONDS status
    (cd -- "$root" && timeout --kill-after=10 "$seconds" "$@") 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
    # Killed before its time: for want of memory, say. That is no lack of time.
    if [[ $status == 137 ]] && ((SECONDS - began < seconds)); then status=1; fi
    return "$status"
}

# note WHAT STATUS LOG: files what came of a run of ctest under one of cut_short, passed and failed. What was finished
# before time was up counts: a failure among it is a failure.
note() {
    local what=$1 status=$2 log=$3 finished wrong
    finished=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#' "$log" || true)
    wrong=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#.*\*\*\*(Failed|Exception|Timeout|Not Run)' "$log" || true)
    if [[ $status == 0 ]]; then
        passed+=("$what: $(closing_line "$log")")
    elif [[ ($status == 124 || $status == 137) && $wrong == 0 ]]; then
        cut_short+=("$what: NOT RUN to the end, the time was up; $finished tests had passed by then")
    elif [[ $status == 124 || $status == 137 ]]; then
        failed+=("$what: $wrong of $finished tests failed before the time was up")
    else
        failed+=("$what: $(closing_line "$log" || true)")
        failed_line=$(closing_line "$log" || true)
    fi
}

# The shard of the slow tests, in at most SECONDS.
run_shard() {
    local seconds=$1 dealt=$2 log=$logs/slow.log status=0 names
    names=$(awk -v s="$shard" '$1 == s { print $3 }' <<<"$dealt")
    if [[ -z $names ]]; then
        failed+=("slow tests: there are none")
        return
    fi
    say "--- slow tests, shard $((shard + 1)) of $shards, at most $seconds s:" "$names"
    within "$seconds" "$log" ctest --preset release --output-on-failure -j "$jobs" -L slow -R "$(exactly <<<"$names")" \
        --no-tests=error || status=$?
    note "slow tests, shard $((shard + 1)) of $shards" "$status" "$log"
}

# Part of the unit tests under the preset, until the end of the time.
run_preset() {
    local folders what log=$logs/$preset.log status=0 targets
    mapfile -t folders < <(folders_of_part "$part")
    what="unit tests under $preset, part $((part + 1)) of ${#rotation_parts[@]}"
    say "--- $what, at most $(left) s: ${folders[*]}"
    local under=()
    if [[ $preset == tsan ]] && "${fixed_addresses[@]}" true 2>/dev/null; then under=("${fixed_addresses[@]}"); fi
    targets=("${folders[@]/#/test_}")
    if ! (configure "$preset" -DRUBATO_TESTS=ON); then
        failed+=("$what: could not be configured")
        return
    fi
    within "$(left)" "$log" "${under[@]}" cmake --build --preset "$preset" --target "${targets[@]}" || status=$?
    if [[ $status == 124 || $status == 137 ]]; then
        cut_short+=("$what: NOT RUN, the time was up while they were built")
        return
    elif [[ $status != 0 ]]; then
        failed+=("$what: could not be built")
        return
    fi
    within "$(left)" "$log" "${under[@]}" ctest --preset "$preset" --output-on-failure -j "$jobs" \
        -L "^unit:($(printf '%s\n' "${folders[@]}" | paste -s -d '|'))\$" --no-tests=error || status=$?
    note "$what" "$status" "$log"
}

# Seconds left, but a few for the last lines.
left() { echo $((limit - SECONDS - 20)); }

# rotate TURN PLAN ORDINARY_LOG: runs the choice of the turn, or with PLAN yes only tells it. Its last line is the closing
# line of ctest for the ordinary tests, or for what failed.
rotate() {
    local turn=$1 plan=$2 ordinary_log=$3 dealt shard shards is_long preset part
    local cut_short=() passed=() failed=() failed_line=
    dealt=$(slow_tests | dealt_out)
    choose "$turn" "$dealt"
    if [[ $plan == yes ]]; then
        printf 'Turn %s runs shard %s of %s of the slow tests\n' "$turn" "$((shard + 1))" "$shards"
        if [[ $is_long == yes ]]; then
            printf 'and, because that is a long test, nothing else.\n\n'
        else
            printf 'and under %s: %s\n\n' "$preset" "$(folders_of_part "$part" | paste -s -d ' ')"
        fi
        sort -k1,1n -k2,2nr <<<"$dealt" | awk '{ printf "shard %d  %5d s  %s\n", $1 + 1, $2, $3 }'
        return
    fi
    passed=("every test but the slow ones: $(closing_line "$ordinary_log")")
    if [[ $is_long == yes ]]; then
        run_shard "$(left)" "$dealt"
    else
        run_shard "$(($(left) / 2))" "$dealt"
        run_preset
    fi

    printf '\nTurn %s, %s s of %s s:\n' "$turn" "$SECONDS" "$limit"
    printf '  %s\n' "${passed[@]}" ${cut_short[@]+"${cut_short[@]}"} ${failed[@]+"${failed[@]}"}
    if [[ $is_long == yes ]]; then printf '  no preset on this turn: its shard of the slow tests is a long one\n'; fi
    if ((${#failed[@]} > 0)); then
        if [[ -n $failed_line ]]; then printf '%s\n' "$failed_line"; fi
        return 1
    fi
    closing_line "$ordinary_log"
}
