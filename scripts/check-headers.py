#!/usr/bin/env python3
"""Headers include what they use.

    scripts/check-headers.py             names of the standard library: each header that uses one includes it (a second)
    scripts/check-headers.py --compile   and each header compiles by itself (some minutes)
    scripts/check-headers.py --compile src/graph apps/cli/commands.h
    scripts/check-headers.py --fix       includes the standard headers that are missing (then clang-format sorts them)

Sources are compiled in batches, in which a header finds what an earlier file has included: only this, and the build of each
file by itself (preset `single`), show what is missing.
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What each header of the standard library declares, as far as it is used here. A name with more than one header is left to
# the compiler.
STANDARD = {
    "algorithm": "sort stable_sort find find_if find_if_not any_of all_of none_of count_if transform reverse unique "
                 "lower_bound upper_bound binary_search equal_range copy_if copy_n fill_n remove_if min_element max_element "
                 "clamp rotate partition stable_partition nth_element partial_sort merge set_union next_permutation "
                 "make_heap push_heap pop_heap is_sorted generate lexicographical_compare includes",
    "any": "any any_cast",
    "array": "array",
    "atomic": "atomic atomic_flag atomic_bool memory_order_relaxed memory_order_acquire memory_order_release",
    "bit": "bit_cast popcount countr_zero countl_zero bit_width has_single_bit",
    "chrono": "chrono",
    "cmath": "sqrt cbrt isfinite isnan isinf floor ceil round lround llround trunc fabs pow exp expm1 log log10 log1p log2 sin cos "
             "tan asin acos atan atan2 sinh cosh tanh hypot copysign nextafter signbit ldexp frexp fmod fma",
    "compare": "strong_ordering weak_ordering partial_ordering",
    "complex": "complex",
    "condition_variable": "condition_variable",
    "cstdio": "FILE fopen fclose fread fwrite fflush fputs printf snprintf",
    "cstdlib": "getenv strtod malloc free abort exit",
    "cstring": "memcpy memcmp memset memmove strlen strcmp",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t intptr_t",
    "deque": "deque",
    "exception": "exception exception_ptr current_exception rethrow_exception terminate",
    "filesystem": "filesystem",
    "forward_list": "forward_list",
    "fstream": "ifstream ofstream fstream filebuf",
    "functional": "function reference_wrapper ref cref not_fn bind_front plus minus multiplies greater",
    "future": "future promise async packaged_task",
    "initializer_list": "initializer_list",
    "iterator": "back_inserter make_move_iterator istreambuf_iterator reverse_iterator",
    "limits": "numeric_limits",
    "list": "list",
    "map": "map multimap",
    "memory": "unique_ptr shared_ptr weak_ptr make_unique make_shared enable_shared_from_this addressof "
              "static_pointer_cast dynamic_pointer_cast",
    "mutex": "mutex recursive_mutex lock_guard unique_lock scoped_lock once_flag call_once",
    "new": "bad_alloc nothrow align_val_t launder",
    "numeric": "accumulate iota gcd lcm inner_product partial_sum reduce midpoint",
    "numbers": "numbers",
    "optional": "optional nullopt make_optional",
    "ostream": "ostream endl",
    "queue": "queue priority_queue",
    "random": "mt19937 mt19937_64 uniform_real_distribution uniform_int_distribution normal_distribution",
    "ratio": "ratio",
    "regex": "regex regex_match regex_search smatch",
    "set": "set multiset",
    "span": "span dynamic_extent",
    "sstream": "ostringstream istringstream stringstream",
    "stack": "stack",
    "stdexcept": "runtime_error logic_error invalid_argument out_of_range domain_error length_error",
    "string": "string to_string stoi stod stol getline",
    "string_view": "string_view",
    "system_error": "system_error error_code errc error_category",
    "thread": "thread jthread this_thread",
    "tuple": "tuple make_tuple tie forward_as_tuple apply",
    "type_traits": "is_same_v is_base_of_v is_integral_v is_floating_point_v enable_if_t decay_t remove_cvref_t "
                   "conditional_t underlying_type_t is_convertible_v is_trivially_copyable_v is_enum_v invoke_result_t "
                   "remove_reference_t true_type false_type",
    "unordered_map": "unordered_map unordered_multimap",
    "unordered_set": "unordered_set unordered_multiset",
    "utility": "pair make_pair move forward exchange swap index_sequence make_index_sequence declval as_const cmp_less "
               "in_place unreachable",
    "variant": "variant visit holds_alternative get_if monostate variant_size_v variant_alternative_t",
    "vector": "vector",
}
HEADER_OF = {name: header for header, names in STANDARD.items() for name in names.split()}
# Headers that give what another one declares, by the standard.
GIVES = {
    "map": {"utility"}, "unordered_map": {"utility"}, "tuple": {"utility"}, "fstream": {"ostream"}, "sstream": {"ostream"},
    "iostream": {"ostream"}, "functional": {"reference_wrapper"}, "thread": {"compare"}, "condition_variable": {"mutex"},
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.M)
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
STD_NAME = re.compile(r'\bstd::(?:ranges::)?(\w+)')


def headers_in(places):
    found = []
    for place in places:
        path = (ROOT / place).resolve()
        found += sorted(path.rglob("*.h")) if path.is_dir() else [path]
    # Parts of translated C programs are no headers of C++; tests/runtime.py compiles them.
    return [f for f in found if f.suffix == ".h" and "runtime" not in f.parts]


def missing_names(header):
    """The standard headers that a header uses and does not include: {header: first name used}."""
    text = header.read_text()
    included = set(INCLUDE.findall(text))
    for one in list(included):
        included |= GIVES.get(one, set())
    missing = {}
    for name in STD_NAME.findall(COMMENT_OR_STRING.sub(" ", text)):
        standard = HEADER_OF.get(name)
        if standard and standard not in included:
            missing.setdefault(standard, name)
    return missing


def add_includes(header, names):
    text = header.read_text()
    lines = "".join(f"#include <{name}>\n" for name in sorted(names))
    first = INCLUDE.search(text)
    place = first.start() if first else text.index("#pragma once\n") + len("#pragma once\n")
    header.write_text(text[:place] + ("" if first else "\n") + lines + text[place:])


def flags_by_folder(build):
    """The compiler's flags for each folder that has sources: those of a source in it."""
    database = build / "compile_commands.json"
    if not database.exists():
        sys.exit(f"{database} is missing: configure with cmake --preset {build.name}")
    flags = {}
    for entry in json.loads(database.read_text()):
        words = shlex.split(entry["command"])
        kept, skip = [], False
        for word in words:
            if skip or word in ("-c", entry["file"]):
                skip = False
            elif word == "-o":
                skip = True
            elif word.startswith(("-O", "-fsanitize")):
                pass
            else:
                kept.append(word)
        source = pathlib.Path(entry["file"])
        sources = [source]
        if "Unity" in source.parts and source.exists():
            sources = [pathlib.Path(s) for s in INCLUDE.findall(source.read_text())]
        for one in sources:
            flags.setdefault(one.parent, kept)
    return flags


def flags_of(header, flags):
    folder = header.parent
    while folder != folder.parent:
        if folder in flags:
            return flags[folder]
        folder = folder.parent
    return None


def compile_alone(header, flags):
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as source:
        source.write(f'#include "{header}"\n#include "{header}"\n')
        source.flush()
        words = [w for w in flags if w != "ccache" and not w.endswith("/ccache")]
        done = subprocess.run(words + ["-fsyntax-only", source.name], capture_output=True, text=True, cwd=ROOT)
    return "" if done.returncode == 0 else done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compile", action="store_true", help="compile each header by itself too")
    parser.add_argument("--fix", action="store_true", help="include the standard headers that are missing")
    parser.add_argument("--build", default="build/test", help="the build whose flags are used (build/test)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("places", nargs="*", default=["src", "apps", "include"], help="folders or headers")
    arguments = parser.parse_args()
    headers = headers_in(arguments.places)
    failed = 0
    for header in headers:
        missing = missing_names(header)
        if arguments.fix and missing:
            add_includes(header, missing)
            continue
        for standard, name in sorted(missing.items()):
            print(f"{header.relative_to(ROOT)}: uses std::{name} without #include <{standard}>")
        failed += bool(missing)
    if arguments.compile:
        flags = flags_by_folder((ROOT / arguments.build).resolve())
        pairs = [(h, flags_of(h, flags)) for h in headers]
        pairs = [(h, f) for h, f in pairs if f]
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for (header, _), problem in zip(pairs, pool.map(lambda p: compile_alone(*p), pairs)):
                if problem:
                    failed += 1
                    print(f"{header.relative_to(ROOT)} does not compile by itself:")
                    print("\n".join("  " + line for line in problem.splitlines()[:12]))
    print(f"{len(headers)} headers, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
