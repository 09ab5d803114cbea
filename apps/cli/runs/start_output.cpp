#include "runs/start_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cutset::cli {

namespace {

using Outcome = StartReport::Outcome;

std::string place(Span where, const Sources& sources) {
    if (!where.known()) return {};
    const Location at = sources.locate(where);
    return fmt::format("{}:{}", at.file, at.line);
}

std::size_t count(const StartReport& report, Outcome outcome) {
    return std::size_t(std::count_if(report.parts.begin(), report.parts.end(),
                                     [&](const StartReport::Part& p) { return p.outcome == outcome; }));
}

std::string kind_text(const StartReport::Part& part) {
    if (part.kind == BlockKind::Explicit) return {};
    return fmt::format("{}, {} unknown{}", part.kind == BlockKind::Linear ? "linear" : "nonlinear",
                       part.unknowns.size(), part.unknowns.size() == 1 ? "" : "s");
}

void print_part(const StartReport::Part& part, std::size_t number, const Sources& sources) {
    const std::string head = fmt::format("{:>5}  {:<11}  ", number, word(part.outcome));
    const bool reached = part.outcome != Outcome::NotReached;
    const auto value_text = [&](const StartReport::UnknownValue& u) {
        return reached ? fmt::format("{} = {:.6g}", u.name, u.value) : u.name;
    };
    const auto equation_place = [&](const StartReport::EquationValue& e) {
        const std::string at = place(e.where, sources);
        return (e.submodel.empty() ? "" : "  " + e.submodel) + (at.empty() ? "" : "  " + at);
    };
    if (part.kind == BlockKind::Explicit && part.unknowns.size() == 1 && part.equations.size() == 1) {
        fmt::print("{}{:<24}  {}{}\n", head, value_text(part.unknowns[0]), part.equations[0].text,
                   equation_place(part.equations[0]));
        if (!part.reason.empty()) fmt::print("{:20}  {}\n", "", part.reason);
        return;
    }
    fmt::print("{}{}\n", head, kind_text(part) + (part.reason.empty() ? "" : ": " + part.reason));
    for (const StartReport::UnknownValue& u : part.unknowns) {
        std::string text = value_text(u);
        if (u.guess) {
            const std::string at = place(u.guess->where, sources);
            text += fmt::format("   iterated from {:.6g}: {}{}", u.guess->value, words(u.guess->from),
                                at.empty() ? "" : ", " + at);
        }
        fmt::print("{:22}{}\n", "", text);
    }
    for (const StartReport::EquationValue& e : part.equations) {
        const std::string residual = reached ? fmt::format("   residual {:.3g}", e.residual) : std::string();
        fmt::print("{:22}{}{}{}\n", "", e.text, residual, equation_place(e));
    }
}

}  // namespace

void print_start(const StartReport& report, const std::string& model, const Sources& sources) {
    const std::size_t failed = count(report, Outcome::Failed);
    fmt::print("start of {}: {} block{}, {} solved", model, report.parts.size(),
               report.parts.size() == 1 ? "" : "s", count(report, Outcome::Solved));
    if (failed) fmt::print(", {} failed, {} not reached", failed, count(report, Outcome::NotReached));
    fmt::print("{}\n", report.by_homotopy ? "; found by way of the simplified model" : "");
    for (std::size_t i = 0; i < report.parts.size(); ++i) print_part(report.parts[i], i + 1, sources);
}

Json start_json(const StartReport& report, const Sources& sources) {
    const auto number = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
    const auto locate = [&](Json& entry, Span where) {
        if (!where.known()) return;
        const Location at = sources.locate(where);
        entry["file"] = at.file;
        entry["line"] = at.line;
    };
    Json out = {{"byHomotopy", report.by_homotopy}};
    Json values = Json::object(), blocks = Json::array();
    for (const StartReport::Part& part : report.parts) {
        Json one = {{"kind", part.kind == BlockKind::Explicit ? "explicit"
                             : part.kind == BlockKind::Linear ? "linear"
                                                              : "nonlinear"},
                    {"outcome", word(part.outcome)},
                    {"unknowns", Json::array()},
                    {"equations", Json::array()}};
        if (!part.reason.empty()) one["reason"] = part.reason;
        for (const StartReport::UnknownValue& u : part.unknowns) {
            Json unknown = {{"name", u.name}, {"value", number(u.value)}};
            if (part.outcome == Outcome::Solved && std::isfinite(u.value)) values[u.name] = u.value;
            if (u.guess) {
                Json guess = {{"value", number(u.guess->value)}, {"from", words(u.guess->from)}};
                locate(guess, u.guess->where);
                unknown["guess"] = std::move(guess);
            }
            one["unknowns"].push_back(std::move(unknown));
        }
        for (const StartReport::EquationValue& e : part.equations) {
            Json equation = {{"equation", e.text},
                             {"submodel", e.submodel},
                             {"residual", number(e.residual)},
                             {"misfit", number(e.misfit)}};
            locate(equation, e.where);
            one["equations"].push_back(std::move(equation));
        }
        blocks.push_back(std::move(one));
    }
    out["blocks"] = std::move(blocks);
    out["values"] = std::move(values);
    return out;
}

}  // namespace cutset::cli
