#include "ir/archive.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <type_traits>
#include <unordered_map>

namespace cutset {

namespace {

constexpr std::uint32_t no_node = ~std::uint32_t(0);

// ---- the two directions

// Neighbours are alike: of a number that stands for a place (a node, a position in the text, a slot) the
// distance from the one before is kept.
struct Neighbours {
    std::uint32_t node = 0, instance = 0, text = 0, variable = 0, slot = 0, row = 0, column = 0, entry = 0;
};

// Numbers take as many groups of seven bits as they have.
class Writer {
  public:
    static constexpr bool reading = false;
    // Goes on after what stands in `out`, up to `largest` bytes of its own.
    Writer(std::string& out, std::size_t largest) : out_(out), first_(out.size()), largest_(largest) {}
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
    void number(std::uint64_t n) {
        constexpr std::size_t longest = 10;
        if (sizeof collected_ - count_ < longest) flush();
        for (; n >= 0x80; n >>= 7) collected_[count_++] = static_cast<char>(n | 0x80);
        collected_[count_++] = static_cast<char>(n);
    }
    void flush() {
        append(collected_, count_);
        count_ = 0;
    }
    bool good() const { return good_; }
    void meet(Expr e) {
        if (nodes.size() <= e->id) nodes.resize(e->id + 1, nullptr);
        nodes[e->id] = e;
    }
    std::vector<Expr> nodes;  // met so far, by id
    Neighbours before;
    const Partition* partition = nullptr;

  private:
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

class Reader {
  public:
    static constexpr bool reading = true;
    explicit Reader(std::string_view from) : at_(from.data()), end_(from.data() + from.size()) {}
    void bytes(void* to, std::size_t n) {
        if (n == 0) return;
        if (std::size_t(end_ - at_) < n) {
            good_ = false;
            std::memset(to, 0, n);
            return;
        }
        std::memcpy(to, at_, n);
        at_ += n;
    }
    void number(std::uint64_t& n) {
        n = 0;
        for (int shift = 0; shift < 64 && at_ != end_; shift += 7) {
            const auto byte = static_cast<unsigned char>(*at_++);
            n |= std::uint64_t(byte & 0x7f) << shift;
            if (byte < 0x80) return;
        }
        good_ = false;
        n = 0;
    }
    bool good() const { return good_; }
    std::size_t left() const { return std::size_t(end_ - at_); }
    void fail() { good_ = false; }
    Expr node(std::uint32_t id) {
        if (id >= nodes.size() || !nodes[id]) good_ = false;
        return good_ ? nodes[id] : nullptr;
    }
    std::vector<Expr> nodes;  // by id when they were written
    std::shared_ptr<Pool> pool;
    Neighbours before;
    const Partition* partition = nullptr;

  private:
    const char* at_;
    const char* end_;
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

// ---- structures: each names all its members, or it does not compile

// clang-format off
template <class A> void put(A& a, Instance& x) { auto& [n, p, t, w] = x; all(a, n, p, t, w); }
template <class A> void put(A& a, Start& x) { auto& [v, o, f, d] = x; all(a, v, o, f, d); }
template <class A> void put(A& a, Variable& x) {
    auto& [origin, variability, declared, boolean, structural, adjustable, preferred, internal, is_free, top_input, top_output, binding,
           value, start, nominal, minimum, maximum, name, unit, quantity, description] = x;
    all(a, origin, variability, declared, boolean, structural, adjustable, preferred, internal, is_free, top_input, top_output, binding,
        value, start, nominal, minimum, maximum, name, unit, quantity, description);
}
template <class A> void put(A& a, Equation& x) { auto& [l, r, o, k] = x; all(a, l, r, o, k); }
template <class A> void put(A& a, WhenAssign& x) { auto& [t, v, o] = x; all(a, t, v, o); }
template <class A> void put(A& a, WhenReinit& x) { auto& [t, v, o] = x; all(a, t, v, o); }
template <class A> void put(A& a, WhenTerminate& x) { auto& [m, o] = x; all(a, m, o); }
template <class A> void put(A& a, WhenClause& x) { auto& [c, l, o] = x; all(a, c, l, o); }
template <class A> void put(A& a, DerivativeStart& x) { auto& [v, o, s] = x; all(a, v, o, s); }
template <class A> void put(A& a, Validity& x) { auto& [c, o] = x; all(a, c, o); }
template <class A> void put(A& a, TableData& x) { auto& [n, o, xs, ys, v, i, out] = x; all(a, n, o, xs, ys, v, i, out); }
template <class A> void put(A& a, tree::ExternalCode& x) { auto& [l, s, d, w] = x; all(a, l, s, d, w); }
template <class A> void put(A& a, FunctionAssign& x) { auto& [t, v] = x; all(a, t, v); }
template <class A> void put(A& a, FunctionIf& x) { auto& [b] = x; all(a, b); }
template <class A> void put(A& a, FunctionFor& x) { auto& [s, f, t, st, b] = x; all(a, s, f, t, st, b); }
template <class A> void put(A& a, FunctionWhile& x) { auto& [c, b] = x; all(a, c, b); }
template <class A> void put(A& a, FunctionStatement& x) { auto& [w, s] = x; all(a, w, s); }
template <class A> void put(A& a, FunctionData& x) {
    auto& [name, origin, inputs, outputs, slots, names, constants, body, external] = x;
    all(a, name, origin, inputs, outputs, slots, names, constants, body, external);
}
template <class A> void put(A& a, Homotopy& x) { auto& [e, s] = x; all(a, e, s); }
template <class A> void put(A& a, OpenPort& x) { auto& [i, n, w, ac, th] = x; all(a, i, n, w, ac, th); }
template <class A> void put(A& a, Known& x) { auto& [v, e] = x; all(a, v, e); }
template <class A> void put(A& a, FlatModel& x) {
    auto& [pool, name, instances, variables, equations, initials, starts, homotopies, whens, validities, callees, sets, ports, knowns,
           freed, compared, reads_files] = x;
    if constexpr (A::reading) pool = a.pool;
    all(a, name, instances, variables, equations, initials, starts, homotopies, whens, validities, callees, sets, ports, knowns, freed,
        compared, reads_files);
}
template <class A> void put(A& a, SolvedEquation& x) { auto& [u, v, e, f] = x; all(a, u, v, e, f); }
template <class A> void put(A& a, ResidualEquation& x) { auto& [r, e, f] = x; all(a, r, e, f); }
template <class A> void put(A& a, Block& x) {
    auto& [kind, inner, torn, why, residuals, constant, symbolic, size] = x;
    all(a, kind, inner, torn, why, residuals, constant, symbolic, size);
}
template <class A> void put(A& a, Eliminated& x) { auto& [v, e, al, o] = x; all(a, v, e, al, o); }
template <class A> void put(A& a, Switch& x) { auto& [n, c, i, r, o, k] = x; all(a, n, c, i, r, o, k); }
template <class A> void put(A& a, Clock& x) { auto& [n, f, p] = x; all(a, n, f, p); }
template <class A> void put(A& a, DelayLine& x) { auto& [n, g, d] = x; all(a, n, g, d); }
template <class A> void put(A& a, StateSelection& x) {
    auto& [candidates, states, selectors, constraints, jacobian, weights, equations] = x;
    all(a, candidates, states, selectors, constraints, jacobian, weights, equations);
}
template <class A> void put(A& a, StartCheck& x) { auto& [k, v, e, o, u, i] = x; all(a, k, v, e, o, u, i); }
template <class A> void put(A& a, LoopReport& x) { auto& [s, t, l, i, v] = x; all(a, s, t, l, i, v); }
template <class A> void put(A& a, Partition& x) {
    auto& [model, source, parameters, states, blocks, initials, homotopies, homotopy, causes, jumps, eliminated, switches, clocks, delays,
           selections, flat_equations, flat_unknowns, aliases, removed, structural, decisions, shaping, zero_starts, checks, loops, index,
           differentiated, dependent] = x;
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
    (void)decisions;  // there are none, see archive()
    all(a, parameters, states, blocks, initials, homotopies, homotopy, causes, jumps, eliminated, switches, clocks, delays, selections,
        flat_equations, flat_unknowns, aliases, removed, structural, shaping, zero_starts, checks, loops, index, differentiated,
        dependent);
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
    std::uint32_t list = no_node, place = 0;
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
        else if (list != no_node)
            a.fail();
    }
}
template <class A> void put(A& a, Loop& x) {
    auto& [linear, constant, torn, nominal, minimum, maximum, residual, jacobian, rest, slots, entries, block] = x;
    all(a, linear, constant, torn, nominal, minimum, maximum, residual, jacobian, rest, slots, entries);
    put(a, block);
}
template <class A> void put(A& a, RateJacobian& x) { auto& [s, e, c, z] = x; all(a, s, e, c, z); }
template <class A> void put(A& a, LinearizedEquations& x) { auto& [q, s, e, by, of, n, z] = x; all(a, q, s, e, by, of, n, z); }
template <class A> void put(A& a, FunctionCode::Step& x) {
    auto& [kind, instruction, first, length, statement] = x;
    all(a, kind, instruction, first, length, statement);
}
template <class A> void put(A& a, FunctionCode& x) {
    auto& [inputs, outputs, frame, steps, statements, constants, calls] = x;
    all(a, inputs, outputs, frame, steps, statements, constants, calls);
}
template <class A> void put(A& a, Layout& x) {
    auto& [variable, derivative, state, previous, time, starting, switches, before, clocks, crossings, instants, rates, conditions, values,
           validity, arguments, durations, parameters, selections, constants, slots] = x;
    all(a, variable, derivative, state, previous, time, starting, switches, before, clocks, crossings, instants, rates, conditions, values,
        validity, arguments, durations, parameters, selections, constants, slots);
}
template <class A> void put(A& a, Program& x) {
    auto& [layout, constants, calls, loops, functions, parameters, initial, homotopy, jump, continuous, fixed, stepwise, rates, surfaces,
           past, jacobian, linearized, linearized_start, eliminated, crossings, selections, conditions, actions, partition] = x;
    (void)partition;  // before it, because loops refer to it
    all(a, layout, constants, calls, loops, functions, parameters, initial, homotopy, jump, continuous, fixed, stepwise, rates, surfaces,
        past, jacobian, linearized, linearized_start, eliminated, crossings, selections, conditions, actions);
}
template <class A> void put(A& a, RelatedPlace& x) { auto& [w, m] = x; all(a, w, m); }
template <class A> void put(A& a, Diagnostic& x) {
    auto& [severity, code, where, message, submodel, details, related, help] = x;
    all(a, severity, code, where, message, submodel, details, related, help);
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
    if (std::bit_cast<std::uint64_t>(n.number) != 0) has |= Numeric;
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

void put_nodes(Writer& a) {
    // With all that they are made of.
    std::vector<Expr> all_nodes = std::move(a.nodes);
    std::vector<Expr> open;
    for (Expr e : all_nodes)
        if (e && e->argument_count > 0) open.push_back(e);
    while (!open.empty()) {
        const Expr e = open.back();
        open.pop_back();
        for (Expr argument : e->args()) {  // older than e: there is room for them
            if (all_nodes[argument->id]) continue;
            all_nodes[argument->id] = argument;
            if (argument->argument_count > 0) open.push_back(argument);
        }
    }
    std::uint64_t count = 0, highest = all_nodes.size();
    for (Expr e : all_nodes) count += e != nullptr;
    a.number(highest);
    a.number(count);
    std::uint32_t before = 0;
    for (Expr e : all_nodes) {
        if (!e) continue;
        Node n = *e;
        put_next(a, n.id, before);
        put_node(a, n);
        for (Expr argument : e->args()) a.number(e->id - argument->id);
    }
}

void take_nodes(Reader& a) {
    std::uint64_t highest = 0, count = 0;
    a.number(highest);
    a.number(count);
    if (count > a.left() || highest > no_node) return a.fail();
    a.nodes.assign(highest, nullptr);
    std::vector<Expr> arguments;
    std::uint32_t before = 0;
    for (std::uint64_t i = 0; i < count && a.good(); ++i) {
        Node n;
        put_next(a, n.id, before);
        put_node(a, n);
        if (n.argument_count > a.left() || n.id >= highest) return a.fail();
        arguments.clear();
        for (std::uint32_t k = 0; k < n.argument_count; ++k) {
            std::uint64_t older = 0;
            a.number(older);
            const Expr argument = a.node(static_cast<std::uint32_t>(n.id - older));
            if (!argument) return a.fail();
            arguments.push_back(argument);
        }
        const std::uint32_t id = n.id;
        n.arguments = arguments.data();
        a.nodes[id] = a.pool->restore(n);
    }
}

std::uint64_t mixed(std::uint64_t h) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdull;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53ull;
    return h ^ (h >> 33);
}

}  // namespace

Fingerprint fingerprint(std::string_view bytes) {
    // Four at a time, each for itself: none waits for the other's multiplications.
    constexpr std::size_t lanes = 4;
    Fingerprint sums[lanes];
    for (std::size_t k = 0; k < lanes; ++k)
        sums[k] = {0x9E3779B97F4A7C15ull ^ (bytes.size() + k), 0xC2B2AE3D27D4EB4Full + bytes.size() + k};
    const auto add = [](Fingerprint& sum, std::uint64_t word) {
        sum.high = mixed(sum.high ^ word) * 5 + 0x52dce729;
        sum.low = (sum.low ^ mixed(word + 0x165667B19E3779F9ull)) * 0x9E3779B185EBCA87ull;
        sum.low ^= sum.low >> 29;
    };
    std::size_t i = 0;
    const auto word_at = [&](std::size_t n) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, n);
        i += n;
        return word;
    };
    while (i + 8 * lanes <= bytes.size())
        for (Fingerprint& sum : sums) add(sum, word_at(8));
    Fingerprint& whole = sums[0];
    for (std::size_t k = 1; k < lanes; ++k) {
        add(whole, sums[k].high);
        add(whole, sums[k].low);
    }
    while (i + 8 <= bytes.size()) add(whole, word_at(8));
    const std::uint64_t last = word_at(bytes.size() - i);
    return {mixed(whole.high ^ last), mixed(whole.low + mixed(last ^ whole.high))};
}

std::string Fingerprint::text() const {
    return fmt::format("{:016x}{:016x}", high, low);
}

// Checksum, length of the body, body, nodes: these are known when the body is written, and read before it.
std::optional<std::string> archive(const Program& program, const std::vector<Diagnostic>& messages,
                                   std::size_t largest, std::string before) {
    const Partition& partition = *program.partition;
    if (!partition.decisions.empty()) return std::nullopt;
    if (partition.source && partition.source->pool != partition.model.pool) return std::nullopt;
    std::string bytes = std::move(before);
    const std::size_t first = bytes.size();
    Writer a(bytes, largest);
    Fingerprint check;
    std::uint64_t length = 0;
    for (std::uint64_t* head : {&check.high, &check.low, &length}) a.bytes(head, sizeof *head);
    a.flush();
    const std::size_t body = bytes.size();
    // `put` serves both directions and takes what it reads into; writing changes nothing.
    put(a, const_cast<Partition&>(partition));
    a.partition = &partition;
    put(a, const_cast<Program&>(program));
    put(a, const_cast<std::vector<Diagnostic>&>(messages));
    a.flush();
    length = bytes.size() - body;
    put_nodes(a);
    a.flush();
    if (!a.good()) return std::nullopt;
    std::memcpy(bytes.data() + first + sizeof check, &length, sizeof length);
    check = fingerprint(std::string_view(bytes).substr(first + sizeof check));
    std::memcpy(bytes.data() + first, &check, sizeof check);
    return bytes;
}

std::optional<ArchivedProgram> unarchive(std::string_view bytes) {
    Reader a(bytes);
    Fingerprint check;
    for (std::uint64_t* head : {&check.high, &check.low}) a.bytes(head, sizeof *head);
    if (!a.good() || fingerprint(bytes.substr(bytes.size() - a.left())) != check) return std::nullopt;
    std::uint64_t length = 0;
    a.bytes(&length, sizeof length);
    if (!a.good() || length > a.left()) return std::nullopt;
    Reader nodes(bytes.substr(bytes.size() - a.left() + length));
    nodes.pool = std::make_shared<Pool>();
    take_nodes(nodes);
    if (!nodes.good() || nodes.left() != 0) return std::nullopt;
    a = Reader(bytes.substr(bytes.size() - a.left(), length));
    a.pool = nodes.pool;
    a.nodes = std::move(nodes.nodes);
    auto partition = std::make_shared<Partition>();
    put(a, *partition);
    a.partition = partition.get();
    ArchivedProgram result;
    put(a, result.program);
    put(a, result.messages);
    if (!a.good() || a.left() != 0) return std::nullopt;
    result.program.partition = std::move(partition);
    return result;
}

}  // namespace cutset
