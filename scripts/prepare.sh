# Shared by ./cutset, ./bench and ./test: installs what is missing, builds, runs the parts of a test. Sourced, not run; `root` is set.
# Messages go to stderr, so that the output of the program stays its own.

say() { printf 'cutset: %s\n' "$*" >&2; }

# install_packages NAME…: Debian packages that are missing, as root or with sudo; else lists them and stops.
install_packages() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
            as_root=(sudo)
        else
            say "these Debian packages are missing: ${missing[*]}"
            say "install them with: apt-get install ${missing[*]}"
            exit 1
        fi
    fi
    say "installing Debian packages: ${missing[*]}"
    local log
    log=$(mktemp)
    if ! { "${as_root[@]}" apt-get update -qq &&
           "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
               "${missing[@]}"; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        say "apt-get failed; the packages needed are: ${missing[*]}"
        exit 1
    fi
    rm -f "$log"
}

build_packages=(g++ cmake ninja-build ccache libfmt-dev nlohmann-json3-dev libcli11-dev libsundials-dev
                libsuitesparse-dev liblapack-dev libeigen3-dev coinor-libipopt-dev libnlopt-dev libsqlite3-dev
                libgmp-dev zlib1g-dev llvm-19-dev libboost-dev)
test_packages=(libgtest-dev python3 gfortran)
studio_test_packages=(chromium fonts-dejavu-core)

# configure PRESET: once, by a preset of CMakePresets.json, in build/PRESET.
configure() {
    local folder=$root/build/$1
    local log=$folder/build.log
    [ ! -f "$folder/build.ninja" ] || return 0
    mkdir -p "$folder"
    say "configuring in build/$1"
    if ! (cd "$root" && cmake --preset "$1") >"$log" 2>&1; then
        tail -n 30 "$log" >&2
        say "cmake failed; the log is $log"
        exit 1
    fi
}

# build PRESET TARGET…: configures and builds, showing ninja's progress on a terminal.
build() {
    configure "$1"
    local preset=$1 folder=$root/build/$1
    local log=$folder/build.log
    shift
    say "building in build/$preset (the first time takes some minutes)"
    if [ -t 2 ]; then
        ninja -C "$folder" "$@" >&2 || { say "the build failed"; exit 1; }
    elif ! ninja -C "$folder" "$@" >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        say "the build failed; the log is $log"
        exit 1
    fi
}

# build_page: the page of the studio, in build/studio, when it is missing or older than its sources. Its packages are those of the
# lock file, whose checksums npm compares; none of their scripts is run.
build_page() {
    local page=$root/apps/studio/page out=$root/build/studio log=$root/build/studio.log
    if [ -f "$out/studio.js" ] && [ -z "$(find "$page" -name node_modules -prune -o -newer "$out/studio.js" -type f -print -quit)" ]; then
        return 0
    fi
    command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 || install_packages nodejs npm
    mkdir -p "$out"
    say "building the page of the studio"
    if ! (cd "$page" && { [ ! package-lock.json -nt node_modules/.package-lock.json ] || npm ci --ignore-scripts --no-audit --no-fund; } &&
          node build.mjs --out "$out") >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        say "the page of the studio could not be built; the log is $log"
        exit 1
    fi
    touch "$out/studio.js"
}

# studio_tests PROGRAM: the page's own tests, and those in a browser.
studio_tests() {
    (cd "$root/apps/studio/page" && npx tsc --noEmit && node build.mjs --tests "$root/build/studio-tests") || return 1
    CUTSET=$1 node --test --test-reporter=tap "$root"/build/studio-tests/*.test.mjs "$root"/tests/studio/*.test.mjs >"$root/build/logs/studio.tap" || {
        grep -A 20 -E '^ *not ok' "$root/build/logs/studio.tap"
        return 1
    }
    awk '/^# pass/ { passed = $3 } /^# fail/ { failed = $3 } END { printf "%d tests, %d failed\n", passed, failed }' "$root/build/logs/studio.tap"
}

# part NAME COMMAND…: one part of a test. Its output goes to build/logs/NAME.log; a line says what came of it, with the last line of
# the output (the counts) and the time. What failed is shown at once and remembered, and the next part goes on.
failed_parts=()
part() {
    local name=$1 begin=$SECONDS log=$root/build/logs/${1// /-}.log result
    shift
    mkdir -p "$root/build/logs"
    [ -t 2 ] && printf '%-22s …\r' "$name" >&2
    if "$@" >"$log" 2>&1; then
        result=$(tail -n 1 "$log")
    else
        cat "$log" >&2
        result="FAILED, the log is build/logs/${log##*/}"
        failed_parts+=("$name")
    fi
    printf '%-22s %-72s %5d s\n' "$name" "$result" $((SECONDS - begin)) >&2
}

# unit_tests PRESET: all of them, and how many there are.
unit_tests() {
    ctest --preset "$1" && awk '/^\[  PASSED  \]/ { tests += $4 } /^\[==========\].*ran/ { programs++ }
        END { printf "%d unit tests in %d programs, 0 failed\n", tests, programs }' "build/$1/Testing/Temporary/LastTest.log"
}

# finish: the last line of a test, and its exit status.
finish() {
    if [ ${#failed_parts[@]} -gt 0 ]; then
        say "failed: $(printf '%s, ' "${failed_parts[@]}" | sed 's/, $//') (after $SECONDS s)"
        return 1
    fi
    say "all tests passed in $SECONDS s"
}
