#!/usr/bin/env bash
# The slow tests of `./test --long`: unit tests and cases under the sanitizers, the initial value
# problems at three tolerances, and ten minutes of fuzzing each parser.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
cd "$root"
. scripts/prepare.sh
install_packages clang libclang-rt-dev
build "$root/build/sanitize" all -- -DCMAKE_BUILD_TYPE=Debug -DCUTSET_SANITIZE=ON
say "unit tests under the sanitizers"
ctest --test-dir build/sanitize --output-on-failure -j2
say "cases under the sanitizers"
CUTSET_CASE_SECONDS=120 ASAN_OPTIONS=detect_leaks=0 python3 tests/run_cases.py --program build/sanitize/cutset
say "initial value problems"
python3 tests/ivp/run.py --long --program build/test/cutset
build "$root/build/fuzz" fuzz_dymola fuzz_model fuzz_simnon fuzz_csv fuzz_mat -- -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_C_COMPILER=clang -DCUTSET_FUZZ=ON -DCUTSET_TESTS=OFF
seconds=${CUTSET_FUZZ_SECONDS:-600}
for fuzzer in build/fuzz/tests/fuzz/fuzz_*; do
    [ -x "$fuzzer" ] && [ -f "$fuzzer" ] || continue
    name=$(basename "$fuzzer")
    say "$name for $seconds s"
    work=$(mktemp -d)
    corpus=tests/fuzz/corpus/${name#fuzz_}
    dictionary=()
    if [ "$name" = fuzz_dymola ] || [ "$name" = fuzz_model ]; then
        corpus=tests/fuzz/corpus/dymola
        dictionary=(-dict=tests/fuzz/dymola.dict)
    fi
    [ "$name" = fuzz_simnon ] && corpus=examples/simnon
    "$fuzzer" -max_total_time="$seconds" -max_len=20000 -rss_limit_mb=4096 -timeout=20 "${dictionary[@]}" "$work" "$corpus"
    rm -rf "$work"
done
