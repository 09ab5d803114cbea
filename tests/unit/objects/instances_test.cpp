// What classes become in their instances: lookup, inheritance, modification, redeclaration, structure and
// connections, seen in the equations and parameters of small models.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "languages/modelica/parse.h"
#include "objects/connection_graph.h"
#include "objects/instantiate_objects.h"
#include "objects/library.h"

namespace cutset {

namespace {

struct Flat {
    Sources sources;
    Diagnostics diagnostics;
    std::optional<FlatModel> model;

    std::vector<std::string> equations() const {
        std::vector<std::string> out;
        for (const Equation& e : model->equations) out.push_back(model->text(e));
        return out;
    }
    bool has(const std::string& equation) const {
        const auto all = equations();
        return std::find(all.begin(), all.end(), equation) != all.end();
    }
    double value(const std::string& path) const {
        for (VariableIndex v(0); v < model->variables.end_index(); ++v.value)
            if (model->path(v) == path) return model->variables[v].value;
        ADD_FAILURE() << "no " << path;
        return 0;
    }
    bool has_variable(const std::string& path) const {
        for (VariableIndex v(0); v < model->variables.end_index(); ++v.value)
            if (model->path(v) == path) return true;
        return false;
    }
    std::string first_error() const {
        for (const Diagnostic& d : diagnostics.all())
            if (d.severity == Severity::Error) return d.code;
        return "";
    }
};

// The class of that name in the text as a model.
Flat flatten(const std::string& text, const std::string& name) {
    Flat f;
    ClassLibrary library;
    library.attach(f.sources, f.diagnostics);
    const SourceId id = f.sources.add("text.mo", text);
    library.add(modelica::parse_file(f.sources, id, f.diagnostics));
    f.model = instantiate_objects(library, name, Experiment{}, f.sources, f.diagnostics);
    return f;
}

const char* circuit = R"(
package C
  connector Pin Real v; flow Real i; end Pin;
  partial model OnePort
    Pin p, n; Real v, i;
  equation
    v = p.v - n.v; 0 = p.i + n.i; i = p.i;
  end OnePort;
  model Resistor extends OnePort; parameter Real R = 1; equation R*i = v; end Resistor;
  model Conductor extends OnePort; parameter Real G = 1; equation i = G*v; end Conductor;
  model Ground Pin p; equation p.v = 0; end Ground;
  model Pair
    Pin a, b;
    replaceable Resistor x(R = 3) constrainedby OnePort;
  equation
    connect(a, x.p); connect(x.n, b);
  end Pair;
  model Loop
    Pair pair; Ground g; parameter Boolean more = false; Resistor extra if more;
  equation
    connect(pair.a, g.p); connect(pair.b, g.p); connect(extra.p, g.p); connect(extra.n, g.p);
  end Loop;
  model Other extends Loop(pair(redeclare Conductor x(G = 7)), more = true); end Other;
  model Wrong extends Loop(pair.x.v(start = 1), g(redeclare Pin p)); end Wrong;
end C;
)";

}  // namespace

TEST(Connections, flows_sum_with_signs_by_side_and_unconnected_ones_are_zero) {
    const Flat f = flatten(circuit, "C.Loop");
    ASSERT_TRUE(f.model);
    EXPECT_TRUE(f.has("pair.x.p.i - pair.a.i = 0"));
    EXPECT_TRUE(f.has("pair.a.i + g.p.i + pair.b.i = 0"));
    EXPECT_FALSE(f.has_variable("extra.v"));
    const Flat open = flatten(R"(package P connector Pin Real v; flow Real i; end Pin;
        model M Pin p; equation p.v = 1; end M; end P;)",
                              "P.M");
    ASSERT_TRUE(open.model);
    EXPECT_TRUE(open.has("p.i = 0"));
}

TEST(Redeclaration, replaces_a_component_and_conditions_follow_modifications) {
    const Flat f = flatten(circuit, "C.Other");
    ASSERT_TRUE(f.model);
    EXPECT_EQ(f.value("pair.x.G"), 7);
    EXPECT_FALSE(f.has_variable("pair.x.R"));
    EXPECT_TRUE(f.has_variable("extra.v"));
    EXPECT_EQ(flatten(circuit, "C.Wrong").first_error(), "not-replaceable");
}

TEST(Redeclaration, gives_a_package_and_its_constants_another_meaning) {
    const Flat f = flatten(R"(
package P
  partial package Medium constant Integer n = 1; replaceable partial function h input Real T; output Real y; end h;
    model Base Real x[n]; equation x = fill(h(2), n); end Base; end Medium;
  package Water extends Medium(n = 2);
    redeclare function extends h algorithm y := 3*T; end h; end Water;
  model Pipe replaceable package M = Medium constrainedby Medium; M.Base base; Real y = base.x[M.n]; end Pipe;
  model Plant package M = Water; Pipe pipe(redeclare package M = M); end Plant;
end P;)",
                           "P.Plant");
    ASSERT_TRUE(f.model) << render(f.diagnostics.all().at(0), f.sources);
    EXPECT_TRUE(f.has("pipe.base.x[2] = 6"));
    EXPECT_TRUE(f.has("pipe.y = pipe.base.x[2]"));
}

TEST(Lookup, follows_imports_of_all_forms_and_stops_at_encapsulated_classes) {
    const Flat f = flatten(R"(
package P
  package A constant Real a = 1; constant Real b = 2; constant Real c = 3; constant Real d = 4; end A;
  model M import P.A; import D = P.A.d; import P.A.{b, c}; import P.A.*;
    parameter Real x = A.a; parameter Real y = D; parameter Real z = b + c; parameter Real w = a; end M;
  constant Real outside = 5;
  encapsulated model E parameter Real x = outside; end E;
end P;)",
                           "P.M");
    ASSERT_TRUE(f.model);
    EXPECT_EQ(f.value("x"), 1);
    EXPECT_EQ(f.value("y"), 4);
    EXPECT_EQ(f.value("z"), 5);
    EXPECT_EQ(f.value("w"), 1);
    EXPECT_EQ(
        flatten("package P constant Real o = 5; encapsulated model E parameter Real x = o; end E; end P;",
                "P.E")
            .first_error(),
        "unknown-name");
}

TEST(Lookup, means_names_of_an_inherited_class_where_it_was_written) {
    const Flat f = flatten(R"(
package P
  package A constant Real k = 2; model B parameter Real x = k; end B; end A;
  model C extends A.B; constant Real k = 9; parameter Real y = k; end C;
end P;)",
                           "P.C");
    ASSERT_TRUE(f.model);
    EXPECT_EQ(f.value("x"), 2);
    EXPECT_EQ(f.value("y"), 9);
}

TEST(Modification, of_arrays_is_taken_apart_where_it_is_used) {
    const Flat f = flatten(R"(
package P
  model R parameter Real a = 0; parameter Real b[2] = {0, 0}; end R;
  model Q R r[2](a = {1, 2}, each b = {3, 4}); end Q;
  model M Q q[2](r(a = {{10, 20}, {30, 40}})); R one(b = {5, 6}); end M;
end P;)",
                           "P.M");
    ASSERT_TRUE(f.model) << render(f.diagnostics.all().at(0), f.sources);
    EXPECT_EQ(f.value("q[2].r[1].a"), 30);
    EXPECT_EQ(f.value("q[1].r[2].a"), 20);
    EXPECT_EQ(f.value("q[1].r[2].b[2]"), 4);
    EXPECT_EQ(f.value("one.b[1]"), 5);
}

TEST(Modification, refuses_what_is_final_and_what_is_not_there) {
    const char* text = R"(
package P
  model R final parameter Real a = 1; parameter Real b = 2; end R;
  model F R r(a = 2); end F;
  model U R r(c = 2); end U;
  model T R r(b = 2); R s[2](each b = 4); end T;
end P;)";
    EXPECT_EQ(flatten(text, "P.F").first_error(), "final-modified");
    EXPECT_EQ(flatten(text, "P.U").first_error(), "unknown-modifier");
    EXPECT_EQ(flatten(text, "P.T").first_error(), "");
}

TEST(Instances, refuse_classes_that_contain_or_extend_themselves) {
    EXPECT_EQ(flatten("model A A a; end A;", "A").first_error(), "contains-itself");
    EXPECT_EQ(
        flatten("package P model A extends B; end A; model B extends A; end B; end P;", "P.A").first_error(),
        "inherits-itself");
    EXPECT_EQ(flatten("model A parameter Integer n = size(x, 1); Real x[n]; end A;", "A").first_error(),
              "value-cycle");
}

TEST(Instances, find_the_inner_component_of_an_outer_one) {
    const Flat f = flatten(R"(
package P
  model World parameter Real g = 9; end World;
  model Body outer World world; Real x = world.g; end Body;
  model Box Body body; end Box;
  model M inner World world(g = 3); Box box; end M;
end P;)",
                           "P.M");
    ASSERT_TRUE(f.model);
    EXPECT_TRUE(f.has("box.body.x = world.g"));
    EXPECT_EQ(f.value("world.g"), 3);
    const Flat alone = flatten(R"(
package P
  model World parameter Real g = 9; end World;
  model M outer World world; Real x = world.g; end M;
end P;)",
                               "P.M");
    ASSERT_TRUE(alone.model);
    EXPECT_EQ(alone.value("world.g"), 9);
    EXPECT_EQ(alone.diagnostics.all().at(0).code, "inner-made");
}

TEST(Connections, of_streams_mix_what_flows_out) {
    const Flat f = flatten(R"(
package P
  connector Port Real p; flow Real m; stream Real h; end Port;
  model Source Port a; parameter Real h0; Real seen = inStream(a.h); equation a.h = h0; a.p = 1; end Source;
  model Sink Port a; Real seen = inStream(a.h); equation a.h = 0; a.m = 1; end Sink;
  model M Source s(h0 = 4); Sink t; equation connect(s.a, t.a); end M;
end P;)",
                           "P.M");
    ASSERT_TRUE(f.model) << render(f.diagnostics.all().at(0), f.sources);
    EXPECT_TRUE(f.has("t.seen = s.a.h"));
    EXPECT_TRUE(f.has("s.seen = t.a.h"));
}

TEST(Connections, say_how_connectors_differ) {
    const char* text = R"(
package P
  connector A Real v; flow Real i; end A;
  connector B Real v; flow Real j; end B;
  model M A a; A b[2]; B c; Real x; equation connect(a, c); end M;
  model N A a; A b[2]; equation connect(a, b); end N;
end P;)";
    EXPECT_EQ(flatten(text, "P.M").first_error(), "connectors-differ");
    EXPECT_EQ(flatten(text, "P.N").first_error(), "connected-sizes");
}

TEST(ConnectionGraph, breaks_the_connection_that_closes_a_ring) {
    objects::ComponentInstance a, b, c, d;
    objects::ConnectionGraph graph;
    graph.add_branch(a, b);
    graph.add_branch(c, d);
    graph.add_connection({&b, &c});
    graph.add_connection({&d, &a});
    graph.add_potential_root(d, 1);
    graph.add_potential_root(a, 0);
    graph.settle();
    ASSERT_EQ(graph.broken().size(), 1u);
    EXPECT_EQ(graph.broken()[0].a, &d);
    EXPECT_TRUE(graph.is_root(a));
    EXPECT_FALSE(graph.is_root(d));
    EXPECT_TRUE(graph.is_rooted(c));
    EXPECT_FALSE(graph.is_rooted(d));
}

}  // namespace cutset
