// Whole models as text: parse, instantiate, transform. What users see of this stage.
#include <filesystem>

#include "instantiate/instantiate.h"
#include "languages/dymola/parse.h"
#include "model_builder.h"
#include "transform/choose_known.h"
#include "transform/loose_ends.h"

using namespace cutset;
using namespace cutset::test;

namespace {

struct TextResult : Result {
    Sources sources;
    std::optional<FlatModel> flat;

    std::string rendered() const {
        std::string all;
        for (const Diagnostic& d : diagnostics.all()) all += render(d, sources) + "\n";
        return all;
    }
};

void transform_file(TextResult& r, const std::string& path, const std::string& text,
                    const std::string& model) {
    ClassTree classes;
    classes.files.push_back(dymola::parse_file(r.sources, r.sources.add(path, text), r.diagnostics));
    std::vector<std::string> libraries;
    for (const auto& entry : std::filesystem::directory_iterator(CUTSET_ROOT "/libraries"))
        if (entry.path().extension() == ".dym") libraries.push_back(entry.path());
    std::sort(libraries.begin(), libraries.end());
    for (const std::string& library : libraries) {
        std::string problem;
        const auto content = read_file(library, problem);
        ASSERT_TRUE(content) << problem;
        classes.files.push_back(
            dymola::parse_file(r.sources, r.sources.add(library, *content), r.diagnostics));
    }
    if (r.diagnostics.has_errors()) return;
    r.flat = instantiate(classes, model, {}, r.sources, r.diagnostics);
    if (!r.flat) return;
    TransformOptions options;
    options.verify = true;
    settle_loose_ends(*r.flat);
    r.partition = transform(*r.flat, options, r.diagnostics);
}

void from_text(TextResult& r, const std::string& text, const std::string& model = "") {
    transform_file(r, "test.dym", text, model);
}

const char* const parts = R"(
model type Resistor
  parameter R=1
  cut A(Va / I) B(Vb / -I)
  main path P <A - B>
  local U
  U = Va - Vb
  U = R*I
end
model type Capacitor
  parameter C=1
  cut A(Va / I) B(Vb / -I)
  main path P <A - B>
  local U
  U = Va - Vb
  I = C*der(U, 0)
end
model type Source
  parameter V=10
  cut A(Va / I) B(Vb / -I)
  main path P <A - B>
  Va - Vb = V
end
model type Ground
  main cut A(V / I)
  V = 0
end
)";

TEST(TextModels, RcCircuit) {
    TextResult r;
    from_text(r, std::string(parts) + R"(
model circuit
  submodel (Resistor) R1(R=2)
  submodel (Capacitor) C1(C=0.5)
  submodel (Source) E1(V=10)
  submodel (Ground) G
  node N
  connect E1:A to R1 to C1 to N, E1:B at N, G at N
end
)");
    ASSERT_TRUE(r.partition) << r.rendered();
    EXPECT_EQ(r.names(r.partition->states), std::vector<std::string>{"C1.U"});
    expect_equations_hold(*r.flat, *r.partition);
}

TEST(TextModels, FloatingCircuit) {
    TextResult r;
    from_text(r, std::string(parts) + R"(
model circuit
  submodel (Resistor) R1
  submodel (Capacitor) C1
  submodel (Source) E1
  node N
  connect E1:A to R1 to C1 to N, E1:B at N
end
)");
    ASSERT_FALSE(r.partition);
    EXPECT_NE(r.rendered().find("no reference node"), std::string::npos) << r.rendered();
    EXPECT_EQ(r.diagnostics.error_count(), 1u) << r.rendered();
    for (const char* name : {"R1", "C1", "E1"})
        EXPECT_NE(r.of("no-reference-node").message.find(name), std::string::npos);
}

TEST(TextModels, ContradictorySources) {
    TextResult r;
    from_text(r, std::string(parts) + R"(
model circuit
  submodel (Source) E1(V=5)
  submodel (Source) E2(V=3)
  submodel (Resistor) R1
  submodel (Ground) G
  connect E1 par E2 par R1, E1:B at G
end
)");
    ASSERT_FALSE(r.partition);
    EXPECT_NE(r.rendered().find("contradictory"), std::string::npos) << r.rendered();
    EXPECT_NE(r.rendered().find("E1"), std::string::npos);
    EXPECT_NE(r.rendered().find("E2"), std::string::npos);
}

TEST(TextModels, SecondDerivativeWithStarts) {
    TextResult r;
    from_text(r, R"(
model mass
  parameter m=2, k=8
  local x
  m*der2(x, 1, 3) = -k*x
end
)");
    ASSERT_TRUE(r.partition) << r.rendered();
    Evaluator e(*r.partition);
    e.run(r.partition->initial_blocks);
    EXPECT_DOUBLE_EQ(e.value("x"), 1);
    EXPECT_DOUBLE_EQ(e.value("x", 1), 3);
    EXPECT_DOUBLE_EQ(e.value("der(x)", 1), -4);
}

TEST(TextModels, Examples) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(CUTSET_ROOT "/examples"))
        if (entry.path().extension() == ".dym") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::size_t flattened = 0;
    for (const std::string& file : files) {
        std::string problem;
        const auto text = read_file(file, problem);
        ASSERT_TRUE(text) << problem;
        TextResult r;
        transform_file(r, file, *text, "");
        // Some need an input from the command line.
        if (!r.flat) continue;
        ++flattened;
        EXPECT_TRUE(r.partition) << file << "\n" << r.rendered();
    }
    EXPECT_GE(flattened, 8u);
}

// y - 1 ties the error to the output with a known term; the output still comes from its own submodel.
TEST(TextModels, OutputUsedWithConstant) {
    TextResult r;
    from_text(r, R"(
model type Relay
  input u
  output y
  discrete state=0
  y = state
  when u > 0.5 then
    new(state) = 1
  end
end
model m
  submodel (Relay) N
  local e
  N.u = 1
  e = N.y - 1
end
)");
    EXPECT_FALSE(r.diagnostics.has_errors()) << r.rendered();
    EXPECT_TRUE(r.partition);
}

// The sign of a small error is no event; leaving the region of validity is.
TEST(TextModels, AbsoluteValueInValidity) {
    TextResult r;
    from_text(r, R"(
model m
  local x e
  der(x) = -x
  x(0) = 1
  e = x - exp(-time)
  valid abs(e) < 1e-4
end
)");
    ASSERT_TRUE(r.partition) << r.rendered();
    EXPECT_EQ(r.partition->switches.size(), 1u);
}

// The sum y = u - feedback may be used to eliminate u; y still comes from inside.
TEST(TextModels, DifferenceOfInputs) {
    TextResult r;
    from_text(r, R"(
model m
  submodel (Difference) E
  submodel (Product) P
  local e
  P.u1 = time
  P.u2 = sin(time)
  E.u = time
  E.feedback = P.y
  e = E.y - 4
end
)");
    EXPECT_FALSE(r.diagnostics.has_errors()) << r.rendered();
    EXPECT_TRUE(r.partition);

    TextResult wrong;
    from_text(wrong, R"(
model m
  submodel (Difference) E
  local e
  E.y = time
  E.feedback = sin(time)
  E.u = e
end
)");
    EXPECT_TRUE(wrong.has("output-given-outside") || wrong.has("input-given-inside")) << wrong.rendered();
}

}  // namespace
