# Shared by ./cutset and ./test: installs what is missing and builds. Sourced, not run.
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
                libgmp-dev zlib1g-dev llvm-19-dev)
test_packages=(libgtest-dev python3 gfortran)

# build FOLDER TARGET… [-- CMAKE OPTION…]: configures once and builds, showing ninja's progress on a terminal.
build() {
    local folder=$1 targets=()
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        targets+=("$1")
        shift
    done
    [ $# -gt 0 ] && shift
    local log=$folder/build.log
    mkdir -p "$folder"
    if [ ! -f "$folder/build.ninja" ]; then
        say "configuring in ${folder#"$root"/}"
        if ! cmake -S "$root" -B "$folder" -G Ninja "$@" >"$log" 2>&1; then
            tail -n 30 "$log" >&2
            say "cmake failed; the log is $log"
            exit 1
        fi
    fi
    say "building (the first time takes some minutes)"
    if [ -t 2 ]; then
        ninja -C "$folder" "${targets[@]}" >&2 || { say "the build failed"; exit 1; }
    elif ! ninja -C "$folder" "${targets[@]}" >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        say "the build failed; the log is $log"
        exit 1
    fi
}
