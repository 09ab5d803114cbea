#include "operations/structure/structure_json.h"

#include <utility>

namespace cutset {

namespace {

const char* reason_name(TornReason reason) {
    switch (reason) {
        case TornReason::Single:
            return "single";
        case TornReason::Chosen:
            return "chosen";
        case TornReason::NotSolvable:
            return "not-solvable";
        case TornReason::MayDivideByZero:
            return "may-divide-by-zero";
        case TornReason::LongChain:
            return "long-chain";
        case TornReason::FewestIterated:
            return "fewest-iterated";
    }
    return "";
}

const char* method_name(const Block& block) {
    if (block.symbolic) return "formula";
    if (block.kind == BlockKind::Nonlinear) return "newton";
    return block.constant_matrix ? "lu-once" : "lu";
}

const Equation& written_equation(const FlatModel& model, EquationIndex e, bool from_initial) {
    return from_initial ? model.initial_equations[e] : model.equations[e];
}

Json loop_json(const FlatModel& model, const Places& places, const Block& block, bool initial) {
    const Printer printer = model.printer();
    const auto with_place = [&](Json one, EquationIndex index, bool from_initial) {
        const Equation& e = written_equation(model, index, from_initial);
        one["equation"] = model.text(e);
        one["submodel"] = model.path(e.origin.instance);
        put_place(one, e.origin.where, places);
        return one;
    };
    Json variables = Json::array();
    for (const SolvedEquation& s : block.inner) variables.push_back(unknown_name(model, s.unknown));
    for (const Unknown& u : block.torn) variables.push_back(unknown_name(model, u));
    Json out = {{"size", block.loop_size},
                {"torn", block.torn.size()},
                {"variables", std::move(variables)},
                {"initial", initial},
                {"linear", block.kind != BlockKind::Nonlinear},
                {"method", method_name(block)},
                {"iterated", Json::array()},
                {"assignments", Json::array()},
                {"residuals", Json::array()}};
    for (std::size_t i = 0; i < block.torn.size(); ++i)
        out["iterated"].push_back({{"variable", unknown_name(model, block.torn[i])},
                                   {"why", i < block.why.size() ? reason_name(block.why[i]) : ""}});
    for (const SolvedEquation& s : block.inner)
        out["assignments"].push_back(
            with_place({{"variable", unknown_name(model, s.unknown)}, {"value", to_text(s.value, printer)}},
                       s.equation, s.from_initial));
    for (const ResidualEquation& r : block.residuals)
        out["residuals"].push_back(
            with_place({{"residual", to_text(r.residual, printer)}}, r.equation, r.from_initial));
    return out;
}

}  // namespace

const char* reason_text(TornReason reason) {
    switch (reason) {
        case TornReason::Single:
            return "its equation cannot be solved for it by formula";
        case TornReason::Chosen:
            return "chosen by --tear";
        case TornReason::NotSolvable:
            return "no equation of the loop can be solved for it by formula";
        case TornReason::MayDivideByZero:
            return "solving for it would divide by what may be 0";
        case TornReason::LongChain:
            return "cuts a long chain of assignments, which would amplify errors";
        case TornReason::FewestIterated:
            return "once it is known the most equations can be computed one after the other";
    }
    return "";
}

std::string unknown_name(const FlatModel& model, const Unknown& u) {
    return model.path(u.variable) + (u.order ? "'" : "");
}

Json equations_json(const Partition& partition, const Places& places) {
    const FlatModel& model = partition.model;
    const Printer printer = model.printer();
    const auto place_origin = [&](Json& entry, const Origin& origin) {
        entry["submodel"] = model.path(origin.instance);
        put_place(entry, origin.where, places);
    };
    const auto place = [&](Json& entry, EquationIndex e, bool from_initial) {
        place_origin(entry, (from_initial ? model.initial_equations[e] : model.equations[e]).origin);
    };
    Json out = {{"model", model.name},
                {"states", Json::array()},
                {"discrete", Json::array()},
                {"blocks", Json::array()},
                {"eliminated", Json::array()}};
    for (VariableIndex v : shown_states(partition)) out["states"].push_back(model.path(v));
    for (const DiscreteAssignment& d : partition.discrete) {
        Json entry = {{"variable", model.path(d.variable)}, {"value", to_text(d.value, d.variable, printer)}};
        place_origin(entry, d.origin);
        out["discrete"].push_back(std::move(entry));
    }
    for (const Block& block : partition.blocks) {
        Json one;
        one["kind"] = block.torn.empty()                ? "explicit"
                      : block.kind == BlockKind::Linear ? "linear"
                                                        : "nonlinear";
        one["assignments"] = Json::array();
        for (const SolvedEquation& s : block.inner) {
            Json entry = {{"variable", unknown_name(model, s.unknown)}, {"value", to_text(s.value, printer)}};
            place(entry, s.equation, s.from_initial);
            one["assignments"].push_back(std::move(entry));
        }
        for (const Unknown& u : block.torn) one["iterated"].push_back(unknown_name(model, u));
        for (const ResidualEquation& r : block.residuals) {
            Json entry = {{"residual", to_text(r.residual, printer)}};
            place(entry, r.equation, r.from_initial);
            one["residuals"].push_back(std::move(entry));
        }
        out["blocks"].push_back(std::move(one));
    }
    for (const Eliminated& e : partition.eliminated)
        out["eliminated"].push_back(
            {{"variable", model.path(e.variable)}, {"value", to_text(e.value, printer)}});
    return out;
}

Json equations_json(const FlatModel& model, const Places& places) {
    Json out = {{"model", model.name}, {"equations", Json::array()}};
    const auto add = [&](const Equation& e, bool discrete) {
        Json entry = {{"equation", model.text(e)}, {"submodel", model.path(e.origin.instance)}};
        if (discrete) entry["discrete"] = true;
        put_place(entry, e.origin.where, places);
        out["equations"].push_back(std::move(entry));
    };
    for (const Equation& e : model.equations) add(e, false);
    for (const Equation& e : model.discrete_equations) add(e, true);
    return out;
}

Json loops_json(const Partition& partition, const Places& places) {
    Json out = Json::array();
    for (const Block& block : partition.blocks)
        if (block.loop_size > 0) out.push_back(loop_json(partition.model, places, block, false));
    for (const Block& block : partition.initial_blocks)
        if (block.loop_size > 0) out.push_back(loop_json(partition.model, places, block, true));
    return out;
}

Json state_json(const StateReason& reason, const FlatModel& model, const Places& places) {
    using Answer = StateReason::Answer;
    Json out = {{"variable", model.path(reason.variable)},
                {"state", reason.answer == Answer::State     ? "yes"
                          : reason.answer == Answer::AtTimes ? "at-times"
                                                             : "no"},
                {"reason", reason.text}};
    if (!reason.by) return out;
    const Equation& e = model.equations[*reason.by];
    out["equation"] = model.text(e);
    put_place(out, e.origin.where, places);
    return out;
}

Json states_json(const Partition& partition, const Places& places) {
    Json out = Json::array();
    for (const StateReason& r : why_states(partition)) out.push_back(state_json(r, partition.model, places));
    return out;
}

Json where_json(const WhereAnswer& answer, const FlatModel& model, const Places& places,
                const std::string& name) {
    auto list = [&](const std::vector<VariableIndex>& variables) {
        Json out = Json::array();
        for (VariableIndex v : variables) out.push_back(model.path(v));
        return out;
    };
    Json out = {{"variable", name},
                {"states", list(answer.states)},
                {"inputs", list(answer.inputs)},
                {"discretes", list(answer.discretes)},
                {"parameters", list(answer.parameters)},
                {"time", answer.uses_time},
                {"steps", Json::array()}};
    for (const WhereStep& s : answer.steps) {
        Json step = {{"equation", s.text}, {"submodel", s.submodel}, {"system", s.system}};
        put_place(step, s.where, places);
        out["steps"].push_back(std::move(step));
    }
    return out;
}

Json incidence_json(const IncidencePicture& picture, const FlatModel& model, const Places& places) {
    Json out = {
        {"rows", picture.rows},           {"columns", picture.columns},           {"elements", Json::array()},
        {"row_names", picture.row_names}, {"column_names", picture.column_names}, {"places", Json::array()},
        {"loops", Json::array()}};
    for (const auto& [row, column] : picture.elements) out["elements"].push_back({row, column});
    for (const Origin& origin : picture.origins) {
        Json place = {{"submodel", model.path(origin.instance)}};
        put_place(place, origin.where, places);
        out["places"].push_back(std::move(place));
    }
    for (const IncidencePicture::Square& s : picture.loops)
        out["loops"].push_back({{"first", s.first}, {"size", s.size}});
    return out;
}

}  // namespace cutset
