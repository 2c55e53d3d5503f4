# shellcheck shell=bash
# Sourced by ./run and ./test: finds or installs what the build needs, configures, builds, also the viewer.
# Expects `root` to be the top folder of the source tree.

: "${root:?}"
package_list="$root/tools/packages.txt"

# One line per argument, on stderr: stdout belongs to the program.
say() { printf '%s\n' "$@" >&2; }

stop() {
    say "$@"
    exit 1
}

# Packages of the list that serve one of the given purposes (build, test, bench, viewer, render).
packages_for() {
    local name purpose wanted
    while read -r name purpose _; do
        for wanted in "$@"; do
            if [[ $name != '#'* && $purpose == "$wanted" ]]; then printf '%s\n' "$name"; fi
        done
    done <"$package_list"
}

# The same as prose, for systems whose packages have other names.
requirements_for() {
    local name purpose what wanted
    while read -r name purpose what; do
        for wanted in "$@"; do
            if [[ $name != '#'* && $purpose == "$wanted" ]]; then printf '  - %s\n' "$what"; fi
        done
    done <"$package_list"
}

is_installed() { [[ $(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null) == ?i* ]]; }

# Whether a package need not be installed: it is, or its program came in another way (a newer Node.js, say).
is_there() {
    is_installed "$1" && return
    case $1 in
    nodejs) command -v node >/dev/null ;;
    chromium) [[ -n ${CHROMIUM-} ]] || command -v chromium chromium-browser google-chrome chrome >/dev/null ;;
    npm | ffmpeg) command -v "$1" >/dev/null ;;
    *) return 1 ;;
    esac
}

# Makes sure that everything needed for the given purposes is there.
# install_missing yes|no PURPOSE...
install_missing() {
    local may_install=$1
    shift
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        if [[ -f $root/build/release/build.ninja ]]; then return; fi # everything was found before
        say "This system has no apt, so nothing is installed. Rubato needs:"
        requirements_for "$@" >&2
        say "Going on with what CMake finds."
        return
    fi

    local name missing=()
    while read -r name; do
        is_there "$name" || missing+=("$name")
    done < <(packages_for "$@")
    if ((${#missing[@]} == 0)); then return; fi

    if [[ $may_install == no ]]; then
        say "Not installed, and left so because of --no-install: ${missing[*]}"
        return
    fi
    local as_root=()
    if ((EUID != 0)); then
        command -v sudo >/dev/null || stop "Missing packages: ${missing[*]}" \
            "Neither root nor sudo is at hand to install them. As root:  apt-get install ${missing[*]}" \
            "Or, with these libraries installed in another way:  ./${0##*/} --no-install"
        as_root=(sudo)
    fi

    local log="$root/build/apt.log" apt
    apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y)
    mkdir -p "$root/build"
    say "Installing with apt: ${missing[*]}"
    # A third-party source that does not answer need not stop us: the installation itself decides.
    "${apt[@]}" update >"$log" 2>&1 || say "apt-get update had trouble (see $log); going on."
    if ! "${apt[@]}" install --no-install-recommends "${missing[@]}" >>"$log" 2>&1; then
        tail -n 20 "$log" >&2
        stop "apt-get could not install everything; the full log is $log"
    fi
}

# The same for what one can do without: says so and goes on where it cannot be installed.
install_optional() {
    (install_missing "$@") || say "Going on without."
}

# Configures a preset quietly; shows CMake's words only if it fails.
# configure PRESET [CMAKE ARGUMENT...]
configure() {
    local preset=$1 log="$root/build/configure-$1.log"
    shift
    command -v cmake >/dev/null || stop "CMake is not installed. Rubato needs:" "$(requirements_for build)"
    mkdir -p "$root/build"
    if ! (cd -- "$root" && cmake --preset "$preset" "$@") >"$log" 2>&1; then
        cat "$log" >&2
        stop "CMake could not configure the build. Rubato needs:" "$(requirements_for build test)"
    fi
}

# build PRESET [BUILD ARGUMENT...]; the presets are found from the top folder only.
build() {
    local preset=$1
    shift
    (cd -- "$root" && cmake --build --preset "$preset" "$@")
}

# build_quietly PRESET TARGET...: the same, with progress in one line of a terminal, and not a word where nothing is to be done.
build_quietly() {
    build "$1" --target "${@:2}" 2>&1 | {
        local line shown=no
        while IFS= read -r line; do
            case $line in
            *'Re-checking globbed directories'* | 'ninja: no work to do.') ;;
            '['*'/'*']'*)
                if [[ -t 2 ]]; then printf '\r\033[K%.76s' "$line" >&2 && shown=yes; else say "$line"; fi
                ;;
            *)
                if [[ $shown == yes ]]; then say "" && shown=no; fi
                say "$line"
                ;;
            esac
        done
        if [[ $shown == yes ]]; then say ""; fi
    }
}

has_viewer() { [[ -f $root/build/viewer/viewer.js ]]; }

# build_viewer yes|no: builds the viewer into build/viewer where Node.js and npm are there; without it the program works,
# and pages have still pictures. Nothing is done if it is newer than its sources. With `no`, npm installs nothing.
build_viewer() {
    local may_install=$1 source="$root/viewer" out="$root/build/viewer" log="$root/build/viewer.log"
    local installed="$source/node_modules/.installed" failed="$root/build/viewer.failed"
    if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
        if ! has_viewer; then
            say "Node.js is not installed, so the viewer is not built: reports have still pictures." \
                "'./run view DIR' installs it."
        fi
        return
    fi
    if has_viewer && [[ -z $(find "$source" -path "$source/node_modules" -prune -o -path "$source/dist" -prune \
        -o -type f -newer "$out/viewer.js" -print -quit) ]]; then
        return
    fi
    mkdir -p "$root/build"
    if [[ ! -f $installed || $source/package-lock.json -nt $installed ]]; then
        # Where there is no network, every call would wait for it again.
        if [[ $may_install == no || $failed -nt $source/package-lock.json ]]; then return; fi
        say "Installing what the viewer needs with npm"
        # Some versions of npm find a lock file out of step that leaves out packages of other systems; a plain
        # installation takes the same versions from it.
        if ! (cd -- "$source" && { npm ci || npm install --no-save; } && touch "$installed") >"$log" 2>&1; then
            touch "$failed"
            say "npm could not install what the viewer needs (see $log); going on without it." \
                "To try again, remove $failed."
            return
        fi
    fi
    say "Building the viewer"
    if ! (cd -- "$source" && npm run build -- --outDir "$out" --emptyOutDir) >>"$log" 2>&1; then
        tail -n 20 "$log" >&2
        say "The viewer could not be built (see $log); going on without it."
    fi
}
