#include "picture/signals.h"

#include <algorithm>
#include <utility>

#include "picture/text_of.h"

namespace cutset::picture {

namespace {

using tree::Expression;
using tree::ExpressionKind;

void collect_signals(const Expression& e, const FindSignal& find, std::vector<LineEnd>& out, int depth = 0) {
    if (depth > 400) return;
    if (e.kind == ExpressionKind::Reference)
        if (auto end = find(e.reference)) {
            const bool known = std::any_of(out.begin(), out.end(), [&](const LineEnd& o) {
                return o.block == end->block && o.port == end->port && o.variable == end->variable;
            });
            if (!known) out.push_back(std::move(*end));
        }
    for (const Expression& a : e.arguments) collect_signals(a, find, out, depth + 1);
}

bool constant_value(const Expression& e) {
    if (e.kind == ExpressionKind::Number || e.kind == ExpressionKind::Truth) return true;
    const bool sign =
        e.kind == ExpressionKind::Negate || (e.kind == ExpressionKind::Sum && e.arguments.size() == 1);
    return sign && !e.arguments.empty() && constant_value(e.arguments[0]);
}

class SignalBuilder {
  public:
    SignalBuilder(std::string name, Span statement, const SignalScope& scope, Signals out)
        : name_(std::move(name)), statement_(statement), scope_(scope), out_(out) {}

    // Where the value of the expression comes from.
    LineEnd source(const Expression& e, int depth = 0) {
        if (e.kind == ExpressionKind::Reference)
            if (auto end = scope_.find(e.reference)) return *end;
        std::vector<LineEnd> inputs;
        collect_signals(e, scope_.find, inputs);
        if (inputs.empty()) return symbol(BlockKind::Generator, text_of(e), {}, e.where);
        if (scope_.symbols && depth < 100) {
            const std::vector<Expression>& a = e.arguments;
            if (e.kind == ExpressionKind::Negate && a.size() == 1)
                return of_operands(BlockKind::Negate, "-", e, depth);
            if (e.kind == ExpressionKind::Sum && e.text.size() == a.size()) {
                if (a.size() == 1)
                    return e.text == "-" ? of_operands(BlockKind::Negate, "-", e, depth)
                                         : source(a[0], depth + 1);
                return of_operands(BlockKind::Sum, e.text, e, depth);
            }
            if (e.kind == ExpressionKind::Product && e.text.find('/') == std::string::npos && a.size() > 1)
                return of_operands(BlockKind::Product, "", e, depth);
        }
        return symbol(BlockKind::Expression, text_of(e), inputs, e.where);
    }

    void lead(const LineEnd& from, const LineEnd& to, Span part) {
        Line line;
        line.kind = LineKind::Signal;
        line.from = from;
        line.to = to;
        line.statement = statement_;
        line.part = part;
        out_.lines.push_back(std::move(line));
    }

  private:
    // A reference to another system ends before its bracket.
    std::string text_of(const Expression& e) const {
        Span where = e.where;
        const std::string_view text = raw_text(scope_.sources, where);
        const auto open = std::count(text.begin(), text.end(), '[');
        const auto shut = std::count(text.begin(), text.end(), ']');
        const std::string& whole = scope_.sources.text(where.source);
        if (open == shut + 1 && where.end < whole.size() && whole[where.end] == ']') ++where.end;
        return written(scope_.sources, where);
    }

    LineEnd of_operands(BlockKind kind, std::string text, const Expression& e, int depth) {
        const std::uint32_t at = add(kind, std::move(text), e.where);
        for (std::size_t k = 0; k < e.arguments.size(); ++k) {
            const LineEnd from = source(e.arguments[k], depth + 1);
            lead(from, {at, std::to_string(k + 1), {}}, e.arguments[k].where);
        }
        return {at, "y", {}};
    }

    LineEnd symbol(BlockKind kind, std::string text, const std::vector<LineEnd>& inputs, Span where) {
        const std::uint32_t at = add(kind, std::move(text), where);
        for (std::size_t k = 0; k < inputs.size(); ++k)
            lead(inputs[k], {at, std::to_string(k + 1), {}}, where);
        return {at, "y", {}};
    }

    std::uint32_t add(BlockKind kind, std::string text, Span where) {
        Block b;
        b.kind = kind;
        b.name = name_ + "." + std::to_string(++count_);
        b.text = std::move(text);
        b.where = where;
        b.statement = statement_;
        out_.blocks.push_back(std::move(b));
        return static_cast<std::uint32_t>(out_.blocks.size() - 1);
    }

    std::string name_;
    Span statement_;
    const SignalScope& scope_;
    Signals out_;
    int count_ = 0;
};

}  // namespace

std::optional<LineEnd> signal_source(const Expression& value, const std::string& name, Span statement,
                                     const SignalScope& scope, Signals out) {
    if (!scope.symbols && constant_value(value)) return std::nullopt;
    return SignalBuilder(name, statement, scope, out).source(value);
}

bool add_signal(const Expression& value, const LineEnd& target, const std::string& name, Span statement,
                const SignalScope& scope, Signals out) {
    if (!scope.symbols && constant_value(value)) return false;
    SignalBuilder builder(name, statement, scope, out);
    const LineEnd from = builder.source(value);
    builder.lead(from, target, value.where);
    return true;
}

}  // namespace cutset::picture
