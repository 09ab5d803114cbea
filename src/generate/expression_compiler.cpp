#include "generate/expression_compiler.h"

#include <cmath>

#include "base/diagnostic.h"

namespace cutset {

namespace {

constexpr double largest_whole_power = 64;  // computed by multiplications; beyond, pow is more exact

double coefficient_of(Expr e) {
    if (e->is_number()) return e->number;
    return e->op == Op::Multiply && e->arg(0)->is_number() ? e->arg(0)->number : 1;
}

bool is_relation(Op op) {
    return op == Op::Less || op == Op::LessEqual || op == Op::Equal || op == Op::NotEqual;
}

}  // namespace

void ExpressionCompiler::remember(Expr e, bool without_events, Slot slot) {
    if (known_[without_events].insert(e, slot)) log_.push_back({e, without_events});
}

void ExpressionCompiler::leave_scope(std::size_t mark) {
    powers_.clear();
    while (log_.size() > mark) {
        known_[log_.back().without_events].erase(log_.back().node);
        log_.pop_back();
    }
}

Slot ExpressionCompiler::binary(Code code, Slot a, Slot b, std::optional<Slot> into) {
    const Slot to = into ? *into : sink_.temporary();
    sink_.emit({code, Op::Number, to, a, b});
    return to;
}

Slot ExpressionCompiler::compile(Expr e, std::optional<Slot> into) {
    std::optional<Slot> found;
    switch (e->op) {
        case Op::Number:
            found = sink_.constant(e->number);
            break;
        case Op::Truth:
            found = sink_.constant(e->index);
            break;
        default:
            if (const Slot* const known = known_[e->argument_count && without_events_].find(e))
                found = *known;
            else if (e->argument_count == 0 || e->op == Op::Sample)
                found = sink_.leaf(e);
            break;
    }
    if (!found) return compute(e, into);
    if (!into || *into == *found) return *found;
    sink_.emit({Code::Copy, Op::Number, *into, *found, 0});
    return *into;
}

Slot ExpressionCompiler::compute(Expr e, std::optional<Slot> into) {
    if (e->op == Op::NoEvent) {
        const bool before = without_events_;
        without_events_ = true;
        const Slot slot = compile(e->arg(0), into);
        without_events_ = before;
        return slot;
    }
    if (e->op == Op::Edge || e->op == Op::Change) return compile(sink_.lower(e), into);
    const Slot to = into ? *into : sink_.temporary();
    compute_into(e, to);
    remember(e, without_events_, to);
    return to;
}

void ExpressionCompiler::compute_into(Expr e, Slot to) {
    switch (e->op) {
        case Op::Add:
            return sum(e, to);
        case Op::Multiply:
            return product(e, to);
        case Op::Power:
            if (e->arg(1)->is_number() && e->arg(1)->number < 0) return product(e, to);
            if (e->arg(1)->is_number()) return raised(e->arg(0), e->arg(1)->number, to);
            break;
        case Op::And:
        case Op::Or:
            return junction(e, to);
        case Op::If:
            return choice(e, to);
        case Op::Apply:
            return apply(e, to);
        case Op::Delay: {
            const Slot duration = compile(e->arg(1));
            return sink_.emit({Code::Delay, Op::Number, to, sink_.delay_number(e), duration});
        }
        case Op::Element: {
            const Slot index = compile(e->arg(0));
            return sink_.load_element(to, index, e);
        }
        default:
            break;
    }
    if (is_relation(e->op) || e->op == Op::Truncate || e->op == Op::Floor || e->op == Op::Sign)
        return relation(e, to);
    const Slot a = compile(e->arg(0));
    if (e->argument_count == 1) return sink_.emit({Code::Unary, e->op, to, a, 0});
    CUTSET_ASSERT(e->argument_count == 2);
    const Slot b = compile(e->arg(1));
    sink_.emit({Code::Binary, e->op, to, a, b});
}

// a - b + 2*c - …: starts with a term that is not negative, if there is one.
void ExpressionCompiler::sum(Expr e, Slot to) {
    const auto args = e->args();
    std::size_t first = 0;
    while (first < args.size() && coefficient_of(args[first]) < 0) ++first;
    if (first == args.size()) first = 0;
    Slot so_far = compile(args[first]);
    std::size_t left = args.size() - 1;
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (i == first) continue;
        const double c = coefficient_of(args[i]);
        Code code = Code::Add;
        Slot term;
        if (c == -1 && !args[i]->is_number() && args[i]->argument_count == 2) {
            code = Code::Subtract;
            term = compile(args[i]->arg(1));
        } else if (c < 0 && args[i]->is_number()) {
            code = Code::Subtract;
            term = sink_.constant(-c);
        } else {
            term = compile(args[i]);
        }
        so_far = binary(code, so_far, term, --left == 0 ? std::optional(to) : std::nullopt);
    }
}

// By multiplications: x⁹ = x⁸·x, x⁸ = (x⁴)². Powers on the way are kept for others of the same base.
Slot ExpressionCompiler::whole_power(Expr base, std::uint32_t exponent, std::optional<Slot> into) {
    if (exponent == 1) return compile(base, into);
    const PowerKey power{{base, without_events_}, exponent};
    if (const auto found = powers_.find(power); found != powers_.end()) {
        if (into) sink_.emit({Code::Copy, Op::Number, *into, found->second, 0});
        return into ? *into : found->second;
    }
    const std::uint32_t half = exponent / 2;
    const Slot a = exponent % 2 == 0 ? whole_power(base, half) : whole_power(base, exponent - 1);
    const Slot b = exponent % 2 == 0 ? a : compile(base);
    const Slot to = binary(Code::Multiply, a, b, into);
    powers_.emplace(power, to);
    return to;
}

void ExpressionCompiler::raised(Expr base, double exponent, Slot to) {
    if (exponent >= 1 && exponent <= largest_whole_power && exponent == std::floor(exponent)) {
        whole_power(base, static_cast<std::uint32_t>(exponent), to);
        return;
    }
    const Slot a = compile(base);
    sink_.emit({Code::Binary, Op::Power, to, a, sink_.constant(exponent)});
}

Slot ExpressionCompiler::factor(Expr base, double exponent) {
    if (exponent == 1) return compile(base);
    const Slot to = sink_.temporary();
    raised(base, exponent, to);
    return to;
}

// c*a*b/(d*e): what stands below the line is multiplied first, then divided by once.
void ExpressionCompiler::product(Expr e, Slot to) {
    const std::size_t first_above = above_.size(), first_below = below_.size();
    bool negative = false;
    const auto one_factor = [&](Expr a) {
        const bool divides = a->op == Op::Power && a->arg(1)->is_number() && a->arg(1)->number < 0;
        const Slot slot = divides ? factor(a->arg(0), -a->arg(1)->number) : compile(a);
        (divides ? below_ : above_).push_back(slot);
    };
    if (e->op == Op::Multiply) {
        for (std::size_t i = 0; i < e->argument_count; ++i) {
            if (i == 0 && e->arg(0)->is_number(-1))
                negative = true;
            else
                one_factor(e->arg(i));
        }
    } else {
        one_factor(e);
    }
    if (above_.size() == first_above) {
        above_.push_back(sink_.constant(negative ? -1 : 1));
        negative = false;
    }
    const auto chain = [&](std::vector<Slot>& factors, std::size_t first, std::optional<Slot> into) {
        Slot so_far = factors[first];
        for (std::size_t i = first + 1; i < factors.size(); ++i)
            so_far =
                binary(Code::Multiply, so_far, factors[i], i + 1 == factors.size() ? into : std::nullopt);
        factors.resize(first);
        return so_far;
    };
    const std::optional<Slot> direct = negative ? std::nullopt : std::optional(to);
    Slot result;
    if (below_.size() == first_below) {
        result = chain(above_, first_above, direct);
    } else {
        const Slot denominator = chain(below_, first_below, std::nullopt);
        result = binary(Code::Divide, chain(above_, first_above, std::nullopt), denominator, direct);
    }
    if (result != to) sink_.emit({negative ? Code::Negate : Code::Copy, Op::Number, to, result, 0});
}

// Stops at the first condition that decides.
void ExpressionCompiler::junction(Expr e, Slot to) {
    std::size_t mark = 0;
    std::vector<std::size_t> jumps;
    for (std::size_t i = 0; i < e->argument_count; ++i) {
        const Slot condition = compile(e->arg(i));
        sink_.emit({Code::Copy, Op::Number, to, condition, 0});
        if (i == 0) mark = log_.size();  // the first condition is evaluated always
        if (i + 1 == e->argument_count) break;
        Slot go_on = to;
        if (e->op == Op::Or) {
            go_on = sink_.temporary();
            sink_.emit({Code::Unary, Op::Not, go_on, to, 0});
        }
        jumps.push_back(sink_.position());
        sink_.emit({Code::JumpFalse, Op::Number, 0, go_on, 0});
    }
    leave_scope(mark);
    for (std::size_t at : jumps) sink_.land(at);
}

void ExpressionCompiler::choice(Expr e, Slot to) {
    std::vector<std::size_t> to_end;
    std::optional<std::size_t> outermost;
    for (std::size_t i = 0; i + 1 < e->argument_count; i += 2) {
        const Slot condition = compile(e->arg(i));
        if (!outermost) outermost = log_.size();
        const std::size_t mark = log_.size();
        const std::size_t skip = sink_.position();
        sink_.emit({Code::JumpFalse, Op::Number, 0, condition, 0});
        compile(e->arg(i + 1), to);
        leave_scope(mark);
        to_end.push_back(sink_.position());
        sink_.emit({Code::Jump, Op::Number, 0, 0, 0});
        sink_.land(skip);
    }
    compile(e->args().back(), to);
    leave_scope(*outermost);
    for (std::size_t at : to_end) sink_.land(at);
}

void ExpressionCompiler::relation(Expr e, Slot to) {
    const auto number = without_events_ ? std::nullopt : sink_.switch_number(e);
    const std::size_t at = sink_.position();
    const std::size_t mark = log_.size();
    if (number) sink_.emit({Code::Switch, Op::Number, to, *number, 0});
    const Slot a = compile(e->arg(0));
    if (e->argument_count == 2) {
        const Slot b = compile(e->arg(1));
        sink_.emit({Code::Binary, e->op, to, a, b});
    } else {
        sink_.emit({Code::Unary, e->op, to, a, 0});
    }
    if (number) {
        leave_scope(mark);
        sink_.land(at);
    }
}

void ExpressionCompiler::apply(Expr e, Slot to) {
    CallSite site;
    site.callee = e->callee();
    site.output = e->order;
    site.derivatives = e->derivatives;
    site.by[0] = e->by[0];
    site.by[1] = e->by[1];
    for (Expr a : e->args()) site.arguments.push_back(compile(a));
    sink_.emit({Code::Call, Op::Number, to, sink_.call_site(std::move(site)), 0});
}

}  // namespace cutset
