// cutset canonical.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "linear/linear_options.h"
#include "operations/linear/realization_study.h"

namespace cutset::cli {

namespace {

struct CanonicalOptions : CanonicalRequest, OutputOptions {
    std::string output;
};

constexpr std::pair<const char*, std::optional<CanonicalForm>> forms[] = {
    {"controller", CanonicalForm::Controller},
    {"observer", CanonicalForm::Observer},
    {"controllability", CanonicalForm::Controllability},
    {"observability", CanonicalForm::Observability},
    {"modal", CanonicalForm::Modal},
    {"balanced", std::nullopt}};

const char* form_word(std::optional<CanonicalForm> wanted) {
    for (const auto& [word, form] : forms)
        if (form == wanted) return word;
    return "";
}

const StateSpace& system_of(const CanonicalStudy& study) {
    return std::visit([](const auto& r) -> const StateSpace& { return r.system; }, study.realization);
}

Json canonical_json(const CanonicalStudy& study, std::optional<CanonicalForm> form) {
    Json out = {{"form", form_word(form)}};
    if (const auto* balanced = std::get_if<BalancedRealization>(&study.realization)) {
        out["order"] = balanced->order;
        out["hankel_singular_values"] =
            std::vector<double>(balanced->hankel.data(), balanced->hankel.data() + balanced->hankel.size());
        out["error_bound"] = balanced->error_bound;
    } else {
        const auto& canonical = std::get<CanonicalRealization>(study.realization);
        out["T"] = matrix_json(canonical.T);
        out["indices"] = canonical.indices;
        out["condition"] = number_json(canonical.condition);
        out["residual"] = canonical.residual;
    }
    out.update(system_json(system_of(study)));
    return out;
}

void print_summary(const CanonicalStudy& study, std::optional<CanonicalForm> form) {
    if (const auto* balanced = std::get_if<BalancedRealization>(&study.realization)) {
        print_hankel(balanced->hankel);
        if (balanced->order < study.order)
            fmt::print("{} of {} states are kept; the gain differs by at most {} at any frequency\n",
                       balanced->order, study.order, short_number(balanced->error_bound));
        return;
    }
    const auto& canonical = std::get<CanonicalRealization>(study.realization);
    std::string sizes;
    for (Eigen::Index k : canonical.indices) sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", k);
    fmt::print("{} form, blocks of {}; condition of the transformation {:.2g}\n", form_word(form),
               sizes.empty() ? "0" : sizes, canonical.condition);
}

int canonical(const CanonicalOptions& options) {
    const bool speaks = !options.json && !options.quiet;
    return run_study(
        options, canonical_study,
        {.write =
             [&](const CanonicalStudy& study, Diagnostics& diagnostics) {
                 if (speaks) print_summary(study, options.form);
                 return write_system(system_of(study), options.output, !speaks, diagnostics);
             },
         .json = [&](const CanonicalStudy& study) { return canonical_json(study, options.form); },
         .print =
             [&](const CanonicalStudy& study) {
                 if (speaks && options.output.empty()) print_system(system_of(study));
             }});
}

}  // namespace

void add_canonical(CommandLine& line) {
    auto o = std::make_shared<CanonicalOptions>();
    Command& c =
        line.add("canonical", groups::linear, "controller, observer, modal, balanced and other forms",
                 [o] { return canonical(*o); });
    add_linear_options(c, *o);
    Words<std::optional<CanonicalForm>> words;
    for (const auto& [word, form] : forms) words.emplace_back(word, form);
    c.choice("--form", o->form, std::move(words), "which form").required();
    c.choice("--search", o->search, {{"rows", CrateSearch::Rows}, {"columns", CrateSearch::Columns}},
             "controllability and observability form: how independent vectors are searched; default rows");
    c.option("--order", o->order, "balanced: keep so many states (truncation)");
    c.option("-o,--output", o->output, "write the linear system to FILE.json or FILE.mat");
    c.footer(
        "Examples:\n"
        "  cutset canonical plant.json --form controller\n"
        "  cutset canonical plant.json --form modal --json\n"
        "  cutset canonical big.json --form balanced --order 6 -o small.json");
}

}  // namespace cutset::cli
