#include "operations/symbolic/symbolic_read.h"

#include <fmt/format.h>

#include <map>
#include <numbers>
#include <vector>

#include "expr/elementary_functions.h"
#include "operations/symbolic/symbolic_messages.h"

namespace cutset {

namespace {

using tree::ExpressionKind;

class Reader {
  public:
    Reader(Pool& pool, const std::function<std::optional<VariableIndex>(const std::string&, Span)>& variable,
           std::vector<Expr>& divisors, Diagnostics& diagnostics)
        : pool_(pool), variable_(variable), divisors_(divisors), diagnostics_(diagnostics) {}

    // The parser bounds the nesting.
    Expr read(const tree::Expression& e) {
        switch (e.kind) {
            case ExpressionKind::Number:
                return pool_.number(e.number);
            case ExpressionKind::Truth:
                return pool_.truth(e.number != 0);
            case ExpressionKind::Reference: {
                const std::string name = path(e.reference);
                if (name == "time") return pool_.time();
                const auto v = variable_(name, e.where);
                return v ? pool_.variable(*v) : nullptr;
            }
            case ExpressionKind::Derivative: {
                const Expr x = e.arguments.empty() ? nullptr : read(e.arguments[0]);
                if (!x) return nullptr;
                if (x->op != Op::Variable) return refuse("a derivative of an expression", e.where);
                return pool_.variable(x->variable(), x->order + static_cast<std::uint32_t>(e.number));
            }
            case ExpressionKind::Call:
                return call(e);
            case ExpressionKind::Sum:
            case ExpressionKind::Product:
            case ExpressionKind::Power:
            case ExpressionKind::Negate:
            case ExpressionKind::Relation:
            case ExpressionKind::And:
            case ExpressionKind::Or:
            case ExpressionKind::Not:
            case ExpressionKind::If:
                break;
            default:
                return refuse("this", e.where);
        }
        std::vector<Expr> a;
        for (const tree::Expression& argument : e.arguments) {
            a.push_back(read(argument));
            if (!a.back()) return nullptr;
        }
        switch (e.kind) {
            case ExpressionKind::Sum:
                for (std::size_t i = 0; i < a.size(); ++i)
                    if (e.text[i] == '-') a[i] = pool_.negate(a[i]);
                return pool_.add(a);
            case ExpressionKind::Product:
                for (std::size_t i = 0; i < a.size(); ++i)
                    if (e.text[i] == '/') {
                        divisors_.push_back(a[i]);
                        a[i] = pool_.power(a[i], pool_.number(-1));
                    }
                return pool_.multiply(a);
            case ExpressionKind::Power:
                if (a[1]->is_number() && a[1]->number < 0) divisors_.push_back(a[0]);
                return pool_.power(a[0], a[1]);
            case ExpressionKind::Negate:
                return pool_.negate(a[0]);
            case ExpressionKind::Relation:
                if (e.text == "<") return pool_.less(a[0], a[1]);
                if (e.text == ">") return pool_.less(a[1], a[0]);
                if (e.text == "<=") return pool_.less_equal(a[0], a[1]);
                if (e.text == ">=") return pool_.less_equal(a[1], a[0]);
                if (e.text == "=") return pool_.equal(a[0], a[1]);
                return pool_.not_equal(a[0], a[1]);
            case ExpressionKind::And:
                return pool_.all_of(a);
            case ExpressionKind::Or:
                return pool_.any_of(a);
            case ExpressionKind::Not:
                return pool_.negation(a[0]);
            default:
                return pool_.choose(a);
        }
    }

  private:
    Expr refuse(const std::string& what, Span where) {
        diagnostics_.report(symbolic_messages::not_supported(what, where));
        return nullptr;
    }

    static std::string path(const tree::Reference& r) {
        std::string name;
        for (const tree::ReferencePart& part : r.parts) {
            if (!name.empty()) name += '.';
            name += part.name;
            for (std::size_t i = 0; i < part.indices.size(); ++i)
                name += fmt::format("{}{}{}", i ? "," : "[", number_text(part.indices[i].number),
                                    i + 1 == part.indices.size() ? "]" : "");
        }
        return name;
    }

    Expr call(const tree::Expression& e) {
        const ElementaryFunction* f = find_elementary_function(e.text);
        if (!f && e.text != "noevent") return refuse("the function " + e.text, e.where);
        if (!(f ? f->takes(e.arguments.size()) : e.arguments.size() == 1))
            return refuse(fmt::format("{} with {} arguments", e.text, e.arguments.size()), e.where);
        std::vector<Expr> a;
        for (const tree::Expression& argument : e.arguments) {
            a.push_back(read(argument));
            if (!a.back()) return nullptr;
        }
        return pool_.call(f ? f->op : Op::NoEvent, a);
    }

    Pool& pool_;
    const std::function<std::optional<VariableIndex>(const std::string&, Span)>& variable_;
    std::vector<Expr>& divisors_;
    Diagnostics& diagnostics_;
};

}  // namespace

Expr read_symbolic(
    Pool& pool, const tree::Expression& e,
    const std::function<std::optional<VariableIndex>(const std::string& name, Span where)>& variable,
    std::vector<Expr>& divisors, Diagnostics& diagnostics) {
    return Reader(pool, variable, divisors, diagnostics).read(e);
}

}  // namespace cutset
