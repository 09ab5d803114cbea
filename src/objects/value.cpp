#include "objects/value.h"

#include <algorithm>
#include <optional>

#include "base/diagnostic.h"

namespace cutset::objects {

std::size_t count(const Dimensions& dimensions) {
    std::size_t n = 1;
    for (std::uint32_t d : dimensions) n *= d;
    return n;
}

std::string type_text(const Type& type) {
    switch (type.basic) {
        case Basic::Real:
            return "Real";
        case Basic::Integer:
            return "Integer";
        case Basic::Boolean:
            return "Boolean";
        case Basic::String:
            return "String";
        case Basic::Enumeration:
            return type.enumeration ? type.enumeration->name : "enumeration";
        case Basic::Record:
        case Basic::Object:
            return type.record ? type.record->name : "record";
        case Basic::Function:
            return "function";
        case Basic::Clock:
            return "Clock";
    }
    return "";
}

const Member* Callable::find(const std::string& member) const {
    const auto found =
        std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.name == member; });
    return found == members.end() ? nullptr : &*found;
}

std::size_t Callable::position(const std::string& member) const {
    const Member* found = find(member);
    CUTSET_ASSERT(found);
    return static_cast<std::size_t>(found - members.data());
}

namespace {

// The first slot when the elements are consecutive slots of a function's frame, or conditions on them.
std::optional<std::uint32_t> first_slot(const std::vector<Scalar>& elements) {
    std::optional<std::uint32_t> first;
    for (std::size_t k = 0; k < elements.size(); ++k) {
        const Expr* e = std::get_if<Expr>(&elements[k]);
        if (!e) return std::nullopt;
        Expr leaf = *e;
        if (leaf->op == Op::Less && leaf->arg(0)->is_number(0.5)) leaf = leaf->arg(1);
        if (leaf->op != Op::Local) return std::nullopt;
        if (k == 0) first = leaf->index;
        if (leaf->index != *first + k) return std::nullopt;
    }
    return first;
}

// One of the scalars: the one at `position` (from 1), which varies.
Scalar chosen(Pool& pool, const Type& type, const std::vector<Scalar>& from, Expr position);

Value chosen(Pool& pool, const std::vector<const Value*>& from, Expr position) {
    Value result = *from[0];
    for (std::size_t k = 0; k < result.size(); ++k) {
        std::vector<Scalar> one;
        for (const Value* v : from) one.push_back(v->elements[k]);
        result.elements[k] = chosen(pool, result.type, one, position);
    }
    return result;
}

Scalar chosen(Pool& pool, const Type& type, const std::vector<Scalar>& from, Expr position) {
    if (type.basic == Basic::Record) {
        auto made = std::make_shared<Record>();
        const auto& first = *std::get<std::shared_ptr<const Record>>(from[0]);
        for (std::size_t f = 0; f < first.fields.size(); ++f) {
            std::vector<const Value*> fields;
            for (const Scalar& s : from)
                fields.push_back(&std::get<std::shared_ptr<const Record>>(s)->fields[f]);
            made->fields.push_back(chosen(pool, fields, position));
        }
        return std::shared_ptr<const Record>(std::move(made));
    }
    if (!std::holds_alternative<Expr>(from[0])) return from[0];
    if (const auto slot = first_slot(from)) {
        const Expr element = pool.element(*slot, static_cast<std::uint32_t>(from.size()), position);
        return type.basic == Basic::Boolean ? pool.less(pool.number(0.5), element) : element;
    }
    std::vector<Expr> parts;
    for (std::size_t k = 0; k + 1 < from.size(); ++k) {
        parts.push_back(pool.equal(position, pool.number(static_cast<double>(k + 1))));
        parts.push_back(std::get<Expr>(from[k]));
    }
    parts.push_back(std::get<Expr>(from.back()));
    return parts.size() == 1 ? parts[0] : pool.choose(parts);
}

}  // namespace

Value select(Pool& pool, const Value& array, const std::vector<IndexChoice>& indices) {
    CUTSET_ASSERT(indices.size() <= array.dimensions.size());
    if (indices.empty()) return array;
    // Slices of a row of slots at a varying position: one element after the other.
    const auto varies = [](const IndexChoice& i) { return i.varying != nullptr; };
    if (std::any_of(indices.begin(), indices.end(), varies) && first_slot(array.elements)) {
        std::vector<IndexChoice> single = indices;
        for (std::size_t k = single.size(); k < array.dimensions.size(); ++k) {
            single.push_back({{}, nullptr, true});
            for (std::uint32_t i = 1; i <= array.dimensions[k]; ++i) single.back().positions.push_back(i);
        }
        const auto kept =
            std::find_if(single.begin(), single.end(), [](const IndexChoice& i) { return i.keeps; });
        if (kept != single.end()) {
            const std::vector<std::uint32_t> positions = kept->positions;
            std::vector<Value> parts;
            for (std::uint32_t p : positions) {
                *kept = {{p}, nullptr, false};
                parts.push_back(select(pool, array, single));
            }
            if (!parts.empty()) return stack(array.type, {static_cast<std::uint32_t>(parts.size())}, parts);
        }
    }
    // The first index chooses among the blocks of what the other dimensions hold.
    const std::uint32_t n = array.dimensions[0];
    const Dimensions rest(array.dimensions.begin() + 1, array.dimensions.end());
    const std::size_t block = count(rest);
    const std::vector<IndexChoice> others(indices.begin() + 1, indices.end());
    const auto part = [&](std::size_t k) {
        const auto begin = array.elements.begin() + static_cast<std::ptrdiff_t>(k * block);
        return Value(array.type, rest, {begin, begin + static_cast<std::ptrdiff_t>(block)});
    };
    const IndexChoice& first = indices[0];
    if (first.varying) {
        // All indices that vary together are one position in a row of slots.
        const bool all_vary = rest.size() == others.size() &&
                              std::all_of(others.begin(), others.end(),
                                          [](const IndexChoice& i) { return i.varying || !i.keeps; });
        if (const auto slot = all_vary ? first_slot(array.elements) : std::nullopt) {
            Expr position = first.varying;
            std::vector<Expr> outside;
            const auto guard = [&](Expr i, std::uint32_t most) {
                outside.push_back(pool.less(i, pool.number(1)));
                outside.push_back(pool.less(pool.number(most), i));
            };
            if (!rest.empty()) guard(position, n);
            for (std::size_t k = 0; k < others.size(); ++k) {
                const Expr i = others[k].varying ? others[k].varying : pool.number(others[k].positions[0]);
                if (others[k].varying) guard(i, rest[k]);
                position =
                    pool.add(pool.multiply(pool.subtract(position, pool.number(1)), pool.number(rest[k])), i);
            }
            // Outside a dimension though inside the row: position 0, which is always refused.
            if (!outside.empty()) position = pool.choose(pool.any_of(outside), pool.number(0), position);
            const Expr e = pool.element(*slot, static_cast<std::uint32_t>(array.size()), position);
            return Value(array.type, array.type.basic == Basic::Boolean ? pool.less(pool.number(0.5), e) : e);
        }
        std::vector<Value> parts;
        for (std::uint32_t k = 0; k < n; ++k) parts.push_back(select(pool, part(k), others));
        std::vector<const Value*> from;
        for (const Value& v : parts) from.push_back(&v);
        return chosen(pool, from, first.varying);
    }
    std::vector<Value> parts;
    for (std::uint32_t p : first.positions) {
        CUTSET_ASSERT(p >= 1 && p <= n);
        parts.push_back(select(pool, part(p - 1), others));
    }
    if (!first.keeps) return std::move(parts[0]);
    Dimensions inner;
    if (parts.empty()) {
        for (std::size_t k = 0; k < rest.size(); ++k)
            if (k >= others.size())
                inner.push_back(rest[k]);
            else if (others[k].keeps)
                inner.push_back(static_cast<std::uint32_t>(others[k].positions.size()));
    }
    return stack(array.type, {static_cast<std::uint32_t>(first.positions.size())}, parts, inner);
}

Value stack(const Type& type, const Dimensions& outer, const std::vector<Value>& parts,
            const Dimensions& inner) {
    Value result;
    result.type = parts.empty() ? type : parts[0].type;
    result.dimensions = outer;
    const Dimensions& of_one = parts.empty() ? inner : parts[0].dimensions;
    result.dimensions.insert(result.dimensions.end(), of_one.begin(), of_one.end());
    for (const Value& p : parts)
        result.elements.insert(result.elements.end(), p.elements.begin(), p.elements.end());
    return result;
}

Value field(const Value& records, const std::string& name) {
    CUTSET_ASSERT(records.type.basic == Basic::Record && records.type.record);
    const std::size_t k = records.type.record->position(name);
    std::vector<Value> parts;
    for (std::size_t i = 0; i < records.size(); ++i) parts.push_back(records.record(i).fields[k]);
    return stack(records.type.record->members[k].type, records.dimensions, parts);
}

}  // namespace cutset::objects
