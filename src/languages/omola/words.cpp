#include "languages/omola/words.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "base/disjoint_sets.h"
#include "languages/omola/messages.h"

namespace cutset::omola {

using object::ExpressionKind;

namespace {

// Models inside models.
constexpr int deepest = 100;

bool is_word(const Attribute& a) {
    return !a.object && !is_system_attribute(a.name) &&
           (a.type == "string" || a.type == "quantity" || a.type == "enumeration");
}

// The attribute of the model, or of its realization.
const Attribute* find(const Object& o, const std::string& name) {
    if (const Attribute* a = o.find(name)) return a;
    const Object* r = o.kind == Kind::Model ? chosen_realization(o) : nullptr;
    return r ? r->find(name) : nullptr;
}

std::string path_of(const object::Name& n, std::size_t parts) {
    std::string out;
    for (std::size_t i = 0; i < parts; ++i) out += (i ? "." : "") + n.parts[i].name;
    return out;
}

const Object* object_at(const Object& model, const object::Name& n, std::size_t parts) {
    const Object* inside = &model;
    for (std::size_t i = 0; i < parts && inside; ++i) {
        const Attribute* a = find(*inside, n.parts[i].name);
        inside = a ? a->object.get() : nullptr;
    }
    return inside;
}

// The word that a name means; null where it means none.
const Attribute* word_at(const Object& model, const Expression& e) {
    if (e.kind != ExpressionKind::Name) return nullptr;
    const std::size_t last = e.name.parts.size() - 1;
    const Object* o = object_at(model, e.name, last);
    if (!o || (last > 0 && !is_terminal(o->kind))) return nullptr;
    const Attribute* a = find(*o, e.name.parts[last].name);
    return a && is_word(*a) ? a : nullptr;
}

class Words {
  public:
    Words(const Object& model, Diagnostics& diagnostics, int depth)
        : model_(model), diagnostics_(diagnostics), depth_(depth) {}

    std::vector<WordGroup> run() {
        each_attribute([&](const Attribute& a) { attribute(a); });
        each_rule([&](const Rule& r) { rule(*r.definition); });
        std::map<std::size_t, WordGroup> groups;
        for (const auto& [place, number] : numbers_) {
            if (!own_[number]) continue;
            WordGroup& g = groups[same_.root(number)];
            g = with_value(std::move(g), values_[same_.root(number)]);
            g.places.push_back({place.first, place.second});
        }
        std::vector<WordGroup> out;
        for (auto& [number, g] : groups) out.push_back(std::move(g));
        return out;
    }

  private:
    struct Value {
        std::string text, owner;
        Span where;
    };

    static WordGroup with_value(WordGroup g, const Value& v) {
        g.value = v.text;
        g.owner = v.owner;
        g.where = v.where;
        return g;
    }

    void each_attribute(const std::function<void(const Attribute&)>& f) const {
        for (const Attribute& a : model_.attributes) f(a);
        if (const Object* r = chosen_realization(model_))
            for (const Attribute& a : r->attributes) f(a);
    }
    void each_rule(const std::function<void(const Rule&)>& f) const {
        for (const Rule& r : model_.rules) f(r);
        if (const Object* realization = chosen_realization(model_))
            for (const Rule& r : realization->rules) f(r);
    }

    std::size_t number_of(const std::string& terminal, const std::string& word, bool own) {
        const auto [at, is_new] = numbers_.emplace(std::pair{terminal, word}, same_.size());
        if (is_new) {
            same_.add();
            values_.emplace_back();
            own_.push_back(own);
        }
        return at->second;
    }

    void word(const std::string& terminal, const Attribute& a, bool own) {
        const std::size_t n = number_of(terminal, a.name, own);
        const std::string text = a.value && !a.unknown ? unit_text(*a.value) : std::string();
        if (!text.empty()) values_[same_.root(n)] = {text, terminal, a.value_where};
    }

    void words_in(const std::string& path, const Object& terminal) {
        for (const Attribute& a : terminal.attributes) {
            if (is_word(a)) word(path, a, true);
            if (a.object && is_terminal(a.object->kind)) words_in(path + "." + a.name, *a.object);
        }
    }

    void attribute(const Attribute& a) {
        if (is_word(a)) return word("", a, true);
        if (!a.object) return;
        if (is_terminal(a.object->kind)) return words_in(a.name, *a.object);
        if (a.object->kind != Kind::Model || depth_ > deepest) return;
        for (WordGroup& g : Words(*a.object, diagnostics_, depth_ + 1).run()) {
            std::optional<std::size_t> first;
            for (const WordGroup::Place& p : g.places) {
                const std::string terminal = p.terminal.empty() ? a.name : a.name + "." + p.terminal;
                const std::size_t n = number_of(terminal, p.word, false);
                if (first) same_.join(*first, n);
                if (!first) first = n;
            }
            const std::string owner = g.owner.empty() ? a.name : a.name + "." + g.owner;
            if (first && !g.value.empty()) values_[same_.root(*first)] = {g.value, owner, g.where};
        }
    }

    void join(std::size_t a, std::size_t b, const std::string& word, Span where) {
        const std::size_t p = same_.root(a), q = same_.root(b);
        if (p == q) return;
        const Value &x = values_[p], &y = values_[q];
        if (!x.text.empty() && !y.text.empty() && lower_case(x.text) != lower_case(y.text))
            diagnostics_.report(
                words_differ(where, word, x.owner, x.text, y.owner, y.text, x.where, y.where));
        if (x.text.empty()) values_[p] = y;
        same_.join(p, q);
    }

    // First with first, second with second …, as their values are.
    void join_terminals(const std::string& a, const Object& at_a, const std::string& b, const Object& at_b,
                        Span where) {
        for (const Attribute& x : at_a.attributes) {
            const Attribute* y = is_word(x) ? at_b.find(x.name) : nullptr;
            if (y && is_word(*y))
                join(number_of(a, x.name, false), number_of(b, x.name, false), x.name, where);
        }
        const auto inner = [](const Object& o) {
            std::vector<const Attribute*> out;
            for (const Attribute& k : o.attributes)
                if (k.object && is_terminal(k.object->kind)) out.push_back(&k);
            return out;
        };
        const auto p = inner(at_a), q = inner(at_b);
        for (std::size_t i = 0; i < std::min(p.size(), q.size()); ++i)
            join_terminals(a + "." + p[i]->name, *p[i]->object, b + "." + q[i]->name, *q[i]->object, where);
    }

    void rule(const Definition& d) {
        if (d.kind == DefinitionKind::For)
            for (const Definition& inner : d.body) rule(inner);
        if (d.kind == DefinitionKind::Connect && d.left->kind == ExpressionKind::Name &&
            d.right->kind == ExpressionKind::Name) {
            const object::Name &p = d.left->name, &q = d.right->name;
            const Object *a = object_at(model_, p, p.parts.size()), *b = object_at(model_, q, q.parts.size());
            if (a && b && is_terminal(a->kind) && is_terminal(b->kind))
                join_terminals(path_of(p, p.parts.size()), *a, path_of(q, q.parts.size()), *b, d.where);
        }
        if (d.kind != DefinitionKind::Equation || !is_word_relation(model_, d)) return;
        const auto place = [&](const Expression& e) {
            const std::size_t last = e.name.parts.size() - 1;
            return number_of(path_of(e.name, last), e.name.parts[last].name, last == 0);
        };
        join(place(*d.left), place(*d.right), d.left->name.parts.back().name, d.where);
    }

    const Object& model_;
    Diagnostics& diagnostics_;
    int depth_;
    std::map<std::pair<std::string, std::string>, std::size_t> numbers_;  // of terminal and word
    DisjointSets same_;                                                   // words that are one quantity
    std::vector<Value> values_;                                           // by root
    std::vector<bool> own_;
};

}  // namespace

std::vector<WordGroup> word_groups(const Object& model, Diagnostics& diagnostics) {
    return Words(model, diagnostics, 0).run();
}

bool is_word_relation(const Object& model, const Definition& d) {
    return d.left && d.right && word_at(model, *d.left) && word_at(model, *d.right);
}

}  // namespace cutset::omola
