#include "flat/boundaries.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "flat/flat_builder.h"
#include "flat/messages.h"
#include "ir/find_variables.h"

namespace cutset {

namespace {

class Boundaries {
  public:
    Boundaries(FlatModel& model, const Experiment& experiment, BoundaryLanguage& language)
        : model_(model), experiment_(experiment), language_(language), builder_(model) {
        for (std::size_t k = 0; k < model.knowns.size(); ++k)
            known_.emplace(model.knowns[k].variable.value, k);
        for (const VariableIndex v : model.freed) freed_.insert(v.value);
    }

    void know(const Experiment::Known& given) {
        const BoundaryTarget to = language_.target(given.path, "--known");
        if (to.variables.empty()) return;
        const Variable& first = model_.variables[to.variables[0]];
        if (first.variability != Variability::Continuous)
            return language_.report(
                flat_messages::known_not_variable(given.path, declared_word(first), first.origin.where,
                                                  first.variability == Variability::Parameter));
        if (known_.contains(to.variables[0].value))
            return language_.report(flat_messages::known_twice("--known", given.path));
        std::vector<Expr> values(to.variables.size(), nullptr);
        if (const written::Expression* value = value_of(given)) {
            values = language_.values(*value, to, "known");
            if (values.empty()) return;
        } else if (given.table) {
            values.assign(values.size(), builder_.over_time(*given.table, given.path));
        }
        for (std::size_t k = 0; k < values.size(); ++k) {
            const VariableIndex v = to.variables[k];
            language_.give(v);
            known_.emplace(v.value, model_.knowns.size());
            model_.knowns.push_back({v, values[k]});
        }
    }

    void free(const std::string& path) {
        for (const VariableIndex v : language_.target(path, "--unknown").variables) {
            if (known_.contains(v.value)) return language_.report(flat_messages::known_and_unknown(path));
            if (auto reason = language_.not_free(path, v)) return language_.report(std::move(*reason));
            language_.give(v);
            model_.freed.push_back(v);
            freed_.insert(v.value);
        }
    }

    void give(const Experiment::Setting& setting) {
        const auto to = input(setting.path);
        if (to) write(*to, language_.values(setting.value, *to, "input"));
    }
    void give(const Experiment::InputFile& file) {
        const auto to = input(file.path);
        if (to) write(*to, std::vector(to->variables.size(), builder_.over_time(file.table, file.path)));
    }

  private:
    // --set b=3 may give the value of `--known b`.
    const written::Expression* value_of(const Experiment::Known& given) const {
        if (given.value) return &*given.value;
        const written::Expression* found = nullptr;
        if (!given.table)
            for (const Experiment::Setting& s : experiment_.parameters)
                if (plain_path(s.path) == plain_path(given.path)) found = &s.value;
        return found;
    }

    // What may be given under that name; reported and nothing where something may not.
    std::optional<BoundaryTarget> input(const std::string& path) {
        BoundaryTarget to = language_.target(path, "--input");
        if (to.variables.empty()) return std::nullopt;
        for (const VariableIndex v : to.variables) {
            const auto problem = why_not(path, v);
            if (!problem) continue;
            language_.report(*problem);
            return std::nullopt;
        }
        return to;
    }

    std::optional<Diagnostic> why_not(const std::string& path, VariableIndex v) {
        if (const auto at = known_.find(v.value); at != known_.end()) {
            if (!model_.knowns[at->second].value) return std::nullopt;
            return flat_messages::known_twice("--input", model_.path(v));
        }
        if (freed_.contains(v.value)) return flat_messages::known_and_unknown(path);
        if (auto reason = language_.not_an_input(path, v)) return reason;
        if (!language_.give(v)) return flat_messages::input_given_twice(path);
        return std::nullopt;
    }

    void write(const BoundaryTarget& to, const std::vector<Expr>& values) {
        for (std::size_t k = 0; k < values.size(); ++k) {
            const VariableIndex v = to.variables[k];
            if (const auto at = known_.find(v.value); at != known_.end())
                model_.knowns[at->second].value = values[k];
            else
                builder_.input(v, values[k]);
        }
    }

    FlatModel& model_;
    const Experiment& experiment_;
    BoundaryLanguage& language_;
    FlatBuilder builder_;
    std::map<std::uint32_t, std::size_t> known_;  // by variable: in FlatModel::knowns
    std::set<std::uint32_t> freed_;
};

}  // namespace

void read_knowns(FlatModel& model, const Experiment& experiment, BoundaryLanguage& language) {
    Boundaries boundaries(model, experiment, language);
    for (const Experiment::Known& given : experiment.knowns) boundaries.know(given);
    for (const std::string& path : experiment.unknowns) boundaries.free(path);
}

void add_inputs(FlatModel& model, const Experiment& experiment, BoundaryLanguage& language) {
    Boundaries boundaries(model, experiment, language);
    for (const Experiment::Setting& setting : experiment.inputs) boundaries.give(setting);
    for (const Experiment::InputFile& file : experiment.input_files) boundaries.give(file);
}

void check_knowns(const FlatModel& model, const Experiment& experiment, BoundaryLanguage& language) {
    if (experiment.open) return;
    std::vector<std::string> missing;
    for (const Known& known : model.knowns)
        if (!known.value) missing.push_back(model.path(known.variable));
    if (!missing.empty()) language.report(flat_messages::knowns_without_value(missing));
}

}  // namespace cutset
