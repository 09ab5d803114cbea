# The slow parts of `./test --long`, which sources this file: each file and each header compiled by itself, clang-tidy, unit tests and
# cases under the sanitizers, the initial value problems at three tolerances, random models (conditions, when clauses, linear and small
# systems, loops, chains and grids), mutated texts, the studio in Firefox and under 10 000 changes of the view, and fuzzing of each reader (CUTSET_FUZZ_SECONDS each, 120, two at a time).
# CUTSET_LONG="tidy fuzz" runs these parts only, of: single headers tidy sanitize problems random studio fuzz.
parts=${CUTSET_LONG:-single headers tidy sanitize problems random studio fuzz}

wanted() { [[ " $parts " == *" $1 "* ]]; }

# builds PRESET TARGET…: as a part, whose line says how many files were compiled.
builds() { (build "$@") && echo "$(grep -c Building "build/$1/build.log") files compiled"; }

# fuzz NAME: what crashed is left in build/fuzz/found/NAME; mended, it belongs into tests/fuzz/corpus.
fuzz() {
    local name=$1 found=$root/build/fuzz/found/$1 corpus=$root/tests/fuzz/corpus/$1 dictionary=() examples=()  # targets may change the folder
    case $name in
        dymola | model) corpus=$root/tests/fuzz/corpus/dymola dictionary=(-dict=tests/fuzz/dymola.dict) ;;
        simnon) corpus=$root/examples/simnon ;;
        el | omola) examples=("$root/examples/$name") ;;
    esac
    mkdir -p "$found/inputs"
    if "build/fuzz/tests/fuzz/fuzz_$name" -max_total_time="${CUTSET_FUZZ_SECONDS:-120}" -max_len=20000 -rss_limit_mb=4096 \
        -timeout=20 -artifact_prefix="$found/" "${dictionary[@]}" "$found/inputs" "$corpus" "${examples[@]}" >"$found.log" 2>&1; then
        echo "$name: $(grep -a '^Done' "$found.log")"
    else
        echo "FAILED $name, see $found.log"
        return 1
    fi
}

# fuzz_all: every target, two at a time.
fuzz_all() {
    local sources=(tests/fuzz/fuzz_*.cpp) names
    names=("${sources[@]#tests/fuzz/fuzz_}")
    export -f fuzz
    export root
    printf '%s\n' "${names[@]%.cpp}" | xargs -P 2 -I '{}' bash -c 'fuzz {}' && echo "${#names[@]} targets, 0 failed"
}

if wanted single; then
    part "single: build" builds single all
fi
if wanted headers; then
    part "headers by themselves" scripts/check-headers.py --compile --jobs 2
fi
if wanted tidy; then
    install_packages clang-tidy
    part "clang-tidy" scripts/tidy.sh --jobs 2
fi
if wanted sanitize; then
    part "sanitize: build" builds sanitize all
    part "sanitize: unit tests" unit_tests sanitize
    part "sanitize: cases" \
        env CUTSET_CASE_SECONDS=120 ASAN_OPTIONS=detect_leaks=0 python3 tests/run_cases.py --program build/sanitize/cutset
fi
if wanted problems; then
    part "initial value problems" python3 tests/ivp/run.py --long --program build/test/cutset
fi
if wanted random; then
    part "hybrid models" python3 tests/consistency.py --program build/test/cutset --models 10000 --seed 1000 --translated 50
    part "hybrid models with events" python3 tests/consistency.py --program build/test/cutset --events --models 10000 --seed 1000 --translated 50 NONE
    part "event iterations" python3 tests/event_iterations.py --program build/test/cutset --count 3000 --translated 100
    part "when clauses" python3 tests/when_clauses.py --count 5000 --seed 1000 --program build/test/cutset
    part "random linear systems" env CUTSET_RANDOM_MODELS=10000 build/test/tests/unit/test_run --gtest_filter='RandomModels.LinearDaes*'
    part "random small systems" env CUTSET_RANDOM_MODELS=100000 build/test/tests/unit/test_run --gtest_filter='RandomModels.SmallSystems*'
    part "loops in sweeps" python3 tests/sweeps.py --loops 1000 --program build/test/cutset no-example
    part "mutants" python3 tests/mutants.py --count 10000 --seed 1000 --program build/test/cutset
    part "chains and grids" python3 tests/nonlinear.py --long --program build/test/cutset
fi
if wanted studio; then
    install_packages firefox-esr
    part "studio: views" env CUTSET="$root/build/test/cutset" node tests/studio/views-long.mjs
    part "studio: Firefox" python3 tests/studio/firefox.py --program build/test/cutset
fi
if wanted fuzz; then
    install_packages clang libclang-rt-dev
    part "fuzz: build" builds fuzz fuzzers
    part "fuzz" fuzz_all
fi
