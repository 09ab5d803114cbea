// The elementary functions: one table, which every stage reads.
//
// A row is a struct with the name of its operation. It says
//
//   traits       names in the languages that are read and written, and what passes ask about the function
//   value        f(x), for the interpreter, for folding and for calls from machine code
//   derivative   df = f'(x)·dx. Called with x and f = f(x), it computes what all directions share and returns
//                the function of dx
//   inverse      the solutions x of f(x) = r
//   spelled_out  f(x) by functions that every language has
//
// Derivatives and `spelled_out` are formulas for any kind of number with + - * /, `number_like` and
// `function_of`: double and Dual (dual.h), expressions (symbol.h), machine code (native/llvm/jet.h). So a
// second derivative is the same formula on numbers that carry a derivative. The rounding is part of the
// formula: the interpreter and machine code compute the same bits.
//
// A function without a derivative here switches: abs, min, max, rem and mod have a branch for each side,
// sign, int and floor are constant between their jumps.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expr/expr.h"
#include "expr/range.h"
#include "expr/symbol.h"

namespace cutset {

// The operations of the table, in their order.
// clang-format off
#define CUTSET_ELEMENTARY_FUNCTIONS(ROW) \
    ROW(Sqrt) ROW(Exp) ROW(Ln) ROW(Log10) ROW(Sin) ROW(Cos) ROW(Tan) ROW(Asin) \
    ROW(Acos) ROW(Atan) ROW(Sinh) ROW(Cosh) ROW(Tanh) ROW(Abs) ROW(Sign) ROW(Truncate) \
    ROW(Floor) ROW(Atan2) ROW(Remainder) ROW(Modulo) ROW(Min) ROW(Max)
// clang-format on

struct FunctionTraits {
    std::string_view name;               // in the Dymola language
    std::string_view second_name = {};   // that it has, too
    const char* simnon = nullptr;        // nullptr: the language has no such function
    const char* c = name.data();         // of <math.h>, or of what the emitter adds
    const char* fortran = name.data();   // intrinsic, or of what the emitter adds
    const char* modelica = name.data();  //
    const char* latex = nullptr;         //
    bool takes_many = false;             // any number of arguments from two on
    bool continuous = false;             // where it has a value, and no pole is near
    bool jumps = false;                  // at some arguments
    bool odd = false, even = false;      // f(-x) = -f(x), f(-x) = f(x)
    bool zero_at_zero_only = false;      //
    bool grows_exponentially = false;    // overflows for moderate arguments
    Range range = {};                    // of its values
    std::optional<Op> undoes = {};       // f(g(x)) = x for this g
    // The words for f(x) without a finite value.
    const char* (*not_finite)(double x) = nullptr;
};

// One solution of f(x) = r, and the conditions under which it is one.
struct InverseBranch {
    Symbol value;
    std::vector<Expr> conditions = {};
    const char* note = "";
};
using Inverse = std::vector<InverseBranch>;

inline double number_like(double, double c) {
    return c;
}
inline double function_of(Op op, double x) {
    return apply_unary(op, x);
}
inline double function_of(Op op, double x, double y) {
    return apply_binary(op, x, y);
}

namespace functions {

template <class T>
T one(const T& x) {
    return number_like(x, 1);
}

inline std::vector<Expr> between(double low, const Symbol& r, double high) {
    return {low <= r, r <= high};
}
inline std::vector<Expr> inside(double low, const Symbol& r, double high) {
    return {low < r, r < high};
}
inline constexpr const char* any_turn = "and with any multiple of 2*pi added to the angle";
inline constexpr double half_pi = std::numbers::pi / 2;

inline const char* exponential_too_large(double) {
    return "an exponential that is too large";
}
inline const char* no_logarithm(double x) {
    return x == 0 ? "logarithm of zero" : "logarithm of a negative number";
}

// ---- smooth functions of one argument

struct Sqrt {
    static constexpr FunctionTraits traits{
        .name = "sqrt",
        .simnon = "SQRT",
        .latex = "\\sqrt",
        .continuous = true,
        .range = {.low = 0},
        .not_finite = [](double) { return "square root of a negative number"; }};
    static constexpr double (*value)(double) = std::sqrt;
    template <class T>
    static auto derivative(const T&, const T& f) {
        return [g = f + f](const T& d) { return d / g; };
    }
    static Inverse inverse(const Symbol& r) { return {{r * r, {0 <= r}}}; }
};

struct Exp {
    static constexpr FunctionTraits traits{.name = "exp",
                                           .simnon = "EXP",
                                           .latex = "\\exp",
                                           .continuous = true,
                                           .grows_exponentially = true,
                                           .range = {.low = 0, .low_open = true, .nonzero = true},
                                           .undoes = Op::Ln,
                                           .not_finite = exponential_too_large};
    static constexpr double (*value)(double) = std::exp;
    template <class T>
    static auto derivative(const T&, const T& f) {
        return [f](const T& d) { return f * d; };
    }
    static Inverse inverse(const Symbol& r) { return {{function_of(Op::Ln, r), {0 < r}}}; }
};

struct Ln {
    static constexpr FunctionTraits traits{.name = "ln",
                                           .second_name = "log",
                                           .simnon = "LN",
                                           .c = "log",
                                           .fortran = "log",
                                           .modelica = "log",
                                           .latex = "\\ln",
                                           .undoes = Op::Exp,
                                           .not_finite = no_logarithm};
    static constexpr double (*value)(double) = std::log;
    template <class T>
    static auto derivative(const T& x, const T&) {
        return [x](const T& d) { return d / x; };
    }
    static Inverse inverse(const Symbol& r) { return {{function_of(Op::Exp, r)}}; }
};

struct Log10 {
    static constexpr FunctionTraits traits{
        .name = "log10", .simnon = "LOG", .latex = "\\log_{10}", .not_finite = no_logarithm};
    static constexpr double (*value)(double) = std::log10;
    template <class T>
    static auto derivative(const T& x, const T&) {
        return [x, k = number_like(x, 0.43429448190325182765)](const T& d) { return k * d / x; };  // 1/ln(10)
    }
    static Inverse inverse(const Symbol& r) { return {{{r.pool, r.pool->power(r.pool->number(10), r.e)}}}; }
};

struct Sin {
    static constexpr FunctionTraits traits{.name = "sin",
                                           .simnon = "SIN",
                                           .latex = "\\sin",
                                           .continuous = true,
                                           .odd = true,
                                           .range = {-1, 1},
                                           .undoes = Op::Asin};
    static constexpr double (*value)(double) = std::sin;
    template <class T>
    static auto derivative(const T& x, const T&) {
        return [c = function_of(Op::Cos, x)](const T& d) { return c * d; };
    }
    static Inverse inverse(const Symbol& r) {
        const Symbol a = function_of(Op::Asin, r);
        return {{a, between(-1, r, 1), any_turn},
                {number_like(r, std::numbers::pi) - a, between(-1, r, 1), any_turn}};
    }
};

struct Cos {
    static constexpr FunctionTraits traits{.name = "cos",
                                           .simnon = "COS",
                                           .latex = "\\cos",
                                           .continuous = true,
                                           .even = true,
                                           .range = {-1, 1},
                                           .undoes = Op::Acos};
    static constexpr double (*value)(double) = std::cos;
    template <class T>
    static auto derivative(const T& x, const T&) {
        return [s = function_of(Op::Sin, x)](const T& d) { return -(s * d); };
    }
    static Inverse inverse(const Symbol& r) {
        const Symbol a = function_of(Op::Acos, r);
        return {{a, between(-1, r, 1), any_turn}, {-a, between(-1, r, 1), any_turn}};
    }
};

struct Tan {
    static constexpr FunctionTraits traits{
        .name = "tan", .simnon = "TAN", .latex = "\\tan", .odd = true, .undoes = Op::Atan};
    static constexpr double (*value)(double) = std::tan;
    template <class T>
    static auto derivative(const T& x, const T& f) {
        return [g = one(x) + f * f](const T& d) { return g * d; };
    }
    static Inverse inverse(const Symbol& r) {
        return {{function_of(Op::Atan, r), {}, "and with any multiple of pi added to the angle"}};
    }
};

struct Asin {
    static constexpr FunctionTraits traits{
        .name = "asin",
        .latex = "\\arcsin",
        .odd = true,
        .zero_at_zero_only = true,
        .range = {-half_pi, half_pi},
        .not_finite = [](double) { return "arc sine of a number outside -1 to 1"; }};
    static constexpr double (*value)(double) = std::asin;
    template <class T>
    static auto derivative(const T& x, const T&) {
        return [g = function_of(Op::Sqrt, one(x) - x * x)](const T& d) { return d / g; };
    }
    static Inverse inverse(const Symbol& r) {
        return {{function_of(Op::Sin, r), between(-half_pi, r, half_pi)}};
    }
    template <class T>
    static T spelled_out(const T& x) {
        return function_of(Op::Atan2, x, function_of(Op::Sqrt, one(x) - x * x));
    }
};

struct Acos {
    static constexpr FunctionTraits traits{
        .name = "acos", .latex = "\\arccos", .range = {0, std::numbers::pi}, .not_finite = [](double) {
            return "arc cosine of a number outside -1 to 1";
        }};
    static constexpr double (*value)(double) = std::acos;
    template <class T>
    static auto derivative(const T& x, const T&) {
        return [g = function_of(Op::Sqrt, one(x) - x * x)](const T& d) { return -(d / g); };
    }
    static Inverse inverse(const Symbol& r) {
        return {{function_of(Op::Cos, r), between(0, r, std::numbers::pi)}};
    }
    template <class T>
    static T spelled_out(const T& x) {
        return function_of(Op::Atan2, function_of(Op::Sqrt, one(x) - x * x), x);
    }
};

struct Atan {
    static constexpr FunctionTraits traits{.name = "atan",
                                           .simnon = "ATAN",
                                           .latex = "\\arctan",
                                           .continuous = true,
                                           .odd = true,
                                           .zero_at_zero_only = true,
                                           .range = {-half_pi, half_pi, true, true}};
    static constexpr double (*value)(double) = std::atan;
    template <class T>
    static auto derivative(const T& x, const T&) {
        return [g = one(x) + x * x](const T& d) { return d / g; };
    }
    static Inverse inverse(const Symbol& r) {
        return {{function_of(Op::Tan, r), inside(-half_pi, r, half_pi)}};
    }
};

struct Sinh {
    static constexpr FunctionTraits traits{.name = "sinh",
                                           .latex = "\\sinh",
                                           .continuous = true,
                                           .odd = true,
                                           .zero_at_zero_only = true,
                                           .grows_exponentially = true,
                                           .not_finite = exponential_too_large};
    static constexpr double (*value)(double) = std::sinh;
    template <class T>
    static auto derivative(const T& x, const T&) {
        return [c = function_of(Op::Cosh, x)](const T& d) { return c * d; };
    }
    static Inverse inverse(const Symbol& r) {
        return {{function_of(Op::Ln, r + function_of(Op::Sqrt, r * r + one(r)))}};
    }
    template <class T>
    static T spelled_out(const T& x) {
        return number_like(x, 0.5) * (function_of(Op::Exp, x) - function_of(Op::Exp, -x));
    }
};

struct Cosh {
    static constexpr FunctionTraits traits{.name = "cosh",
                                           .latex = "\\cosh",
                                           .continuous = true,
                                           .even = true,
                                           .grows_exponentially = true,
                                           .range = {.low = 1, .nonzero = true},
                                           .not_finite = exponential_too_large};
    static constexpr double (*value)(double) = std::cosh;
    template <class T>
    static auto derivative(const T& x, const T&) {
        return [s = function_of(Op::Sinh, x)](const T& d) { return s * d; };
    }
    static Inverse inverse(const Symbol& r) {
        const Symbol u = function_of(Op::Ln, r + function_of(Op::Sqrt, r * r - one(r)));
        return {{u, {1 <= r}}, {-u, {1 <= r}}};
    }
    template <class T>
    static T spelled_out(const T& x) {
        return number_like(x, 0.5) * (function_of(Op::Exp, x) + function_of(Op::Exp, -x));
    }
};

struct Tanh {
    static constexpr FunctionTraits traits{.name = "tanh",
                                           .latex = "\\tanh",
                                           .continuous = true,
                                           .odd = true,
                                           .zero_at_zero_only = true,
                                           .range = {-1, 1, true, true}};
    static constexpr double (*value)(double) = std::tanh;
    template <class T>
    static auto derivative(const T& x, const T& f) {
        return [g = one(x) - f * f](const T& d) { return g * d; };
    }
    static Inverse inverse(const Symbol& r) {
        return {{number_like(r, 0.5) * function_of(Op::Ln, (one(r) + r) / (one(r) - r)), inside(-1, r, 1)}};
    }
    template <class T>
    static T spelled_out(const T& x) {
        const T two = number_like(x, 2);
        return one(x) - two / (function_of(Op::Exp, two * x) + one(x));
    }
};

// ---- functions of one argument that switch

struct Abs {
    static constexpr FunctionTraits traits{.name = "abs",
                                           .simnon = "ABS",
                                           .c = "fabs",
                                           .latex = "\\operatorname{abs}",
                                           .continuous = true,
                                           .even = true,
                                           .zero_at_zero_only = true,
                                           .range = {.low = 0}};
    static constexpr double (*value)(double) = [](double x) { return std::abs(x); };
    static Inverse inverse(const Symbol& r) { return {{r, {0 <= r}}, {-r, {0 <= r}}}; }
};

struct Sign {
    static constexpr FunctionTraits traits{.name = "sign",
                                           .simnon = "SIGN",
                                           .c = "sign_of",
                                           .fortran = "sign_of_",
                                           .latex = "\\operatorname{sign}",
                                           .jumps = true,
                                           .odd = true,
                                           .zero_at_zero_only = true,
                                           .range = {-1, 1}};
    // 0 at 0, and not a number stays so
    static constexpr double (*value)(double) = [](double x) { return x > 0 ? 1 : x < 0 ? -1 : x; };
};

struct Truncate {
    static constexpr FunctionTraits traits{.name = "int",
                                           .simnon = "INT",
                                           .c = "trunc",
                                           .fortran = "aint",
                                           .modelica = nullptr,
                                           .latex = "\\operatorname{int}",
                                           .jumps = true,
                                           .odd = true};
    static constexpr double (*value)(double) = std::trunc;
};

struct Floor {
    static constexpr FunctionTraits traits{
        .name = "floor", .fortran = "floor_of_", .latex = "\\operatorname{floor}", .jumps = true};
    static constexpr double (*value)(double) = std::floor;
    // int(x), less 1 where that is above x
    template <class T>
    static T spelled_out(const T& x) {
        const T whole = function_of(Op::Truncate, x);
        return whole - function_of(Op::Max, number_like(x, 0), function_of(Op::Sign, whole - x));
    }
};

// ---- functions of two arguments

struct Atan2 {
    static constexpr FunctionTraits traits{
        .name = "atan2", .simnon = "ATAN2", .latex = "\\operatorname{atan2}"};
    static constexpr double (*value)(double, double) = std::atan2;
    // atan2(y, x)
    template <class T>
    static auto derivative(const T& y, const T& x, const T&) {
        return
            [y, x, square = y * y + x * x](const T& dy, const T& dx) { return (x * dy - y * dx) / square; };
    }
};

struct Remainder {
    static constexpr FunctionTraits traits{.name = "rem",
                                           .simnon = "MOD",
                                           .c = "remainder_of",
                                           .fortran = "remainder_of_",
                                           .latex = "\\operatorname{rem}",
                                           .jumps = true};
    static constexpr double (*value)(double, double) = [](double x, double y) {
        return x - std::trunc(x / y) * y;
    };
};

struct Modulo {
    static constexpr FunctionTraits traits{.name = "mod",
                                           .c = "modulo_of",
                                           .fortran = "modulo_of_",
                                           .latex = "\\operatorname{mod}",
                                           .jumps = true};
    static constexpr double (*value)(double, double) = [](double x, double y) {
        return x - std::floor(x / y) * y;
    };
    template <class T>
    static T spelled_out(const T& x, const T& y) {
        return x - Floor::spelled_out(x / y) * y;
    }
};

struct Min {
    static constexpr FunctionTraits traits{.name = "min",
                                           .simnon = "MIN",
                                           .c = "smaller",
                                           .fortran = "smaller_",
                                           .latex = "\\min",
                                           .takes_many = true,
                                           .continuous = true};
    static constexpr double (*value)(double, double) = [](double x, double y) {
        return std::isnan(x) || x < y ? x : y;
    };
};

struct Max {
    static constexpr FunctionTraits traits{.name = "max",
                                           .simnon = "MAX",
                                           .c = "larger",
                                           .fortran = "larger_",
                                           .latex = "\\max",
                                           .takes_many = true,
                                           .continuous = true};
    static constexpr double (*value)(double, double) = [](double x, double y) {
        return std::isnan(x) || x > y ? x : y;
    };
};

}  // namespace functions

// ---- the table

template <class F>
concept OfOneArgument = requires(double x) {
    F::value(x);
};
template <class F>
concept SmoothOfOne = requires(double x) {
    F::derivative(x, x)(x);
};
template <class F>
concept SmoothOfTwo = requires(double x) {
    F::derivative(x, x, x)(x, x);
};

struct ElementaryFunction : FunctionTraits {
    Op op;
    std::size_t arguments;  // 1 or 2
    bool smooth;            // has a derivative wherever it is defined
    double (*of_one)(double) = nullptr;
    double (*of_two)(double, double) = nullptr;
    Inverse (*inverse)(const Symbol&) = nullptr;
    Symbol (*spelled_out)(std::span<const Symbol>) = nullptr;

    bool takes(std::size_t count) const { return takes_many ? count >= 2 : count == arguments; }
    bool has_name(std::string_view text) const {
        return text == name || (!second_name.empty() && text == second_name);
    }
};

template <class F>
constexpr ElementaryFunction function_row(Op op) {
    ElementaryFunction row{F::traits, op, OfOneArgument<F> ? 1u : 2u, SmoothOfOne<F> || SmoothOfTwo<F>};
    if constexpr (OfOneArgument<F>)
        row.of_one = F::value;
    else
        row.of_two = F::value;
    if constexpr (requires { &F::inverse; }) row.inverse = F::inverse;
    if constexpr (requires { &F::template spelled_out<Symbol>; })
        row.spelled_out = [](std::span<const Symbol> x) {
            if constexpr (OfOneArgument<F>)
                return F::spelled_out(x[0]);
            else
                return F::spelled_out(x[0], x[1]);
        };
    return row;
}

inline constexpr ElementaryFunction elementary_functions[] = {
#define CUTSET_ROW(F) function_row<functions::F>(Op::F),
    CUTSET_ELEMENTARY_FUNCTIONS(CUTSET_ROW)
#undef CUTSET_ROW
};
static_assert(std::ranges::all_of(elementary_functions,
                                  [](const ElementaryFunction& f) { return f.simnon || f.spelled_out; }),
              "a function that Simnon does not have is spelled out");

static_assert(
    [] {
        for (std::size_t i = 0; i < std::size(elementary_functions); ++i)
            if (static_cast<std::size_t>(elementary_functions[i].op) !=
                static_cast<std::size_t>(elementary_functions[0].op) + i)
                return false;
        return elementary_functions[0].op > Op::Power &&
               static_cast<std::size_t>(Op::Less) - static_cast<std::size_t>(elementary_functions[0].op) ==
                   std::size(elementary_functions);
    }(),
    "the operations between Power and Less are the rows, in the same order");

// The row of an operation, nullptr when it is no elementary function.
constexpr const ElementaryFunction* elementary_function(Op op) {
    const auto i = static_cast<std::size_t>(op) - static_cast<std::size_t>(elementary_functions[0].op);
    return i < std::size(elementary_functions) ? &elementary_functions[i] : nullptr;
}
// sign, int, floor, rem and mod: the value jumps while the argument passes.
constexpr bool is_function_with_jumps(Op op) {
    const ElementaryFunction* f = elementary_function(op);
    return f && f->jumps;
}
// By its name in the Dymola language; nullptr: none.
constexpr const ElementaryFunction* find_elementary_function(std::string_view name) {
    for (const ElementaryFunction& f : elementary_functions)
        if (f.has_name(name)) return &f;
    return nullptr;
}
// The names in the Dymola language, or in another one: names_of_functions(&FunctionTraits::c, " ").
std::string names_of_functions(std::string_view separator);
std::string names_of_functions(const char* FunctionTraits::*language, std::string_view separator);

// Calls visit(F()) with the struct of the function; false when the operation is no elementary function.
template <class Visit>
constexpr bool visit_function(Op op, Visit&& visit) {
    switch (op) {
#define CUTSET_CASE(F)         \
    case Op::F:                \
        visit(functions::F()); \
        return true;
        CUTSET_ELEMENTARY_FUNCTIONS(CUTSET_CASE)
#undef CUTSET_CASE
        default:
            return false;
    }
}

// Without the table, so that the module of machine code need not link what its rows point to.
constexpr bool is_smooth_function(Op op) {
    bool smooth = false;
    visit_function(op, [&]<class F>(F) { smooth = SmoothOfOne<F> || SmoothOfTwo<F>; });
    return smooth;
}

}  // namespace cutset
