// Expressions of Modelica text, against what the specification says they are.
#include "objects/evaluator.h"

#include <gtest/gtest.h>

#include <map>

#include "languages/modelica/parse.h"
#include "objects/functions.h"
#include "objects/write_declarations.h"

namespace cutset::objects {
namespace {

class Names : public Scope {
  public:
    std::map<std::string, Value> values;
    std::map<std::string, Meaning> meanings;

    Value value(const object::Name& name, Evaluator& e, Frame& frame) override {
        const object::NamePart& part = name.parts[0];
        const auto found = values.find(part.name);
        if (found == values.end()) {
            Diagnostic d;
            d.code = "unknown-name";
            throw Refused{d};
        }
        if (part.indices.empty()) return found->second;
        return select(e.pool(), found->second, e.indices(part.indices, found->second.dimensions, frame));
    }
    Meaning callable(const object::Name& name) override {
        const auto found = meanings.find(name.parts.back().name);
        return found == meanings.end() ? Meaning() : found->second;
    }
    std::vector<std::shared_ptr<const Callable>> operators(const Callable&, const std::string&) override {
        return {};
    }
    InstanceIndex instance() const override { return InstanceIndex(0); }
    std::string path() const override { return "a.b"; }
};

class EvaluatorTest : public testing::Test {
  protected:
    EvaluatorTest() : evaluator(model, sources, diagnostics) {
        model.name = "M";
        model.instances.add({});
        variable("x", {});
        variable("v", {3});
        variable("A", {2, 3});
        names->values["n"] = Value(Basic::Integer, model.pool->number(3));
    }

    void variable(const std::string& name, const Dimensions& d, Basic type = Basic::Real) {
        const VariableIndex first = model.variables.end_index();
        for (std::size_t k = 0; k < count(d); ++k) {
            Variable v;
            v.name = d.empty() ? name : name + std::to_string(k + 1);
            v.type = type == Basic::Boolean ? ValueType::Boolean : ValueType::Real;
            model.variables.add(v);
        }
        names->values[name] = evaluator.leaf(type_of(type), d, first);
    }

    object::Expression parsed(const std::string& text) {
        const SourceId id = sources.add("test", text);
        auto e = modelica::parse_expression(sources, id, diagnostics);
        EXPECT_TRUE(e) << text;
        return e ? *e : object::Expression();
    }

    std::string shown(const Value& v) {
        std::string text;
        for (std::size_t k = 0; k < v.size(); ++k) {
            if (k) text += ", ";
            if (v.type.basic == Basic::String)
                text += '"' + v.text(k) + '"';
            else
                text += to_text(v.expr(k), model.printer());
        }
        if (v.is_scalar()) return text;
        std::string sizes;
        for (std::uint32_t d : v.dimensions) sizes += (sizes.empty() ? "" : ",") + std::to_string(d);
        return "[" + sizes + "] " + text;
    }

    std::string evaluated(const std::string& text) {
        const object::Expression e = parsed(text);
        Frame frame{*names};
        try {
            const Value v = evaluator.evaluate(e, frame);
            return shown(v);
        } catch (const Refused& r) {
            return "refused: " + r.diagnostic.code;
        }
    }

    FlatModel model;
    Sources sources;
    Diagnostics diagnostics;
    Evaluator evaluator;
    std::shared_ptr<Names> names = std::make_shared<Names>();
};

TEST_F(EvaluatorTest, FoldsNumbersWithTheirTypes) {
    EXPECT_EQ(evaluated("1 + 2*3"), "7");
    EXPECT_EQ(evaluated("7/2"), "3.5");
    EXPECT_EQ(evaluated("mod(-7, 3)"), "2");
    EXPECT_EQ(evaluated("rem(-7, 3)"), "-1");
    EXPECT_EQ(evaluated("div(-7, 3)"), "-2");
    EXPECT_EQ(evaluated("integer(-2.5)"), "-3");
    EXPECT_EQ(evaluated("ceil(2.1)"), "3");
    EXPECT_EQ(evaluated("if 1 < 2 then 10 else nothing"), "10");
    EXPECT_EQ(evaluated("false and nothing"), "false");
    EXPECT_EQ(evaluated("1 + true"), "refused: operand-type");
    EXPECT_EQ(evaluated("String(3) + \"/\" + String(true) + \"/\" + String(0.5)"), "\"3/true/0.5\"");
    EXPECT_EQ(evaluated("String(7, minimumLength = 3, leftJustified = false)"), "\"  7\"");
    EXPECT_EQ(evaluated("\"ab\" < \"b\""), "true");
    EXPECT_EQ(evaluated("getInstanceName()"), "\"M.a.b\"");
}

TEST_F(EvaluatorTest, ComputesWithArraysOfAnySize) {
    EXPECT_EQ(evaluated("{1, 2} + {3, 4}"), "[2] 4, 6");
    EXPECT_EQ(evaluated("{1, 2} + {3}"), "refused: operand-sizes");
    EXPECT_EQ(evaluated("2*{1, 2}"), "[2] 2, 4");
    EXPECT_EQ(evaluated("{1, 2} + 1"), "refused: operand-sizes");
    EXPECT_EQ(evaluated("{1, 2} .+ 1"), "[2] 2, 3");
    EXPECT_EQ(evaluated("[1, 2; 3, 4]*{1, 1}"), "[2] 3, 7");
    EXPECT_EQ(evaluated("{1, 1}*[1, 2; 3, 4]"), "[2] 4, 6");
    EXPECT_EQ(evaluated("{1, 2}*{3, 4}"), "11");
    EXPECT_EQ(evaluated("[1, 1; 0, 1]^3"), "[2,2] 1, 3, 0, 1");
    EXPECT_EQ(evaluated("cross({1, 0, 0}, {0, 1, 0})"), "[3] 0, 0, 1");
    EXPECT_EQ(evaluated("skew({1, 2, 3})"), "[3,3] 0, -3, 2, 3, 0, -1, -2, 1, 0");
    EXPECT_EQ(evaluated("transpose([1, 2, 3])"), "[3,1] 1, 2, 3");
    EXPECT_EQ(evaluated("cat(1, {1}, zeros(0), {2})"), "[2] 1, 2");
    EXPECT_EQ(evaluated("[{1, 2}, {3, 4}]"), "[2,2] 1, 3, 2, 4");
    EXPECT_EQ(evaluated("linspace(0, 1, 3)"), "[3] 0, 0.5, 1");
    EXPECT_EQ(evaluated("size(zeros(0, 4))"), "[2] 0, 4");
    EXPECT_EQ(evaluated("zeros(2, 0)*zeros(0)"), "[2] 0, 0");
    EXPECT_EQ(evaluated("sum(zeros(0))"), "0");
    EXPECT_EQ(evaluated("product(ones(0))"), "1");
    EXPECT_EQ(evaluated("ndims(A)"), "2");
    EXPECT_EQ(evaluated("fill(x, 2)"), "[2] x, x");
}

TEST_F(EvaluatorTest, ChoosesElements) {
    EXPECT_EQ(evaluated("v[2]"), "v2");
    EXPECT_EQ(evaluated("v[end]"), "v3");
    EXPECT_EQ(evaluated("v[2:end]"), "[2] v2, v3");
    EXPECT_EQ(evaluated("v[{3, 1}]"), "[2] v3, v1");
    EXPECT_EQ(evaluated("A[2, :]"), "[3] A4, A5, A6");
    EXPECT_EQ(evaluated("A[:, 1]"), "[2] A1, A4");
    EXPECT_EQ(evaluated("v[4]"), "refused: index-outside");
    EXPECT_EQ(evaluated("v[1.5]"), "refused: index-outside");
}

TEST_F(EvaluatorTest, RepeatsAndReduces) {
    EXPECT_EQ(evaluated("{i*i for i in 1:n}"), "[3] 1, 4, 9");
    EXPECT_EQ(evaluated("{10*i + j for i in 1:2, j in 1:3}"), "[3,2] 11, 21, 12, 22, 13, 23");
    EXPECT_EQ(evaluated("sum(v[i]*i for i)"), "v1 + 2*v2 + 3*v3");
    EXPECT_EQ(evaluated("max(i for i in {3, 7, 5})"), "7");
    EXPECT_EQ(evaluated("sum(i for i in 1:0)"), "0");
    EXPECT_EQ(evaluated("{b for b in Boolean}"), "refused: unknown-name");
    EXPECT_EQ(evaluated("5:-2:0"), "[3] 5, 3, 1");
    EXPECT_EQ(evaluated("1:0"), "[0] ");
    EXPECT_EQ(evaluated("1:0:3"), "refused: range-step");
    EXPECT_EQ(evaluated("sum(i for i)"), "refused: no-range");
}

TEST_F(EvaluatorTest, LeavesWhatVaries) {
    variable("b", {}, Basic::Boolean);
    EXPECT_EQ(evaluated("if b then x else 2*x"), "if b then x else 2*x");
    EXPECT_EQ(evaluated("if b then v else x"), "refused: branch-sizes");
    EXPECT_EQ(evaluated("if x then 1 else 2"), "refused: condition-type");
    EXPECT_EQ(evaluated("zeros(integer(x))"), "refused: not-known");
    EXPECT_EQ(evaluated("String(x)"), "refused: text-varies");
    EXPECT_EQ(evaluated("spatialDistribution(x, x, x, true)"), "refused: not-supported");
    EXPECT_EQ(evaluated("foo(x)"), "refused: unknown-function");
    EXPECT_EQ(evaluated("semiLinear(x, v, v)").substr(0, 4), "[3] ");
}

TEST_F(EvaluatorTest, BoundsDepth) {
    std::string text = "x";
    for (int k = 0; k < 150; ++k) text = "(" + text + " + 1)";
    EXPECT_EQ(evaluated(text), "x + 150");
}

// ---- functions

class FunctionTest : public EvaluatorTest {
  protected:
    // The functions of a text; names of other functions of it are known in each.
    void functions(const std::string& text) {
        const SourceId id = sources.add("functions", text);
        files.push_back(modelica::parse_file(sources, id, diagnostics));
        ASSERT_FALSE(diagnostics.has_errors());
        for (const auto& c : files.back()->classes) {
            auto f = std::make_shared<Callable>();
            f->name = c->name;
            f->declared = c.get();
            f->scope = names;
            const auto& body = std::get<object::LongDefinition>(c->definition);
            for (const object::Element& element : body.elements) {
                if (const auto* m = std::get_if<object::Component>(&element)) {
                    Member member;
                    member.name = m->name;
                    const std::string& type = m->type.parts[0].name;
                    member.type = type_of(type == "Integer"   ? Basic::Integer
                                          : type == "Boolean" ? Basic::Boolean
                                          : type == "String"  ? Basic::String
                                                              : Basic::Real);
                    for (const object::Expression& d : m->dimensions)
                        member.dimensions.push_back({&d, names});
                    if (m->modification && m->modification->value)
                        member.binding = {&*m->modification->value, names};
                    member.causality = m->prefixes.causality;
                    f->members.push_back(std::move(member));
                } else if (const auto* a = std::get_if<object::AlgorithmSection>(&element)) {
                    f->algorithms.push_back({a, names});
                }
            }
            names->meanings[c->name] = std::shared_ptr<const Callable>(f);
        }
    }

    std::vector<std::shared_ptr<object::File>> files;
};

TEST_F(FunctionTest, AreComputedWhereArgumentsAreKnown) {
    functions(R"(
        function fib input Integer n; output Integer y;
        protected Integer a = 0; Integer b = 1; Integer c;
        algorithm
          for i in 1:n loop c := a + b; a := b; b := c; end for;
          y := a;
        end fib;
        function gcd input Integer a; input Integer b; output Integer y;
        protected Integer x = a; Integer z = b; Integer t;
        algorithm
          while z > 0 loop t := mod(x, z); x := z; z := t; end while;
          y := x;
        end gcd;
        function joined input String s[:]; input String between = "-"; output String y = "";
        algorithm
          for i in 1:size(s, 1) loop
            if i > 1 then y := y + between; end if;
            y := y + s[i];
          end for;
        end joined;
        function find input Real x[:]; input Real what; output Integer at = 0;
        algorithm
          for i in 1:size(x, 1) loop
            if x[i] == what then at := i; break; end if;
          end for;
        end find;
        function endless input Integer n; output Integer y = n;
        algorithm
          while true loop y := y + 1; end while;
        end endless;
        function deep input Integer n; output Integer y;
        algorithm
          y := deep(n + 1);
        end deep;)");
    EXPECT_EQ(evaluated("fib(10)"), "55");
    EXPECT_EQ(evaluated("{1, 2}*fib({7, 8})"), "55");  // for each element: 13 + 2*21
    EXPECT_EQ(evaluated("gcd(b = 12, a = 18)"), "6");
    EXPECT_EQ(evaluated("joined({\"a\", \"b\"})"), "\"a-b\"");
    EXPECT_EQ(evaluated("zeros(find({5, 7, 9}, 7))"), "[2] 0, 0");
    EXPECT_EQ(evaluated("fib()"), "refused: argument-missing");
    EXPECT_EQ(evaluated("fib(1, 2)"), "refused: argument-count");
    EXPECT_EQ(evaluated("fib(m = 2)"), "refused: unknown-argument");
    EXPECT_EQ(evaluated("fib(1.5)"), "refused: wrong-type");
    EXPECT_EQ(evaluated("endless(1)"), "refused: too-many-steps");
    EXPECT_EQ(evaluated("deep(1)"), "refused: too-deep");
}

TEST_F(FunctionTest, BecomeFunctionsOfTheFlatModel) {
    functions(R"(
        function twice input Real u; output Real y;
        algorithm
          y := 2*u;
        end twice;
        function largest input Real u[:]; output Real y; output Integer at;
        algorithm
          y := u[1]; at := 1;
          for i in 2:size(u, 1) loop
            if u[i] > y then y := u[i]; at := i; end if;
          end for;
        end largest;)");
    EXPECT_EQ(evaluated("twice(x)"), "2*x");  // short ones are unfolded
    EXPECT_EQ(evaluated("largest(v)"), "largest(v1, v2, v3)");
    EXPECT_EQ(evaluated("largest(v)"), "largest(v1, v2, v3)");
    ASSERT_EQ(model.callees.size(), 1u);  // one for one size
    EXPECT_EQ(evaluated("largest({x, 2})"), "largest(x, 2)");
    ASSERT_EQ(model.callees.size(), 2u);
    const auto& f = std::get<FunctionData>(model.callees[CalleeIndex(0)]);
    EXPECT_EQ(f.inputs, 3u);
    EXPECT_EQ(f.outputs, 2u);
    EXPECT_NO_THROW(verify(model));
    EXPECT_EQ(evaluated("largest({3, 9, 4})"), "9");
}

}  // namespace
}  // namespace cutset::objects
