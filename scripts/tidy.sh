#!/usr/bin/env bash
# Runs clang-tidy with the checks of .clang-tidy. `scripts/tidy.sh FILE…` looks at these sources; without names at everything in src and
# apps, in the batches in which the build compiles them, so that headers are read once for ten files: half an hour on one core.
# `scripts/tidy.sh --jobs 2` uses two.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
cd "$root"
. scripts/prepare.sh
jobs=1
if [ "${1:-}" = --jobs ]; then
    jobs=$2
    shift 2
fi
if [ $# -eq 0 ]; then
    configure test
    mapfile -t sources < <(python3 -c 'import json; print(*(e["file"] for e in json.load(open("build/test/compile_commands.json"))
        if "/tests/" not in e["file"] and not e["file"].endswith(".c")), sep="\n")')
    database=build/test
else
    configure single
    sources=("$@")
    database=build/single
fi

# The same place of a header is found from many files: said once.
found=$(printf '%s\n' "${sources[@]}" |
    nice xargs -P "$jobs" -n 1 clang-tidy -p "$database" --quiet 2>/dev/null |
    awk '/: (warning|error): / { shown = !seen[$0]++ } shown') || true
printf '%s' "$found"
count=$(grep -c ': \(warning\|error\): ' <<<"$found" || true)
echo "${#sources[@]} files or batches of files, $count findings"
[ "$count" -eq 0 ]
