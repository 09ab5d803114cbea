#include "flat/boundaries.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "ir/find_variables.h"

namespace cutset {
namespace {

written::Expression number(double value) {
    written::Expression e;
    e.number = value;
    return e;
}

// A language in which expressions are numbers and variables named u… are inputs.
class PlainLanguage : public BoundaryLanguage {
  public:
    explicit PlainLanguage(const FlatModel& model) : model_(model) {}

    BoundaryTarget target(const std::string& path, const char*) override {
        return {find_variables(model_, path), {}};
    }
    std::vector<Expr> values(const written::Expression& value, const BoundaryTarget& of,
                             const char*) override {
        return std::vector<Expr>(of.variables.size(), model_.pool->number(value.number));
    }
    std::optional<Diagnostic> not_free(const std::string& path, VariableIndex v) override {
        return not_an_input(path, v);
    }
    std::optional<Diagnostic> not_an_input(const std::string&, VariableIndex v) override {
        if (model_.variables[v].name.starts_with('u')) return std::nullopt;
        Diagnostic d;
        d.code = "not-an-input";
        return d;
    }
    bool give(VariableIndex v) override { return given_.insert(v.value).second; }
    void report(Diagnostic d) override { codes.push_back(d.code); }

    std::vector<std::string> codes;

  private:
    const FlatModel& model_;
    std::set<std::uint32_t> given_;
};

struct Boundary {
    FlatModel model;
    Experiment experiment;
    PlainLanguage language{model};

    Boundary() {
        for (const char* name : {"u", "u2", "x", "p"}) {
            Variable v;
            v.name = name;
            if (v.name == "p") v.variability = Variability::Parameter;
            model.variables.add(std::move(v));
        }
    }
    void read() {
        read_knowns(model, experiment, language);
        add_inputs(model, experiment, language);
        check_knowns(model, experiment, language);
    }
    std::vector<std::string> equations() const {
        std::vector<std::string> out;
        for (const Equation& e : model.equations) out.push_back(model.text(e));
        return out;
    }
};

TEST(Boundaries, InputIsAnEquation) {
    Boundary b;
    b.experiment.inputs = {{"u", number(3)}};
    b.read();
    EXPECT_TRUE(b.language.codes.empty());
    EXPECT_EQ(b.equations(), std::vector<std::string>{"u = 3"});
}

TEST(Boundaries, InputGivenTwiceIsRefusedAndTheFirstOneStays) {
    Boundary b;
    b.experiment.inputs = {{"u", number(3)}, {"u", number(4)}, {"x", number(1)}};
    b.read();
    EXPECT_EQ(b.language.codes, (std::vector<std::string>{"input-given-twice", "not-an-input"}));
    EXPECT_EQ(b.equations(), std::vector<std::string>{"u = 3"});
}

TEST(Boundaries, KnownTakesItsValueFromWhereItIsGiven) {
    for (const int from : {0, 1, 2}) {
        Boundary b;
        b.experiment.knowns = {{"x", {}, {}}};
        if (from == 0) b.experiment.knowns[0].value = number(7);
        if (from == 1) b.experiment.parameters = {{"x", number(5)}, {"x", number(7)}};  // the later one
        if (from == 2) b.experiment.inputs = {{"x", number(7)}};
        b.read();
        EXPECT_TRUE(b.language.codes.empty()) << from;
        ASSERT_EQ(b.model.knowns.size(), 1u);
        EXPECT_TRUE(b.model.knowns[0].value->is_number(7)) << from;
        EXPECT_TRUE(b.equations().empty());
    }
}

TEST(Boundaries, KnownsThatDoNotFitAreRefused) {
    Boundary b;
    b.experiment.knowns = {{"p", number(1), {}}, {"x", number(1), {}}, {"x", number(2), {}}, {"u", {}, {}}};
    b.experiment.unknowns = {"x", "u2", "p"};
    b.experiment.inputs = {{"u2", number(1)}, {"x", number(3)}};
    b.read();
    EXPECT_EQ(b.language.codes,
              (std::vector<std::string>{"bad-known", "bad-known", "bad-known", "not-an-input", "bad-known",
                                        "bad-known", "known-without-value"}));
    EXPECT_EQ(b.model.freed, std::vector<VariableIndex>{VariableIndex(1)});
    EXPECT_TRUE(b.model.knowns[0].value->is_number(1));
}

TEST(Boundaries, KnownsWithoutValueAreNoErrorWhereOnlyTheStructureIsAsked) {
    Boundary b;
    b.experiment.knowns = {{"x", {}, {}}};
    b.experiment.open = true;
    b.read();
    EXPECT_TRUE(b.language.codes.empty());
}

}  // namespace
}  // namespace cutset
