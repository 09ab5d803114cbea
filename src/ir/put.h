// How a Program, and all that it refers to, is gone through, member by member: for what writes it, reads
// it back or takes its fingerprint. Such a visitor A has
//
//     A::reading            whether values are put into what is visited
//     number, bytes         for one number, for several bytes
//     before                (Neighbours)
//     partition             what loops refer to
//
// and, where it reads, what `put` below asks for. An overload of `put` for one visitor is preferred.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "ir/program.h"

namespace cutset::archiving {

inline constexpr std::uint32_t no_place = ~std::uint32_t(0);

// Neighbours are alike: of a number that stands for a place (a node, a position in the text, a slot) the
// distance from the one before is kept.
struct Neighbours {
    std::uint32_t node = 0, instance = 0, text = 0, variable = 0, slot = 0, row = 0, column = 0, entry = 0;
};

// Numbers take as many groups of seven bits as they have.
class PackedBytes {
  public:
    // Goes on after what stands in `out`, up to `largest` bytes of its own.
    PackedBytes(std::string& out, std::size_t largest) : out_(out), first_(out.size()), largest_(largest) {}
    void bytes(const void* from, std::size_t n) {
        if (n == 0) return;  // an empty list has no address
        // Most pieces are of a few bytes: they are collected.
        if (n > sizeof collected_ - count_) flush();
        if (n > sizeof collected_) {
            append(static_cast<const char*>(from), n);
            return;
        }
        std::memcpy(collected_ + count_, from, n);
        count_ += n;
    }
    [[gnu::always_inline]] void number(std::uint64_t n) {  // most are small, and there are very many
        if (n >= 0x80 || count_ == sizeof collected_) return long_number(n);
        collected_[count_++] = static_cast<char>(n);
    }
    void flush() {
        append(collected_, count_);
        count_ = 0;
    }
    bool good() const { return good_; }

  private:
    void long_number(std::uint64_t n) {
        constexpr std::size_t longest = 10;
        if (sizeof collected_ - count_ < longest) flush();
        for (; n >= 0x80; n >>= 7) collected_[count_++] = static_cast<char>(n | 0x80);
        collected_[count_++] = static_cast<char>(n);
    }
    void append(const char* from, std::size_t n) {
        if (n > largest_ - (out_.size() - first_)) good_ = false;
        if (good_) out_.append(from, n);
    }

    std::string& out_;
    std::size_t first_, largest_;
    char collected_[4096];
    std::size_t count_ = 0;
    bool good_ = true;
};

// ---- numbers

template <class A, class T>
requires(std::is_unsigned_v<T> || std::is_enum_v<T>) void put(A& a, T& x) {
    std::uint64_t n = static_cast<std::uint64_t>(x);
    a.number(n);
    if constexpr (A::reading) x = static_cast<T>(n);
}
template <class A>
void put(A& a, bool& x) {
    std::uint64_t n = x;
    a.number(n);
    if constexpr (A::reading) x = n != 0;
}
// Its last bytes first: those of a number with few digits are zeros.
template <class A>
void put(A& a, double& x) {
    std::uint64_t n = __builtin_bswap64(std::bit_cast<std::uint64_t>(x));
    a.number(n);
    if constexpr (A::reading) x = std::bit_cast<double>(__builtin_bswap64(n));
}

// A number near `from`: 0, -1, 1, -2 … are 0, 1, 2, 3 …
constexpr std::uint32_t distance(std::uint32_t x, std::uint32_t from) {
    const std::uint32_t d = x - from;
    return (d << 1) ^ (0u - (d >> 31));
}
constexpr std::uint32_t at_distance(std::uint32_t d, std::uint32_t from) {
    return from + ((d >> 1) ^ (0u - (d & 1)));
}
template <class A>
void put_near(A& a, std::uint32_t& x, std::uint32_t from) {
    std::uint32_t d = distance(x, from);
    put(a, d);
    if constexpr (A::reading) x = at_distance(d, from);
}
// Near the one before, and then that one.
template <class A>
void put_next(A& a, std::uint32_t& x, std::uint32_t& before) {
    put_near(a, x, before);
    before = x;
}
// Near `from`, or 0 for nothing.
template <class A>
void put_near_or_none(A& a, std::uint32_t& x, std::uint32_t from) {
    std::uint64_t n = x == 0 ? 0 : std::uint64_t(distance(x, from)) + 1;
    a.number(n);
    if constexpr (A::reading) x = n == 0 ? 0 : at_distance(static_cast<std::uint32_t>(n - 1), from);
}

template <class A, class Tag>
void put(A& a, Index<Tag>& x) {
    put(a, x.value);
}
template <class A>
void put(A& a, Span& x) {
    auto& [source, begin, end] = x;
    put(a, source);
    put_next(a, begin, a.before.text);
    put_near(a, end, begin);
    if constexpr (A::reading) a.move(x);
}
template <class A>
void put(A& a, Origin& x) {
    auto& [instance, where] = x;
    put_next(a, instance.value, a.before.instance);
    put(a, where);
}
template <class A>
void put(A& a, Unknown& x) {
    auto& [variable, order] = x;
    put_next(a, variable.value, a.before.variable);
    put(a, order);
}
template <class A>
void put(A& a, Instruction& x) {
    auto& [code, op, to, first, second] = x;
    constexpr std::uint32_t codes = 16;  // most instructions have no further operation
    static_assert(static_cast<std::uint32_t>(Code::Delay) < codes);
    std::uint32_t what = static_cast<std::uint32_t>(code) + codes * static_cast<std::uint32_t>(op);
    put(a, what);
    if constexpr (A::reading) {
        code = static_cast<Code>(what % codes);
        op = static_cast<Op>(what / codes);
    }
    put_next(a, to, a.before.slot);
    put_near_or_none(a, first, to);
    put_near_or_none(a, second, to);
}
template <class A>
void put(A& a, JacobianEntry& x) {
    auto& [row, column, slot] = x;
    put_next(a, row, a.before.row);
    put_next(a, column, a.before.column);
    put_next(a, slot, a.before.entry);
}

// Declared before use: lists of what is defined below.
template <class A, class T>
void put(A& a, std::vector<T>& x);
template <class A, class T>
void put(A& a, std::optional<T>& x);
template <class A, class T, class U>
void put(A& a, std::pair<T, U>& x);
template <class A, class... T>
void put(A& a, std::variant<T...>& x);
template <class A>
void put(A& a, std::string& x);
template <class A>
void put(A& a, Expr& x);
template <class A>
void put(A& a, FunctionStatement& x);

template <class A, class... T>
void all(A& a, T&... x) {
    (put(a, x), ...);
}

// Of a variable.
template <class A>
void put_values(A& a, const Variable&, Expr& binding, double& value, std::optional<Start>& start) {
    all(a, binding, value, start);
}

// ---- structures: each names all its members, or it does not compile

// clang-format off
template <class A> void put(A& a, Instance& x) { auto& [n, p, t, w, part, surplus] = x; static_cast<void>(part), static_cast<void>(surplus); all(a, n, p, t, w); }  // part, surplus: for messages about unsorted equations
template <class A> void put(A& a, Start& x) { auto& [v, o, f, d, g, l] = x; all(a, v, o, f, d, g, l); }
template <class A> void put(A& a, Variable& x) {
    auto& [origin, variability, declared, type, typed, by_equation, structural, adjustable, select, internal, is_free, open, top_input, top_output, binding,
           value, start, nominal, minimum, maximum, name, unit, quantity, description, enumeration] = x;
    all(a, origin, variability, declared, type, typed, by_equation, structural, adjustable, select, internal, is_free, open, top_input, top_output);
    put_values(a, x, binding, value, start);
    all(a, nominal, minimum, maximum, name, unit, quantity, description, enumeration);
}
template <class A> void put(A& a, Enumeration& x) { auto& [l] = x; all(a, l); }
template <class A> void put(A& a, Equation& x) { auto& [l, r, o, k] = x; all(a, l, r, o, k); }
template <class A> void put(A& a, WhenAssign& x) { auto& [t, v, o, g, i, s] = x; all(a, t, v, o, g, i, s); }
template <class A> void put(A& a, WhenReinit& x) { auto& [t, v, o, g] = x; all(a, t, v, o, g); }
template <class A> void put(A& a, WhenTerminate& x) { auto& [m, o, g] = x; all(a, m, o, g); }
template <class A> void put(A& a, WhenClause& x) { auto& [c, l, o, b] = x; all(a, c, l, o, b); }
template <class A> void put(A& a, DerivativeStart& x) { auto& [v, o, s] = x; all(a, v, o, s); }
template <class A> void put(A& a, Validity& x) { auto& [c, o, t, l] = x; all(a, c, o, t, l); }
template <class A> void put(A& a, TableData& x) { auto& [n, o, xs, ys, v, i, out] = x; all(a, n, o, xs, ys, v, i, out); }
template <class A> void put(A& a, ExternalCode& x) { auto& [l, s, d, w] = x; all(a, l, s, d, w); }
template <class A> void put(A& a, FunctionAssign& x) { auto& [t, v] = x; all(a, t, v); }
template <class A> void put(A& a, FunctionIf& x) { auto& [b] = x; all(a, b); }
template <class A> void put(A& a, FunctionFor& x) { auto& [s, f, t, st, b] = x; all(a, s, f, t, st, b); }
template <class A> void put(A& a, FunctionWhile& x) { auto& [c, b] = x; all(a, c, b); }
template <class A> void put(A& a, FunctionLeave& x) { auto& [l] = x; all(a, l); }
template <class A> void put(A& a, FunctionAssert& x) { auto& [c, t] = x; all(a, c, t); }
template <class A> void put(A& a, FunctionStatement& x) { auto& [w, s] = x; all(a, w, s); }
template <class A> void put(A& a, DerivativeRule& x) {
    auto& [function, arguments, linear] = x;
    std::vector<std::uint32_t> numbers(arguments.begin(), arguments.end());
    all(a, function, numbers, linear);
    if constexpr (A::reading) arguments.assign(numbers.begin(), numbers.end());
}
template <class A> void put(A& a, FunctionData& x) {
    auto& [name, origin, inputs, outputs, slots, names, constants, body, external, derivative, time_derivatives, inverses, inlined, impure] = x;
    all(a, name, origin, inputs, outputs, slots, names, constants, body, external, derivative, time_derivatives, inverses, inlined, impure);
}
template <class A> void put(A& a, Homotopy& x) { auto& [e, s] = x; all(a, e, s); }
template <class A> void put(A& a, ClockOperator& x) { auto& [e, k, f, r, c, i, s] = x; all(a, e, k, f, r, c, i, s); }
template <class A> void put(A& a, OpenPort& x) { auto& [i, n, w, ac, th] = x; all(a, i, n, w, ac, th); }
template <class A> void put(A& a, Known& x) { auto& [v, e] = x; all(a, v, e); }
template <class A> void put(A& a, FlatModel& x) {
    auto& [pool, name, instances, variables, equations, initials, discrete, enumerations, starts, homotopies, clocks, asked, whens, together, validities, callees, sets, ports, knowns,
           freed, compared, reads_files] = x;
    if constexpr (A::reading) pool = a.pool;
    all(a, name, instances, variables, equations, initials, discrete, enumerations, starts, homotopies, clocks, asked, whens, together, validities, callees, sets, ports, knowns, freed,
        compared, reads_files);
    if constexpr (A::reading) set_derivative_rules(x);
}
template <class A> void put(A& a, DiscreteAssignment& x) { auto& [v, e, o] = x; all(a, v, e, o); }
template <class A> void put(A& a, SolvedEquation& x) { auto& [u, v, e, f] = x; all(a, u, v, e, f); }
template <class A> void put(A& a, ResidualEquation& x) { auto& [r, e, f] = x; all(a, r, e, f); }
template <class A> void put(A& a, Block& x) {
    auto& [kind, inner, torn, why, residuals, constant, symbolic, size] = x;
    all(a, kind, inner, torn, why, residuals, constant, symbolic, size);
}
template <class A> void put(A& a, Eliminated& x) { auto& [v, e, al, o, u] = x; all(a, v, e, al, o, u); }
template <class A> void put(A& a, Switch& x) { auto& [n, c, i, r, o, k] = x; all(a, n, c, i, r, o, k); }
template <class A> void put(A& a, Clock& x) { auto& [n, f, p] = x; all(a, n, f, p); }
template <class A> void put(A& a, DelayLine& x) { auto& [n, g, d, o] = x; all(a, n, g, d, o); }
template <class A> void put(A& a, StateSelection& x) {
    auto& [candidates, states, selectors, constraints, jacobian, weights, equations] = x;
    all(a, candidates, states, selectors, constraints, jacobian, weights, equations);
}
template <class A> void put(A& a, StateGroup::Candidate& x) { auto& [v, o, b, d, s, r] = x; all(a, v, o, b, d, s, r); }
template <class A> void put(A& a, StateGroup& x) { auto& [c, e] = x; all(a, c, e); }
template <class A> void put(A& a, StartCheck& x) { auto& [k, v, e, o, u, i] = x; all(a, k, v, e, o, u, i); }
template <class A> void put(A& a, LoopReport& x) { auto& [s, t, l, i, v] = x; all(a, s, t, l, i, v); }
template <class A> void put(A& a, ValueDecision& x) { auto& [of, asked, result] = x; all(a, of, asked, result); }
template <class A> void put(A& a, ComparisonDecision& x) { auto& [f, s, h, r] = x; all(a, f, s, h, r); }
template <class A> void put(A& a, ChainDecision& x) {
    auto& [start, adjacent, unknowns, slopes, exponents, is_linear, only_scales, has_residual, assignments, result] = x;
    all(a, start, adjacent, unknowns, slopes, exponents, is_linear, only_scales, has_residual, assignments, result);
}
template <class A> void put(A& a, PivotDecision& x) { auto& [m, r, c, result] = x; all(a, m, r, c, result); }
template <class A> void put(A& a, RankDecision& x) { auto& [r, u, p, result] = x; all(a, r, u, p, result); }
template <class A> void put(A& a, Decisions& x) { auto& [v, c, ch, p, r] = x; all(a, v, c, ch, p, r); }
template <class A> void put(A& a, Partition& x) {
    auto& [model, source, parameters, states, discrete, blocks, initials, starts_first, homotopies, homotopy, causes, jumps, eliminated, switches,
           clocks, delays, selections, flat_equations, flat_unknowns, aliases, removed, structural, decisions, shaping, zero_starts, checks, loops, index,
           differentiated, dependent, groups] = x;
    bool has_source = source != nullptr;
    all(a, model, has_source);
    if (has_source) {
        if constexpr (A::reading) {
            auto flat = std::make_shared<FlatModel>();
            put(a, *flat);
            source = std::move(flat);
        } else {
            put(a, const_cast<FlatModel&>(*source));
        }
    }
    (void)decisions;  // for other texts only, see archive()
    all(a, parameters, states, discrete, blocks, initials, starts_first, homotopies, homotopy, causes, jumps, eliminated, switches, clocks, delays,
        selections, flat_equations, flat_unknowns, aliases, removed, structural, shaping, zero_starts, checks, loops, index, differentiated,
        dependent, groups);
}
template <class A> void put(A& a, Section& x) { auto& [i, n] = x; all(a, i, n); }
template <class A> void put(A& a, CallSite& x) {
    auto& [callee, output, derivatives, by, arguments] = x;
    all(a, callee, output, derivatives, by[0], by[1], arguments);
}
// The block that a loop came from, as its place.
template <class A> void put(A& a, const Block*& x) {
    const std::vector<Block>* lists[] = {&a.partition->blocks, &a.partition->initial_blocks, &a.partition->homotopy_blocks,
                                         &a.partition->jump_blocks};
    std::uint32_t list = no_place, place = 0;
    if constexpr (!A::reading)
        for (std::uint32_t i = 0; i < 4; ++i)
            if (x >= lists[i]->data() && x < lists[i]->data() + lists[i]->size()) {
                list = i;
                place = std::uint32_t(x - lists[i]->data());
            }
    all(a, list, place);
    if constexpr (A::reading) {
        x = nullptr;
        if (list < 4 && place < lists[list]->size())
            x = lists[list]->data() + place;
        else if (list != no_place)
            a.fail();
    }
}
template <class A> void put(A& a, Loop& x) {
    auto& [linear, constant, torn, nominal, minimum, maximum, residual, jacobian, rest, slots, entries, block] = x;
    all(a, linear, constant, torn, nominal, minimum, maximum, residual, jacobian, rest, slots, entries);
    put(a, block);
}
template <class A> void put(A& a, StateJacobian& x) { auto& [s, e, c, z] = x; all(a, s, e, c, z); }
template <class A> void put(A& a, LinearizedEquations& x) { auto& [q, s, e, by, of, n, z] = x; all(a, q, s, e, by, of, n, z); }
template <class A> void put(A& a, FunctionCode::Step& x) {
    auto& [kind, instruction, first, length, statement] = x;
    all(a, kind, instruction, first, length, statement);
}
template <class A> void put(A& a, FunctionCode& x) {
    auto& [inputs, outputs, frame, steps, statements, constants, calls, assertions] = x;
    all(a, inputs, outputs, frame, steps, statements, constants, calls, assertions);
}
template <class A> void put(A& a, Layout& x) {
    auto& [variable, derivative, state, previous, time, starting, ending, switches, before, clocks, crossings, instants, crossing_rates, conditions, values,
           guards, validity, arguments, durations, parameters, selections, constants, slots] = x;
    all(a, variable, derivative, state, previous, time, starting, ending, switches, before, clocks, crossings, instants, crossing_rates, conditions, values,
        guards, validity, arguments, durations, parameters, selections, constants, slots);
}
template <class A> void put(A& a, Program& x) {
    auto& [layout, constants, calls, loops, functions, parameters, clocks, initial, homotopy, jump, continuous, fixed, stepwise, derivatives, event_indicators,
           past, jacobian, linearized, linearized_start, eliminated, crossings, selections, conditions, actions, partition] = x;
    (void)partition;  // before it, because loops refer to it
    all(a, layout, constants, calls, loops, functions, parameters, clocks, initial, homotopy, jump, continuous, fixed, stepwise, derivatives, event_indicators,
        past, jacobian, linearized, linearized_start, eliminated, crossings, selections, conditions, actions);
}
template <class A> void put(A& a, RelatedPlace& x) { auto& [w, m] = x; all(a, w, m); }
template <class A> void put(A& a, Diagnostic& x) {
    auto& [severity, code, where, message, submodel, details, related, help, concern] = x;
    all(a, severity, code, where, message, submodel, details, related, help, concern);
}
// clang-format on

// ---- containers

template <class A>
void put(A& a, std::string& x) {
    std::uint64_t n = x.size();
    a.number(n);
    if constexpr (A::reading) {
        if (n > a.left()) return a.fail();
        x.resize(n);
    }
    a.bytes(x.data(), n);
}

// Nothing is 0, else one more than the distance from the one before.
template <class A>
void put(A& a, Expr& x) {
    std::uint64_t n = 0;
    if constexpr (!A::reading)
        if (x) {
            n = std::uint64_t(distance(x->id, a.before.node)) + 1;
            a.before.node = x->id;
            a.meet(x);
        }
    a.number(n);
    if constexpr (A::reading) {
        x = nullptr;
        if (n == 0) return;
        a.before.node = at_distance(static_cast<std::uint32_t>(n - 1), a.before.node);
        x = a.node(a.before.node);
    }
}

template <class T>
constexpr bool is_place = std::is_same_v<T, std::uint32_t>;
template <class Tag>
constexpr bool is_place<Index<Tag>> = true;

template <class A, class T>
void put(A& a, std::vector<T>& x) {
    std::uint64_t n = x.size();
    a.number(n);
    if constexpr (A::reading) {
        if (n > a.left()) return a.fail();  // every element takes a byte at least
        x.resize(n);
    }
    if constexpr (is_place<T>) {
        std::uint32_t before = 0;
        for (T& element : x) {
            if constexpr (std::is_same_v<T, std::uint32_t>)
                put_next(a, element, before);
            else
                put_next(a, element.value, before);
        }
    } else {
        for (std::size_t i = 0; i < n && a.good(); ++i) put(a, x[i]);
    }
}

template <class A, class T>
void put(A& a, std::optional<T>& x) {
    bool has = x.has_value();
    put(a, has);
    if constexpr (A::reading)
        if (has) x.emplace();
    if (has) put(a, *x);
}

template <class A, class T, class U>
void put(A& a, std::pair<T, U>& x) {
    all(a, x.first, x.second);
}

template <class A, class... T>
void put(A& a, std::variant<T...>& x) {
    std::uint8_t which = std::uint8_t(x.index());
    put(a, which);
    if constexpr (A::reading) {
        std::uint8_t i = 0;
        const bool found = ((i++ == which ? (x.template emplace<T>(), true) : false) || ...);
        if (!found) return a.fail();
    }
    std::visit([&](auto& value) { put(a, value); }, x);
}

// ---- nodes, oldest first

// All but its age and its arguments. Few nodes have more than one of the seldom ones.
template <class A>
void put_node(A& a, Node& n) {
    enum : std::uint32_t { Boolean = 1, Numeric = 2, Indexed = 4, Ordered = 8, Partial = 16 };
    std::uint32_t has = 0;
    if (n.boolean) has |= Boolean;
    if (n.op == Op::Number && std::bit_cast<std::uint64_t>(n.number) != 0) has |= Numeric;
    if (n.index != 0) has |= Indexed;
    if (n.order != 0) has |= Ordered;
    if (n.derivatives != 0 || n.by[0] != 0 || n.by[1] != 0) has |= Partial;
    all(a, n.op, has, n.argument_count);
    n.boolean = has & Boolean;
    if (has & Numeric) put(a, n.number);
    if (has & Indexed) put(a, n.index);
    if (has & Ordered) put(a, n.order);
    if (has & Partial) all(a, n.derivatives, n.by[0], n.by[1]);
}

}  // namespace cutset::archiving
