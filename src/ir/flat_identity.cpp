#include "ir/flat_identity.h"

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
void put_values(Identifier& a, const Variable& v, Expr& binding, double& value, std::optional<Start>& start);

// Numbers in expressions stand for themselves: their age plays no part in the order of terms. Of all other
// nodes the age counts, also of those that no equation has, because sorting may build them again.
class Identifier : public PackedBytes {
  public:
    static constexpr bool reading = false;
    explicit Identifier(std::string& out) : PackedBytes(out, std::string::npos) {}

    void model(FlatModel& m) {
        const std::vector<Expr> nodes = m.pool->nodes();
        ranks_.resize(nodes.size());
        std::uint64_t rank = 0;
        for (Expr e : nodes)
            if (!e->is_number()) ranks_[e->id] = rank++;
        put(*this, m);
        for (Expr e : nodes) {
            if (e->is_number()) continue;
            Node n = *e;
            put_node(*this, n);
            for (Expr argument : e->args()) expression(argument);
        }
        flush();
    }
    void expression(Expr e) {
        enum : std::uint64_t { Nothing, Number, First };
        if (!e) return number(Nothing);
        if (!e->is_number()) return number(First + ranks_[e->id]);
        number(Number);
        bytes(&e->number, sizeof e->number);
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
            auto& [first, origin, from_user, by_default] = *start;
            expression_or_number(v.variability == Variability::Continuous && !v.internal, first,
                                 identity.starts);
            all(*this, origin, from_user, by_default);
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

    std::vector<std::uint64_t> ranks_;  // by age: among those that are no numbers
    std::vector<IntegerMap<std::uint32_t>> met_;
    std::uint32_t variables_ = 0;
};

void put(Identifier& a, Expr& x) {
    a.expression(x);
}
void put(Identifier& a, Span& x) {
    a.place(x);
}
void put_values(Identifier& a, const Variable& v, Expr& binding, double& value, std::optional<Start>& start) {
    a.values(v, binding, value, start);
}

}  // namespace archiving

FlatIdentity identity_of(const FlatModel& model) {
    std::string text;
    archiving::Identifier a(text);
    // `put` serves those who read, too; here nothing is changed.
    a.model(const_cast<FlatModel&>(model));
    a.identity.structure = fingerprint(text);
    return std::move(a.identity);
}

}  // namespace cutset
