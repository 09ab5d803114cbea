#include "languages_omola/lowering.h"

namespace cutset::omola {
namespace {

TEST(OmolaLower, DirectionsUnitsAndValuesOfConnections) {
    const Lowered l(R"(
In ISA SimpleTerminal WITH unit := "kg/s"; direction := in; END;
Out ISA In WITH direction := out; END;
Grams ISA In WITH unit := "g/s"; END;
Wide ISA SimpleTerminal WITH variability := parameter; END;
Pipe ISA RecordTerminal WITH components: q ISA In; d ISA Wide; END;
PipeOut ISA Pipe WITH components: q ISA Out; END;
A ISA Model WITH terminals: x ISA Pipe; y ISA PipeOut; s ISA Grams; END;
S ISA Model WITH
  terminals: own ISA Pipe;
  realization: r ISA Structure WITH
    submodels: a ISA A WITH y.d := 0.5; END; b ISA A; c ISA A;
    connections:
      own AT a.x;
      a.y AT b.x;
      b.y.q AT c.s;
  END;
END;
)");
    EXPECT_EQ(l.messages(), "");
    EXPECT_TRUE(l.has("a.x.q = own.q")) << l.text();
    EXPECT_TRUE(l.has("b.x.q = a.y.q")) << l.text();
    EXPECT_TRUE(l.has(".A a(y(d = 0.5), x(d = own.d))")) << l.text();
    EXPECT_TRUE(l.has(".A b(x(d = a.y.d))")) << l.text();
    EXPECT_TRUE(l.has("(0.001*c.s) = b.y.q")) << l.text();
}

TEST(OmolaLower, SubmodelsAreRedefinedFromTheModel) {
    const Lowered l(R"(
Base ISA Model WITH terminals: u ISA SimpleTerminal; END;
First ISA Base WITH parameters: k TYPE Real := 1; realization: e ISA SetOfDAE WITH equations: u = k; END; END;
Second ISA Base WITH realization: e ISA SetOfDAE WITH equations: u = 2; END; END;
Other ISA Model WITH terminals: v ISA SimpleTerminal; END;
Plant ISA Model WITH realization: s ISA Structure WITH submodels: c ISA First WITH k := 3; END; d ISA First; END; END;
Better ISA Plant WITH c ISA Second; END;
Worse ISA Plant WITH c ISA Other; END;
)");
    EXPECT_TRUE(l.has("model Better\n  .Second c\n  .First d\n")) << l.text();
    EXPECT_TRUE(l.has("model Plant\n  .First c(k = 3)\n")) << l.text();
    EXPECT_NE(l.messages().find("terminals-differ"), std::string::npos) << l.messages();
}

TEST(OmolaLower, ConnectionsThatDoNotFit) {
    const Lowered l(R"(
P ISA SimpleTerminal WITH quantity := pressure; unit := kPa; END;
T ISA SimpleTerminal WITH quantity := temperature; unit := K; END;
F ISA SimpleTerminal WITH direction := in; END;
R ISA RecordTerminal WITH attributes: medium TYPE String := "water"; components: p ISA P; END;
O ISA R WITH medium := "oil"; END;
M ISA Model WITH terminals: p ISA P; t ISA T; f ISA F; r ISA R; o ISA O; END;
S ISA Model WITH realization: s ISA Structure WITH
  submodels: a ISA M; b ISA M;
  connections: a.p AT b.t; a.p AT b.f; a.r AT b.o; a.r AT b.p; a.r AT b; END;
END;
)");
    for (const char* code :
         {"quantities-differ", "units-differ", "across-with-through", "words-differ", "not-a-terminal"})
        EXPECT_NE(l.messages().find(code), std::string::npos) << code << "\n" << l.messages();
}

TEST(OmolaLower, DeepAndBrokenTextEndsInMessages) {
    std::string deep = "A ISA Model WITH realization: r ISA SetOfDAE WITH equations: x = ";
    for (int i = 0; i < 5000; ++i) deep += "(";
    EXPECT_FALSE(Lowered(deep).messages().empty());
    std::string nested;
    for (int i = 0; i < 5000; ++i) nested += "A ISA Model WITH submodels: ";
    EXPECT_FALSE(Lowered(nested).messages().empty());
    EXPECT_NE(Lowered("A ISA B; B ISA A;").messages().find("inside-itself"), std::string::npos);
    EXPECT_NE(Lowered("A ISA Model WITH submodels: x ISA A; END;").messages().find("inside-itself"),
              std::string::npos);
}

}  // namespace
}  // namespace cutset::omola
