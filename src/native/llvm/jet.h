// Numbers with derivatives as machine code: the operations of Dual (expr/dual.h) over values of LLVM, to the
// bit. A jet has one value and N derivatives, each in a direction of its own; the value may be a jet itself.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "expr/elementary_functions.h"
#include "native/llvm/operations.h"

namespace cutset::native {

template <class T, std::size_t N>
struct Jet {
    T v;
    std::array<T, N> d;
};

using Plain = llvm::Value*;
using OneDirection = Jet<Plain, 1>;
using TwoDirections = Jet<Plain, 2>;
using SecondOrder = Jet<OneDirection, 1>;

template <class T>
struct JetTraits {
    static constexpr std::uint32_t parts = 1;
};
template <class T, std::size_t N>
struct JetTraits<Jet<T, N>> {
    static constexpr std::uint32_t parts = (N + 1) * JetTraits<T>::parts;
};

class JetArithmetic;

// A number of machine code with operators, for the formulas of expr/elementary_functions.h.
template <class T>
struct Emitted {
    JetArithmetic* by;
    T v;
};

class JetArithmetic {
  public:
    JetArithmetic(llvm::Module& module, llvm::IRBuilder<>& builder)
        : b_(builder), context_(module.getContext()), operations_(module, builder) {}

    // ---- the parts in the order of Dual

    // get(part) gives values; put(part, value) takes them.
    template <class T, class Get>
    T assemble(Get get, std::uint32_t first = 0) {
        if constexpr (std::same_as<T, Plain>) {
            return get(first);
        } else {
            using Inner = decltype(T::v);
            constexpr std::uint32_t size = JetTraits<Inner>::parts;
            T out;
            out.v = assemble<Inner>(get, first);
            for (std::size_t n = 0; n < out.d.size(); ++n)
                out.d[n] = assemble<Inner>(get, first + size * static_cast<std::uint32_t>(n + 1));
            return out;
        }
    }
    template <class T, class Put>
    void take_apart(const T& x, Put put, std::uint32_t first = 0) {
        if constexpr (std::same_as<T, Plain>) {
            put(first, x);
        } else {
            constexpr std::uint32_t size = JetTraits<decltype(T::v)>::parts;
            take_apart(x.v, put, first);
            for (std::size_t n = 0; n < x.d.size(); ++n)
                take_apart(x.d[n], put, first + size * static_cast<std::uint32_t>(n + 1));
        }
    }

    // ---- numbers

    // A number that does not vary.
    template <class T>
    T lift(Plain x) {
        return assemble<T>([&](std::uint32_t part) { return part == 0 ? x : operations_.constant(0); });
    }
    template <class T>
    T number(double x) {
        return lift<T>(operations_.constant(x));
    }
    Plain plain(Plain x) { return x; }
    template <class T, std::size_t N>
    Plain plain(const Jet<T, N>& x) {
        return plain(x.v);
    }
    Plain varies(Plain x) { return b_.CreateFCmpUNE(x, operations_.constant(0)); }
    template <class T, std::size_t N>
    Plain varies(const Jet<T, N>& x) {
        Plain any = varies(x.v);
        for (const T& d : x.d) any = b_.CreateOr(any, varies(d));
        return any;
    }

    template <class T>
    T select(Plain condition, const T& yes, const T& no) {
        std::array<Plain, JetTraits<T>::parts> a;
        take_apart(yes, [&](std::uint32_t part, Plain x) { a[part] = x; });
        std::array<Plain, JetTraits<T>::parts> b;
        take_apart(no, [&](std::uint32_t part, Plain x) { b[part] = x; });
        return assemble<T>([&](std::uint32_t part) { return b_.CreateSelect(condition, a[part], b[part]); });
    }
    // `otherwise`, or what make() gives, computed only where the condition holds.
    template <class T, class Make>
    T where(Plain condition, const T& otherwise, Make make) {
        if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(condition))
            return known->isZero() ? otherwise : make();
        llvm::BasicBlock* from = b_.GetInsertBlock();
        llvm::Function* function = from->getParent();
        auto* holds = llvm::BasicBlock::Create(context_, "", function);
        auto* after = llvm::BasicBlock::Create(context_, "", function);
        b_.CreateCondBr(condition, holds, after);
        b_.SetInsertPoint(holds);
        const T made = make();
        llvm::BasicBlock* made_in = b_.GetInsertBlock();
        b_.CreateBr(after);
        b_.SetInsertPoint(after);
        std::array<Plain, JetTraits<T>::parts> a, b;
        take_apart(made, [&](std::uint32_t part, Plain x) { a[part] = x; });
        take_apart(otherwise, [&](std::uint32_t part, Plain x) { b[part] = x; });
        return assemble<T>([&](std::uint32_t part) -> Plain {
            llvm::PHINode* phi = b_.CreatePHI(a[part]->getType(), 2);
            phi->addIncoming(a[part], made_in);
            phi->addIncoming(b[part], from);
            return phi;
        });
    }

    // ---- arithmetic

    Plain add(Plain a, Plain b) { return b_.CreateFAdd(a, b); }
    Plain subtract(Plain a, Plain b) { return b_.CreateFSub(a, b); }
    Plain multiply(Plain a, Plain b) { return b_.CreateFMul(a, b); }
    Plain divide(Plain a, Plain b) { return b_.CreateFDiv(a, b); }
    Plain negate(Plain a) { return b_.CreateFNeg(a); }

    template <class T, std::size_t N>
    Jet<T, N> add(const Jet<T, N>& a, const Jet<T, N>& b) {
        return with(
            add(a.v, b.v), [&](std::size_t n) { return add(a.d[n], b.d[n]); }, a);
    }
    template <class T, std::size_t N>
    Jet<T, N> subtract(const Jet<T, N>& a, const Jet<T, N>& b) {
        return with(
            subtract(a.v, b.v), [&](std::size_t n) { return subtract(a.d[n], b.d[n]); }, a);
    }
    template <class T, std::size_t N>
    Jet<T, N> negate(const Jet<T, N>& a) {
        return with(
            negate(a.v), [&](std::size_t n) { return negate(a.d[n]); }, a);
    }
    template <class T, std::size_t N>
    Jet<T, N> multiply(const Jet<T, N>& a, const Jet<T, N>& b) {
        return with(
            multiply(a.v, b.v),
            [&](std::size_t n) {
                const T left = multiply(a.v, b.d[n]);
                return add(left, multiply(a.d[n], b.v));
            },
            a);
    }
    template <class T, std::size_t N>
    Jet<T, N> divide(const Jet<T, N>& a, const Jet<T, N>& b) {
        const T quotient = divide(a.v, b.v);
        return with(
            quotient,
            [&](std::size_t n) { return divide(subtract(a.d[n], multiply(quotient, b.d[n])), b.v); }, a);
    }

    // With a number that does not vary, as Dual does it.
    template <class T, std::size_t N>
    Jet<T, N> add(const Jet<T, N>& a, Plain c) {
        return {add(a.v, c), a.d};
    }
    template <class T, std::size_t N>
    Jet<T, N> add(Plain c, const Jet<T, N>& a) {
        return add(a, c);
    }
    template <class T, std::size_t N>
    Jet<T, N> subtract(const Jet<T, N>& a, Plain c) {
        return {subtract(a.v, c), a.d};
    }
    template <class T, std::size_t N>
    Jet<T, N> subtract(Plain c, const Jet<T, N>& a) {
        return with(
            subtract(c, a.v), [&](std::size_t n) { return negate(a.d[n]); }, a);
    }
    template <class T, std::size_t N>
    Jet<T, N> multiply(const Jet<T, N>& a, Plain c) {
        return with(
            multiply(a.v, c), [&](std::size_t n) { return multiply(a.d[n], c); }, a);
    }
    template <class T, std::size_t N>
    Jet<T, N> multiply(Plain c, const Jet<T, N>& a) {
        return multiply(a, c);
    }
    template <class T, std::size_t N>
    Jet<T, N> divide(const Jet<T, N>& a, Plain c) {
        return with(
            divide(a.v, c), [&](std::size_t n) { return divide(a.d[n], c); }, a);
    }
    template <class T, std::size_t N>
    Jet<T, N> divide(Plain c, const Jet<T, N>& a) {
        const T quotient = divide(c, a.v);
        const auto* number = llvm::dyn_cast<llvm::ConstantFP>(c);
        const T slope =
            number && number->isExactlyValue(1.0) ? multiply(quotient, quotient) : divide(quotient, a.v);
        return with(
            quotient, [&](std::size_t n) { return negate(multiply(slope, a.d[n])); }, a);
    }

    // ---- elementary functions

    Plain unary(Op op, Plain x) { return operations_.unary(op, x); }
    Plain binary(Op op, Plain x, Plain y) {
        if (op == Op::Power)
            if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(y))
                return operations_.power(x, number->getValueAPF().convertToDouble());
        return operations_.binary(op, x, y);
    }

    template <class T, std::size_t N>
    Jet<T, N> unary(Op op, const Jet<T, N>& x) {
        if (op == Op::NoEvent) return x;
        if (op == Op::Abs) return select(b_.CreateFCmpOLT(plain(x), operations_.constant(0)), negate(x), x);
        const T f = unary(op, x.v), zero = number<T>(0);
        Jet<T, N> out = with(
            f, [&](std::size_t) { return zero; }, x);  // Sign, Truncate, Floor, Not: steps
        visit_function(op, [&]<class F>(F) {
            if constexpr (SmoothOfOne<F>) {
                const auto derivative = F::derivative(emitted(x.v), emitted(f));
                for (std::size_t n = 0; n < N; ++n) out.d[n] = derivative(emitted(x.d[n])).v;
            }
        });
        return out;
    }

    template <class T, std::size_t N>
    Jet<T, N> binary(Op op, const Jet<T, N>& x, const Jet<T, N>& y) {
        switch (op) {
            case Op::Power:
                return power(x, y);
            case Op::Remainder:
            case Op::Modulo: {
                Plain steps = operations_.unary(op == Op::Remainder ? Op::Truncate : Op::Floor,
                                                b_.CreateFDiv(plain(x), plain(y)));
                return subtract(x, multiply(lift<Jet<T, N>>(steps), y));
            }
            case Op::Min:
            case Op::Max: {
                Plain chosen = operations_.binary(op, plain(x), plain(y));
                return select(b_.CreateFCmpOEQ(chosen, plain(y)), y, x);
            }
            default: {
                if (!is_smooth_function(op))  // relations
                    return lift<Jet<T, N>>(operations_.binary(op, plain(x), plain(y)));
                Jet<T, N> out;
                out.v = binary(op, x.v, y.v);
                visit_function(op, [&]<class F>(F) {
                    if constexpr (SmoothOfTwo<F>) {
                        const auto derivative = F::derivative(emitted(x.v), emitted(y.v), emitted(out.v));
                        for (std::size_t n = 0; n < N; ++n)
                            out.d[n] = derivative(emitted(x.d[n]), emitted(y.d[n])).v;
                    }
                });
                return out;
            }
        }
    }

  private:
    template <class T>
    Emitted<T> emitted(const T& value) {
        return {this, value};
    }

    template <class T, std::size_t N, class Derivative>
    Jet<T, N> with(const T& v, Derivative derivative, const Jet<T, N>&) {
        Jet<T, N> out;
        out.v = v;
        for (std::size_t n = 0; n < N; ++n) out.d[n] = derivative(n);
        return out;
    }

    template <class T, std::size_t N>
    Jet<T, N> power(const Jet<T, N>& x, const Jet<T, N>& y) {
        const T f = binary(Op::Power, x.v, y.v), zero = number<T>(0);
        Plain none = b_.getFalse();
        Plain any_x = none, any_y = none;
        std::array<Plain, N> by_x, by_y;
        Plain exponent = varies(y.v);
        for (std::size_t n = 0; n < N; ++n) {
            by_y[n] = varies(y.d[n]);
            by_x[n] = b_.CreateAnd(varies(x.d[n]), b_.CreateOr(exponent, by_y[n]));
            any_x = b_.CreateOr(any_x, by_x[n]);
            any_y = b_.CreateOr(any_y, by_y[n]);
        }
        const T slope = where(
            any_x, zero, [&] { return multiply(y.v, binary(Op::Power, x.v, subtract(y.v, number<T>(1)))); });
        // The logarithm only where the exponent varies.
        const T growth = where(any_y, zero, [&] { return multiply(f, unary(Op::Ln, x.v)); });
        return with(
            f,
            [&](std::size_t n) {
                const T derivative = select(by_x[n], multiply(slope, x.d[n]), zero);
                if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(by_y[n]); known && known->isZero())
                    return derivative;
                return select(by_y[n], add(derivative, multiply(growth, y.d[n])), derivative);
            },
            x);
    }

    llvm::IRBuilder<>& b_;
    llvm::LLVMContext& context_;
    Operations operations_;
};

template <class T>
Emitted<T> operator+(const Emitted<T>& a, const Emitted<T>& b) {
    return {a.by, a.by->add(a.v, b.v)};
}
template <class T>
Emitted<T> operator-(const Emitted<T>& a, const Emitted<T>& b) {
    return {a.by, a.by->subtract(a.v, b.v)};
}
template <class T>
Emitted<T> operator-(const Emitted<T>& a) {
    return {a.by, a.by->negate(a.v)};
}
template <class T>
Emitted<T> operator*(const Emitted<T>& a, const Emitted<T>& b) {
    return {a.by, a.by->multiply(a.v, b.v)};
}
template <class T>
Emitted<T> operator/(const Emitted<T>& a, const Emitted<T>& b) {
    return {a.by, a.by->divide(a.v, b.v)};
}
template <class T>
Emitted<T> number_like(const Emitted<T>& x, double c) {
    return {x.by, x.by->template number<T>(c)};
}
template <class T>
Emitted<T> function_of(Op op, const Emitted<T>& x) {
    return {x.by, x.by->unary(op, x.v)};
}

}  // namespace cutset::native
