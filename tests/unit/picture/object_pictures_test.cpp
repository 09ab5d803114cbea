// Pictures of classes of Modelica, Omola and EL: blocks, lines and texts, with what is inherited, and the
// places that annotations give.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "picture/class_pictures.h"

namespace cutset::picture {
namespace {

struct Drawn {
    ModelText text;
    Diagnostics said;
    std::unique_ptr<ClassPictures> pictures;

    Drawn(const std::string& file, const std::string& content) {
        ModelText::Options options;
        options.tolerant = true;
        options.unsaved = [=](const std::string& path) -> std::optional<std::string> {
            if (path == file) return content;
            return std::nullopt;
        };
        text.load(file, options, said);
        pictures = class_pictures(text, said);
    }
    const ClassPicture& picture(const std::string& key) {
        const ClassPicture* found = pictures->picture(key);
        EXPECT_NE(found, nullptr) << key;
        static const ClassPicture none{};
        return found ? *found : none;
    }
};

const Block* block_of(const ClassPicture& p, const std::string& name) {
    for (const Block& b : p.blocks)
        if (b.name == name) return &b;
    return nullptr;
}

const TextPart* text_of(const ClassPicture& p, const std::string& name) {
    for (const TextPart& t : p.texts)
        if (t.name == name) return &t;
    return nullptr;
}

// "a:p – b:n" of each line.
std::vector<std::string> lines_of(const ClassPicture& p) {
    std::vector<std::string> out;
    const auto end = [&](const LineEnd& e) {
        const std::string name = e.block ? p.blocks[*e.block].name : "";
        return e.port.empty() ? name : name + ":" + e.port;
    };
    for (const Line& l : p.lines) out.push_back(end(l.from) + " - " + end(l.to));
    return out;
}

const char* const circuit = R"(
package Circuit
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;
  connector Input = input Real;
  connector Output = output Real;
  partial model TwoPin "Two pins"
    Pin p annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Pin n annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Real v;
  equation
    v = p.v - n.v;
    p.i + n.i = 0;
  end TwoPin;
  model Resistor "Ohm's law"
    extends TwoPin;
    parameter Real R(unit = "Ohm") = 1 "resistance";
  equation
    v = R*p.i;
    annotation(Icon(graphics = {Rectangle(extent = {{-70, 30}, {70, -30}}, lineColor = {0, 0, 255},
      fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid), Text(extent = {{-9, 9}, {9, -9}}, textString = "%name")}));
  end Resistor;
  block Gain
    Input u;
    Output y;
    parameter Real k = 2;
  equation
    y = k*u;
  end Gain;
  model Loop
    Resistor a(R = 5) annotation(Placement(transformation(extent = {{-60, 10}, {-40, 30}})));
    Resistor b[3] annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, rotation = 90, origin = {30, 0})));
    Gain one, two;
    Missing gone;
  equation
    connect(a.n, b[1].p) annotation(Line(points = {{-40, 20}, {0, 20}, {0, -20}, {30, -20}, {30, -10}}));
    for i in 1:2 loop
      connect(b[i].n, b[i + 1].p);
    end for;
    connect(two.u, one.y);
    if true then
      one.u = 1;
    end if;
  end Loop;
end Circuit;
)";

TEST(ObjectPictures, ModelicaClassesHaveBlocksLinesAndPorts) {
    Drawn d("circuit.mo", circuit);
    const ClassPicture& loop = d.picture("Circuit.Loop");
    EXPECT_EQ(loop.language, "modelica");
    EXPECT_EQ(lines_of(loop), (std::vector<std::string>{"a:n - b:p", "b:n - b:p", "one:y - two:u"}));
    EXPECT_EQ(loop.lines[2].kind, LineKind::Signal)
        << "from the output to the input, whatever the order in connect";
    ASSERT_NE(block_of(loop, "b"), nullptr);
    EXPECT_EQ(block_of(loop, "b")->dimensions, "[3]");
    EXPECT_EQ(block_of(loop, "a")->arguments.at(0).value, "5");
    ASSERT_NE(block_of(loop, "gone"), nullptr);
    EXPECT_EQ(block_of(loop, "gone")->key, "") << "a class that is missing";
    EXPECT_EQ(block_of(loop, "a")->key, "Circuit.Resistor");
}

TEST(ObjectPictures, ModelicaPlacesAreThoseOfTheAnnotations) {
    Drawn d("circuit.mo", circuit);
    const ClassPicture& loop = d.picture("Circuit.Loop");
    const Block &a = *block_of(loop, "a"), &b = *block_of(loop, "b");
    EXPECT_NEAR(b.at.x - a.at.x, 80, 0.01);
    EXPECT_NEAR(b.at.y - a.at.y, -20, 0.01);
    EXPECT_EQ(b.turn, 90);
    EXPECT_EQ(a.width, 20);
    // The way of the line keeps its corners, moved with the blocks.
    ASSERT_EQ(loop.lines[0].via.size(), 3u);
    EXPECT_NEAR(loop.lines[0].via[0].x - a.at.x, 50, 0.01);
    for (const Block& one : loop.blocks) EXPECT_TRUE(one.at.x > 0 && one.at.x < loop.frame.right) << one.name;
}

TEST(ObjectPictures, ModelicaInheritsTextsPortsAndDrawsItsIcon) {
    Drawn d("circuit.mo", circuit);
    const ClassPicture& r = d.picture("Circuit.Resistor");
    ASSERT_EQ(r.ports.size(), 2u);
    EXPECT_EQ(r.ports[0].side, Side::Left);
    EXPECT_EQ(r.ports[1].side, Side::Right);
    ASSERT_EQ(r.ports[0].variables.size(), 2u);
    EXPECT_EQ(r.ports[0].variables[1].role, VariableRole::Through);
    EXPECT_EQ(r.ports[0].variables[1].unit, "A");
    EXPECT_EQ(r.ports[0].variables[0].name, "p.v");  // each port has variables of its own
    EXPECT_EQ(r.ports[1].variables[0].name, "n.v");
    ASSERT_NE(text_of(r, "R"), nullptr);
    EXPECT_EQ(text_of(r, "R")->value, "1");
    EXPECT_EQ(text_of(r, "R")->unit, "Ohm");
    EXPECT_EQ(text_of(r, "R")->inherited, "");
    EXPECT_EQ(text_of(r, "v")->inherited, "TwoPin");
    const auto own = std::count_if(r.texts.begin(), r.texts.end(), [](const TextPart& t) {
        return t.kind == TextKind::Equation && t.inherited.empty();
    });
    EXPECT_EQ(own, 1);
    ASSERT_EQ(r.icon.primitives.size(), 1u) << "%name is what the block shows itself";
    EXPECT_EQ(r.icon.primitives[0].stroke, "#0000ff");
    EXPECT_EQ(r.icon.primitives[0].fill, "#ffffff");
    EXPECT_NEAR(r.icon.primitives[0].points[0].x, -0.7, 1e-9);
}

TEST(ObjectPictures, LinesTakeTheWayOfTheirAnnotation) {
    Drawn d("circuit.mo", circuit);
    const Line& line = d.picture("Circuit.Loop").lines.at(0);
    ASSERT_EQ(line.points.size(), 5u) << "both ends and three corners, no more";
    for (std::size_t k = 1; k < line.points.size(); ++k)
        EXPECT_TRUE(std::abs(line.points[k].x - line.points[k - 1].x) < 0.01 ||
                    std::abs(line.points[k].y - line.points[k - 1].y) < 0.01)
            << "upright or level";
}

TEST(ObjectPictures, ATransferFunctionIsSaidByTheText) {
    Drawn d("lag.mo",
            "model Lag\n  parameter Real b[1] = {2}, a[2] = {1, 3};\n  //@ transfer u y b a\nend Lag;\n");
    const auto& transfer = d.picture("Lag").transfer;
    ASSERT_TRUE(transfer.has_value());
    EXPECT_EQ(transfer->numerator, "b");
    EXPECT_FALSE(transfer->ascending);
}

TEST(ObjectPictures, ConditionsOfEquationsAreTold) {
    Drawn d("circuit.mo", circuit);
    const ClassPicture& loop = d.picture("Circuit.Loop");
    const auto found = std::find_if(loop.texts.begin(), loop.texts.end(),
                                    [](const TextPart& t) { return t.text == "one.u = 1"; });
    ASSERT_NE(found, loop.texts.end());
    EXPECT_EQ(found->condition, "if true");
}

TEST(ObjectPictures, UnfinishedModelicaIsDrawnAsFarAsItGoes) {
    Drawn d("broken.mo",
            "model A\n  Real x;\n  B b;\nequation\n  x = ;\n  der(x) = 1;\nend A;\nmodel B\nend B;\n");
    EXPECT_TRUE(d.said.has_errors());
    const ClassPicture& a = d.picture("A");
    EXPECT_NE(block_of(a, "b"), nullptr);
    EXPECT_FALSE(a.diagnostics.empty());
}

TEST(ObjectPictures, OmolaModelsShowTheirStructure) {
    Drawn d("tanks.om", R"(
Flow ISA SimpleTerminal WITH direction = In; unit = "kg/s"; END;
Out ISA Flow WITH direction = Out; END;
Tank ISA Model WITH
terminals: Inflow ISA Flow; Outflow ISA Out;
parameters: area TYPE Real := 2;
variables: level TYPE Real := 1;
realization:
  Behaviour ISA SetOfDAE WITH equations: area*dot(level) = Inflow - Outflow; Outflow = level; END;
END;
Wide ISA Tank WITH area := 6; END;
Plant ISA Model WITH
realization:
  Parts ISA Structure WITH
    submodels: First ISA Tank; Second ISA Wide;
    connections: First.Outflow AT Second.Inflow;
  END;
END;
)");
    const ClassPicture& plant = d.picture("Plant");
    EXPECT_EQ(lines_of(plant), std::vector<std::string>{"First:Outflow - Second:Inflow"});
    EXPECT_EQ(block_of(plant, "Second")->key, "Wide");
    const ClassPicture& wide = d.picture("Wide");
    ASSERT_EQ(wide.ports.size(), 2u);
    EXPECT_TRUE(wide.ports[1].variables.at(0).negative);
    EXPECT_EQ(wide.ports[1].side, Side::Right);
    ASSERT_NE(text_of(wide, "area"), nullptr);
    EXPECT_EQ(text_of(wide, "area")->value, "6");
    const auto equations = std::count_if(wide.texts.begin(), wide.texts.end(),
                                         [](const TextPart& t) { return t.kind == TextKind::Equation; });
    EXPECT_EQ(equations, 2);
}

TEST(ObjectPictures, ElComponentsShowTheirTopology) {
    Drawn d("plant.el", R"(
PORT wire
  EQUAL REAL v UNITS "V"
  SUM REAL i
END PORT
ABSTRACT COMPONENT twoport
PORTS
  IN wire p
  OUT wire n
DECLS
  REAL u
CONTINUOUS
  u = p.v - n.v
  p.i = n.i
TOPOLOGY
  PATH p TO n
END COMPONENT
COMPONENT resistor IS_A twoport
DATA
  REAL R = 2 "resistance"
CONTINUOUS
  u = R*p.i
END COMPONENT
COMPONENT row
TOPOLOGY
  resistor a(R = 3)
  resistor b[2]
  CONNECT a.n TO b[1].p
  EXPAND (k IN 2, 2) CONNECT b[k-1].n TO b[k].p
END COMPONENT
)");
    const ClassPicture& row = d.picture("row");
    EXPECT_EQ(lines_of(row), (std::vector<std::string>{"a:n - b:p", "b:n - b:p"}));
    ASSERT_EQ(row.lines.size(), 2u);
    EXPECT_EQ(block_of(row, "a")->arguments.at(0).name, "R");
    const ClassPicture& resistor = d.picture("resistor");
    ASSERT_EQ(resistor.ports.size(), 2u);
    EXPECT_EQ(resistor.ports[0].side, Side::Left);
    EXPECT_EQ(resistor.ports[1].side, Side::Right);
    EXPECT_EQ(resistor.ports[0].variables.at(1).role, VariableRole::Through);
    EXPECT_NE(resistor.ports[0].variables.at(1).name, resistor.ports[1].variables.at(1).name);
    EXPECT_EQ(text_of(resistor, "u")->inherited, "twoport");
    EXPECT_EQ(text_of(resistor, "R")->value, "2");
}

TEST(ObjectPictures, IconsShowTheValuesOfTheirUse) {
    Drawn d("two.mo", R"(
model Two
  model Part
    parameter Real R(unit = "Ohm") = 1;
    parameter Boolean hot = false;
    parameter Real free;
    annotation(Icon(graphics = {
      Text(extent = {{-90, 60}, {90, 40}}, textString = "R=%R"), Text(extent = {{-90, 20}, {90, 0}}, textString = "100%% %class %{name}"),
      Text(extent = {{-90, 90}, {90, 70}}, textString = "%name"), Text(extent = {{-90, 90}, {90, 70}}, textString = "%free"),
      Text(extent = {{-90, 90}, {90, 70}}, textString = "%nothing"), Line(points = {{0, 0}, {0, -90}}, visible = hot)}));
  end Part;
  Part a(R = 4.7);
  Part b(R = 2*a.R, hot = true, free = 3);
end Two;
)");
    const auto texts = [](const Icon& icon) {
        std::vector<std::string> out;
        for (const Primitive& p : icon.primitives) out.push_back(p.shape == Shape::Text ? p.text : "line");
        return out;
    };
    const ClassPicture& two = d.picture("Two");
    EXPECT_EQ(texts(block_of(two, "a")->icon), (std::vector<std::string>{"R=4.7 Ohm", "100% Part a"}));
    EXPECT_EQ(texts(block_of(two, "b")->icon),
              (std::vector<std::string>{"R=2*a.R", "100% Part b", "3", "line"}));
    EXPECT_EQ(texts(d.picture("Two.Part").icon), (std::vector<std::string>{"R=1 Ohm", "100% Part Part"}));
}

}  // namespace
}  // namespace cutset::picture
