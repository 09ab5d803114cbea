#include "ir/flat_identity.h"

#include <algorithm>
#include <bit>

#include "expr/elementary_functions.h"
#include "ir/exact_sum.h"
#include "ir/put.h"

namespace cutset {

namespace {

std::uint64_t key_of(Span place) {
    return std::uint64_t(place.begin) << 32 | place.end;
}

// The map for a source, made if there is none.
template <class T>
IntegerMap<T>& of_source(std::vector<IntegerMap<T>>& maps, Span place) {
    if (place.source.value >= maps.size()) maps.resize(place.source.value + 1);
    return maps[place.source.value];
}

}  // namespace

PlaceMap::PlaceMap(const std::vector<Span>& before, const std::vector<Span>& now) {
    for (std::size_t i = 0; i < before.size(); ++i)
        of_source(by_source_, before[i])[key_of(before[i])] = now[i];
}

std::optional<Span> PlaceMap::find(Span before) const {
    if (before.source.value >= by_source_.size()) return std::nullopt;
    const Span* now = by_source_[before.source.value].find(key_of(before));
    return now ? std::optional(*now) : std::nullopt;
}

namespace archiving {

class Identifier;
void put(Identifier& a, Expr& x);
void put(Identifier& a, Span& x);
void put(Identifier& a, Equation& x);
void put_values(Identifier& a, const Variable& v, Expr& binding, double& value, std::optional<Start>& start);

class Identifier : public PackedBytes {
  public:
    static constexpr bool reading = false;
    explicit Identifier(std::string& out) : PackedBytes(out, std::string::npos) {}

    void model(FlatModel& m) {
        model_ = &m;
        nodes_.resize(m.pool->size());
        directed_ = std::any_of(m.variables.begin(), m.variables.end(), [](const Variable& v) {
            return v.variability == Variability::Continuous &&
                   (v.declared == VariableKind::Input || v.declared == VariableKind::Output);
        });
        for (Expr e : m.pool->nodes()) {
            if (e->argument_count > 0 || e->is_number() || e->op == Op::Truth) continue;
            identity.leaves.push_back({e->op, e->index, e->order});
            all(*this, identity.leaves.back().op, identity.leaves.back().index, identity.leaves.back().order);
        }
        put(*this, m);
        flush();
    }
    // In full where it is met first.
    void expression(Expr e) {
        enum : std::uint64_t { Nothing, New, First };
        if (!e) return number(Nothing);
        std::uint32_t& number_of_e = nodes_[e->id].number;
        if (number_of_e > 0) return number(First + number_of_e);
        number_of_e = ++expressions_;
        number(New);
        Node n = *e;
        put_node(*this, n);
        for (Expr argument : e->args()) expression(argument);
    }
    void equation(Equation& e) {
        auto& [left, right, origin, kind] = e;
        const Equation* const first = model_->equations.data();
        const bool continuous = &e >= first && &e < first + model_->equations.size();
        const bool plain = continuous && !left->boolean && described(left).plain && described(right).plain &&
                           !is_exact(*model_, e);
        all(*this, origin, kind);
        number(plain);
        if (continuous) identity.equations.push_back(plain ? hash_of(e) : 0);
        if (!plain) {
            expression(left);
            expression(right);
            return;
        }
        // What of it is seen before anything is replaced.
        for (Expr side : {left, right})
            for_each_leaf(side, [&](Expr leaf) {
                if (leaf->op == Op::Variable && (directed_ || leaf->order > 0)) expression(leaf);
            });
        number(0);
    }
    void place(Span p) {
        std::uint32_t& after = of_source(met_, p)[key_of(p)];
        if (after == 0) {
            identity.places.push_back(p);
            after = static_cast<std::uint32_t>(identity.places.size());
        }
        number(after);
    }
    void values(const Variable& v, Expr binding, double value, std::optional<Start>& start) {
        // The value of a parameter is what its binding says.
        const bool parameter = v.variability == Variability::Parameter && binding;
        const bool open = parameter && !v.structural && !v.adjustable;
        expression_or_number(open, binding, identity.parameters);
        if (!parameter) bytes(&value, sizeof value);
        number(start.has_value());
        if (start) {
            auto& [first, origin, from_user, by_default, only_guess, depth] = *start;
            expression_or_number(v.variability == Variability::Continuous && !v.internal, first,
                                 identity.starts);
            all(*this, origin, from_user, by_default, only_guess, depth);
        }
        ++variables_;
    }

    FlatIdentity identity;
    Neighbours before;
    const Partition* partition = nullptr;

  private:
    void expression_or_number(bool open, Expr e, FlatIdentity::Numbers& numbers) {
        open = open && e && e->is_number();
        number(open);
        if (!open) return expression(e);
        numbers.of.push_back(VariableIndex(variables_));
        numbers.values.push_back(e->number);
    }

    struct Described {
        std::uint64_t hash = 0;    // 0: not yet
        std::uint32_t number = 0;  // 0: not yet met in the frame
        bool plain = false;
    };
    static bool is_plain(const Node& n) {
        switch (n.op) {
            case Op::Variable:
                return n.order < 2;
            case Op::Number:
            case Op::Time:
            case Op::Add:
            case Op::Multiply:
            case Op::Power:
                return true;
            default:
                return is_smooth_function(n.op);
        }
    }
    static std::uint64_t mixed(std::uint64_t hash, std::uint64_t with) {
        hash = hash * 0x9E3779B97F4A7C15ull + with;  // not the same the other way round
        hash = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93ull;
        return hash ^ (hash >> 32);
    }
    // Depth is bounded, as everywhere with expressions.
    const Described& described(Expr e) {
        Described& d = nodes_[e->id];
        if (d.hash != 0) return d;
        bool plain = is_plain(*e);
        std::uint64_t hash = mixed(mixed(std::uint64_t(e->op), e->index), e->order);
        if (e->is_number()) hash = mixed(hash, std::bit_cast<std::uint64_t>(e->number));
        for (Expr argument : e->args()) {
            const Described& of_argument = described(argument);
            plain = plain && of_argument.plain;
            hash = mixed(hash, of_argument.hash);
        }
        d.plain = plain;
        d.hash = std::max<std::uint64_t>(mixed(hash, e->argument_count), 1);
        return d;
    }
    std::uint64_t hash_of(const Equation& e) {
        return std::max<std::uint64_t>(mixed(described(e.left).hash, described(e.right).hash), 1);
    }

    const FlatModel* model_ = nullptr;
    bool directed_ = false;         // who gives inputs and outputs is checked by the equations as written
    std::vector<Described> nodes_;  // by age
    std::uint32_t expressions_ = 0, variables_ = 0;
    std::vector<IntegerMap<std::uint32_t>> met_;
};

void put(Identifier& a, Expr& x) {
    a.expression(x);
}
void put(Identifier& a, Span& x) {
    a.place(x);
}
void put(Identifier& a, Equation& x) {
    a.equation(x);
}
void put_values(Identifier& a, const Variable& v, Expr& binding, double& value, std::optional<Start>& start) {
    a.values(v, binding, value, start);
}

}  // namespace archiving

FlatIdentity identity_of(const FlatModel& model) {
    std::string text;
    archiving::Identifier a(text);
    // `put` reads and writes, so it takes a reference; here nothing is changed.
    a.model(const_cast<FlatModel&>(model));
    a.identity.frame = fingerprint(text);
    return std::move(a.identity);
}

}  // namespace cutset
