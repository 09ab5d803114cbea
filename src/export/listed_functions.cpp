#include "export/listed_functions.h"

#include <set>

namespace cutset {

FunctionKey function_key(Expr apply) {
    FunctionKey key{apply->index, apply->order, apply->derivatives, 0, 0};
    if (apply->derivatives > 0) key.by0 = apply->by[0];
    if (apply->derivatives > 1) key.by1 = apply->by[1];
    return key;
}

void for_each_in_body(const std::vector<FunctionStatement>& body, const std::function<void(Expr)>& look) {
    for (const FunctionStatement& s : body) {
        if (const auto* assign = std::get_if<FunctionAssign>(&s.what)) {
            look(assign->target);
            look(assign->value);
        } else if (const auto* branch = std::get_if<FunctionIf>(&s.what)) {
            for (const auto& [condition, statements] : branch->branches) {
                if (condition) look(condition);
                for_each_in_body(statements, look);
            }
        } else if (const auto* loop = std::get_if<FunctionFor>(&s.what)) {
            for (Expr e : {loop->from, loop->to, loop->step})
                if (e) look(e);
            for_each_in_body(loop->body, look);
        } else if (const auto* loop = std::get_if<FunctionWhile>(&s.what)) {
            look(loop->condition);
            for_each_in_body(loop->body, look);
        } else if (const auto* assertion = std::get_if<FunctionAssert>(&s.what)) {
            look(assertion->condition);
        }
    }
}

void for_each_listed(const Listing& l, const std::function<void(Expr)>& look) {
    const auto procedure = [&](const Procedure& p) {
        for (const CodeLine& line : p.lines)
            if (line.value) look(line.value);
    };
    for (const Procedure* p :
         {&l.compute_parameters, &l.compute_clocks, &l.guesses, &l.initial, &l.homotopy, &l.jump,
          &l.derivatives, &l.auxiliaries, &l.eliminated, &l.crossings, &l.conditions, &l.selections})
        procedure(*p);
    for (const Procedure& p : l.when_values) procedure(p);
    for (const ListedLoop& loop : l.loops) {
        procedure(loop.residual);
        procedure(loop.jacobian);
    }
    if (l.jacobian) procedure(l.jacobian->elements);
}

std::map<std::uint32_t, std::uint32_t> indexed_arrays(const FunctionData& function) {
    std::map<std::uint32_t, std::uint32_t> arrays;
    for_each_in_body(function.body, [&](Expr e) {
        for_each_node(e, [&](Expr n) {
            if (n->op == Op::Element) arrays[n->index] = n->order;
        });
    });
    return arrays;
}

namespace {

// The function with tangents for its input k.
class Tangents {
  public:
    Tangents(Pool& pool, const FunctionData& function) : pool_(pool), function_(function) {}

    FunctionData make(std::uint32_t k) {
        FunctionData d = function_;
        d.slots = 2 * function_.slots;
        for (std::uint32_t i = 0; i < function_.slots; ++i) {
            const std::string name = i < d.slot_names.size() ? d.slot_names[i] : "s" + std::to_string(i);
            d.slot_names.push_back("d_" + name);
        }
        d.constants.emplace_back(function_.slots + k, 1.0);
        d.body = statements(function_.body);
        return d;
    }

  private:
    Expr tangent(Expr leaf) {
        if (leaf->op == Op::Local) return pool_.local(leaf->index + function_.slots);
        return pool_.element(leaf->index + function_.slots, leaf->order, leaf->arg(0));
    }

    Expr derivative(Expr e) {
        // Elements stand for themselves: their positions are whole numbers.
        std::vector<Expr> leaves;
        std::set<Expr> met;
        Substitution named(pool_);
        Substitution back(pool_);
        std::uint32_t next = 1u << 20;
        for_each_node(e, [&](Expr n) {
            if ((n->op != Op::Local && n->op != Op::Element) || !met.insert(n).second) return;
            if (n->op == Op::Element) {
                const Expr name = pool_.local(next++);
                named.replace(n, name);
                back.replace(name, n);
                leaves.push_back(name);
            } else {
                leaves.push_back(n);
            }
        });
        const Expr plain = named.empty() ? e : named(e);
        std::vector<Expr> terms;
        for (Expr leaf : leaves) {
            const Expr d = differentiate(pool_, plain, leaf);
            if (d->is_number(0)) continue;
            const Expr original = leaf->index >= 1u << 20 ? back(leaf) : leaf;
            terms.push_back(pool_.multiply(back.empty() ? d : back(d), tangent(original)));
        }
        return pool_.add(terms);
    }

    std::vector<FunctionStatement> statements(const std::vector<FunctionStatement>& body) {
        std::vector<FunctionStatement> result;
        for (const FunctionStatement& s : body) {
            FunctionStatement copy{s.what, s.where};
            if (const auto* assign = std::get_if<FunctionAssign>(&s.what)) {
                if (!assign->value->boolean)
                    result.push_back(
                        {FunctionAssign{tangent(assign->target), derivative(assign->value)}, s.where});
            } else if (auto* branch = std::get_if<FunctionIf>(&copy.what)) {
                for (auto& [condition, list] : branch->branches) list = statements(list);
            } else if (auto* loop = std::get_if<FunctionFor>(&copy.what)) {
                loop->body = statements(loop->body);
            } else if (auto* loop = std::get_if<FunctionWhile>(&copy.what)) {
                loop->body = statements(loop->body);
            }
            result.push_back(std::move(copy));
        }
        return result;
    }

    Pool& pool_;
    const FunctionData& function_;
};

}  // namespace

std::vector<ListedFunction> listed_functions(const Listing& listing) {
    const FlatModel& model = listing.partition->model;
    std::vector<ListedFunction> functions;
    std::set<FunctionKey> met;
    std::vector<FunctionKey> open;
    const auto look = [&](Expr e) {
        for_each_node(e, [&](Expr n) {
            if (n->op != Op::Apply || !std::holds_alternative<FunctionData>(model.callees[n->callee()]))
                return;
            if (met.insert(function_key(n)).second) open.push_back(function_key(n));
        });
    };
    for_each_listed(listing, look);
    for (std::size_t i = 0; i < open.size(); ++i) {
        const FunctionKey key = open[i];
        ListedFunction f;
        f.key = key;
        f.data = std::get<FunctionData>(model.callees[CalleeIndex(key.callee)]);
        f.result = f.data.inputs + key.output;
        if (!f.data.external)
            for (std::uint32_t d = 0; d < key.derivatives; ++d) {
                const std::uint32_t slots = f.data.slots;
                f.data = Tangents(*model.pool, f.data).make(d == 0 ? key.by0 : key.by1);
                f.result += slots;
            }
        for_each_in_body(f.data.body, look);
        functions.push_back(std::move(f));
    }
    return functions;
}

}  // namespace cutset
