#include "routines/fortran_call.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <utility>

namespace {
thread_local int refused_argument = 0;
}

// LAPACK calls this when an argument makes no sense; its own version ends the program.
extern "C" void xerbla_(const char*, const int* argument, std::size_t) {
    refused_argument = *argument;
}

namespace cutset {

// Their arguments differ; all are addresses, and behind them the lengths of texts.
extern "C" {
void dgbsv_();
void dgecon_();
void dgees_();
void dgeev_();
void dgeevx_();
void dgehrd_();
void dgels_();
void dgelsy_();
void dgeqp3_();
void dgeqrf_();
void dgesdd_();
void dgesv_();
void dgesvd_();
void dgesvx_();
void dgetrf_();
void dgetri_();
void dgetrs_();
void dggev_();
void dggevx_();
void dgglse_();
void dgtsv_();
void dhgeqz_();
void dhseqr_();
void dorghr_();
void dorgqr_();
void dormhr_();
void dormqr_();
void dpotrf_();
void dtrevc_();
void dtrsen_();
void dtrsm_();
void dtrsyl_();
double dlange_();
}

namespace {

using Kind = RoutineArgument::Kind;
using Routine = void (*)();

constexpr std::size_t most_arguments = 28;  // lengths of texts among them
constexpr double most_room = 16'000'000;    // numbers of one array

struct Entry {
    std::string_view name;
    Routine routine;
};
const Entry routines[] = {
    {"dgbsv", reinterpret_cast<Routine>(dgbsv_)},   {"dgecon", reinterpret_cast<Routine>(dgecon_)},
    {"dgees", reinterpret_cast<Routine>(dgees_)},   {"dgeev", reinterpret_cast<Routine>(dgeev_)},
    {"dgeevx", reinterpret_cast<Routine>(dgeevx_)}, {"dgehrd", reinterpret_cast<Routine>(dgehrd_)},
    {"dgels", reinterpret_cast<Routine>(dgels_)},   {"dgelsy", reinterpret_cast<Routine>(dgelsy_)},
    {"dgeqp3", reinterpret_cast<Routine>(dgeqp3_)}, {"dgeqrf", reinterpret_cast<Routine>(dgeqrf_)},
    {"dgesdd", reinterpret_cast<Routine>(dgesdd_)}, {"dgesv", reinterpret_cast<Routine>(dgesv_)},
    {"dgesvd", reinterpret_cast<Routine>(dgesvd_)}, {"dgesvx", reinterpret_cast<Routine>(dgesvx_)},
    {"dgetrf", reinterpret_cast<Routine>(dgetrf_)}, {"dgetri", reinterpret_cast<Routine>(dgetri_)},
    {"dgetrs", reinterpret_cast<Routine>(dgetrs_)}, {"dggev", reinterpret_cast<Routine>(dggev_)},
    {"dggevx", reinterpret_cast<Routine>(dggevx_)}, {"dgglse", reinterpret_cast<Routine>(dgglse_)},
    {"dgtsv", reinterpret_cast<Routine>(dgtsv_)},   {"dhgeqz", reinterpret_cast<Routine>(dhgeqz_)},
    {"dhseqr", reinterpret_cast<Routine>(dhseqr_)}, {"dorghr", reinterpret_cast<Routine>(dorghr_)},
    {"dorgqr", reinterpret_cast<Routine>(dorgqr_)}, {"dormhr", reinterpret_cast<Routine>(dormhr_)},
    {"dormqr", reinterpret_cast<Routine>(dormqr_)}, {"dpotrf", reinterpret_cast<Routine>(dpotrf_)},
    {"dtrevc", reinterpret_cast<Routine>(dtrevc_)}, {"dtrsen", reinterpret_cast<Routine>(dtrsen_)},
    {"dtrsm", reinterpret_cast<Routine>(dtrsm_)},   {"dtrsyl", reinterpret_cast<Routine>(dtrsyl_)},
    {"dlange", reinterpret_cast<Routine>(dlange_)},
};

Routine find(std::string_view symbol) {
    const auto it = std::find_if(std::begin(routines), std::end(routines),
                                 [&](const Entry& e) { return e.name == symbol; });
    return it == std::end(routines) ? nullptr : it->routine;
}

template <std::size_t>
using Address = void*;

template <class Result, std::size_t... I>
Result call_with(Routine routine, void* const* a, std::index_sequence<I...>) {
    return reinterpret_cast<Result (*)(Address<I>...)>(routine)(a[I]...);
}

// All are passed: those that the routine does not have lie above its frame and are not read.
template <class Result>
Result call_with(Routine routine, const std::array<void*, most_arguments>& a) {
    return call_with<Result>(routine, a.data(), std::make_index_sequence<most_arguments>());
}

struct Free {
    void operator()(void* p) const { std::free(p); }
};
using Room = std::unique_ptr<void, Free>;

// Whole numbers among the arguments are sizes: no routine goes beyond the product of two of them, or eight
// times one.
std::optional<std::size_t> room_of(const RoutineCall& call, const std::vector<std::vector<double>>& values) {
    double largest = 1, longest = 1;
    for (std::size_t k = 0; k < values.size(); ++k) {
        longest = std::max(longest, static_cast<double>(values[k].size()));
        if (call.arguments[k].kind == Kind::Integer && values[k].size() == 1)
            largest = std::max(largest, std::abs(values[k][0]));
    }
    const double room = std::max(longest, largest * largest + 8 * largest) + 64;
    if (!(room < most_room)) return std::nullopt;
    return static_cast<std::size_t>(room);
}

// From rows to columns and back.
template <class Visit>
void for_each_turned(const RoutineArgument& a, std::size_t n, Visit visit) {
    if (a.dimensions.size() != 2) {
        for (std::size_t k = 0; k < n; ++k) visit(k, k);
        return;
    }
    const std::size_t rows = a.dimensions[0], columns = a.dimensions[1];
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) visit(i * columns + j, j * rows + i);
}

}  // namespace

bool is_fortran_routine(std::string_view symbol) {
    return find(symbol) != nullptr;
}

bool call_fortran(const RoutineCall& call, std::vector<std::vector<double>>& values, double& result,
                  std::string& problem) {
    const Routine routine = find(call.symbol);
    const auto room = room_of(call, values);
    const auto texts = static_cast<std::size_t>(
        std::count_if(call.arguments.begin(), call.arguments.end(),
                      [](const RoutineArgument& a) { return a.kind == Kind::Text; }));
    if (!routine || !room || values.size() + texts > most_arguments) {
        problem = "LAPACK's " + call.symbol + " cannot be called with arguments of these sizes";
        return false;
    }
    std::array<void*, most_arguments> addresses{};
    std::vector<Room> rooms;
    std::vector<std::string> characters;
    characters.reserve(texts);
    for (std::size_t k = 0; k < values.size(); ++k) {
        const RoutineArgument& a = call.arguments[k];
        if (a.kind == Kind::Text) {
            characters.push_back(a.text.empty() ? " " : a.text);
            addresses[k] = characters.back().data();
            continue;
        }
        rooms.emplace_back(std::calloc(*room, sizeof(double)));
        if (!rooms.back()) {
            problem = "there is no memory for the arguments of " + call.symbol;
            return false;
        }
        void* const at = addresses[k] = rooms.back().get();
        for_each_turned(a, values[k].size(), [&](std::size_t from, std::size_t to) {
            if (a.kind == Kind::Real)
                static_cast<double*>(at)[to] = values[k][from];
            else
                static_cast<int*>(at)[to] = static_cast<int>(values[k][from]);
        });
    }
    for (std::size_t k = 0; k < texts; ++k)
        addresses[values.size() + k] = reinterpret_cast<void*>(characters[k].size());
    refused_argument = 0;
    if (call.result)
        result = call_with<double>(routine, addresses);
    else
        call_with<void>(routine, addresses);
    if (refused_argument != 0) {
        problem = "LAPACK's " + call.symbol + " refuses its argument " + std::to_string(refused_argument);
        return false;
    }
    for (std::size_t k = 0; k < values.size(); ++k) {
        const RoutineArgument& a = call.arguments[k];
        if (!a.wanted) continue;
        for_each_turned(a, values[k].size(), [&](std::size_t to, std::size_t from) {
            values[k][to] = a.kind == Kind::Real ? static_cast<const double*>(addresses[k])[from]
                                                 : static_cast<const int*>(addresses[k])[from];
        });
    }
    return true;
}

}  // namespace cutset
