#include "operations/points/design_study.h"

namespace cutset {

namespace {

std::vector<FoundSetting> settings_of(const StaticPreparation& prepared, const SteadyResult& result,
                                      const SteadyPoint& point) {
    using Kind = FoundSetting::Kind;
    std::vector<FoundSetting> out;
    const std::vector<VariableIndex>& sought = prepared.question.sought;
    for (std::size_t i = 0; i < sought.size(); ++i) {
        const Variability variability = prepared.model.variables[sought[i]].variability;
        const VariableIndex found = result.sought[i];
        const bool initial = variability == Variability::Continuous && found != sought[i];
        out.push_back({variability == Variability::Parameter ? Kind::Parameter
                       : initial                             ? Kind::Initial
                                                             : Kind::Input,
                       prepared.model.path(sought[i]), point.at.values[found.value]});
    }
    return out;
}

}  // namespace

DesignStudy design_study(const StaticPreparation& prepared, const StaticRequest& request,
                         const SteadyOptions& options, Diagnostics& diagnostics) {
    DesignStudy study;
    if (!prepared.boundary) {
        study.result = design(prepared.model, prepared.question, options, diagnostics);
        for (const SteadyPoint& p : study.result.points)
            study.settings.push_back(settings_of(prepared, study.result, p));
        return study;
    }
    study.result = find_steady(prepared.model, prepared.question, options, "solution", diagnostics);
    if (study.result.points.empty()) return study;
    for (const std::string& name : request.unknown)
        if (const auto v = find_named(prepared.model, name, "--unknown", diagnostics))
            study.result.sought.push_back(*v);
    return study;
}

}  // namespace cutset
