#include "languages_el/lowering.h"

namespace cutset::el {
namespace {

TEST(ElLower, AMotorWithItsExperiment) {
    const Lowered l(R"(
COMPONENT motorDC
DATA
   REAL J = 2          "moment of inertia"
   REAL K = 3
   REAL f = 0.01
   REAL R = 0.1
   REAL Ke = 0.5
DECLS
   DISCR REAL T "torque"
   REAL w       "speed"
   REAL i, v
INIT
   w = 30              -- initial condition
DISCRETE
   WHEN (w > 1500) THEN
      T = 20
   END WHEN
CONTINUOUS
   J*w' = K*i - f*w - T
   v = R*i + Ke*w
END COMPONENT

EXPERIMENT exp1 ON motorDC.motor2
INIT
   w = 0
BOUNDS
   v = 10
   T = 2
BODY
   REPORT_TABLE("reportAll", " * ")
   TIME = 0
   TSTOP = 5
   CINT = 0.1
   INTEG()
END EXPERIMENT
)");
    EXPECT_EQ(l.messages(),
              "17: boundary-in-when: T is a boundary of this experiment: what WHEN gives it has no effect\n");
    EXPECT_TRUE(l.has("    when (w > 1500) then\n      T = 20\n    end when\n"));
    EXPECT_TRUE(l.has("  package motor2\n    model exp1\n"));
    EXPECT_TRUE(l.has("      Real T = 2 \"torque\"\n      Real w(start = 0) \"speed\"\n"));
}

TEST(ElLower, StatementsGoOnInTheNextLine) {
    const Lowered l(R"(
COMPONENT c
DECLS
   REAL x, y \
      "two"
   REAL z = 3 & REAL u
CONTINUOUS
   x = 1 +
       2
   y = max(x,
           z) /* over
   lines */ & z = ZONE (x > 1) 1
       ZONE (x > 0) 2
       OTHERS
          3
   u = 2**3**2 - -2**2   // 512 + 4
END COMPONENT
)");
    EXPECT_EQ(l.messages(), "");
    EXPECT_TRUE(l.has("x = (1 + 2)"));
    EXPECT_TRUE(l.has("y = max(x, z)"));
    EXPECT_TRUE(l.has("z = (if (x > 1) then 1 elseif (x > 0) then 2 else 3)")) << l.text();
    EXPECT_TRUE(l.has("u = ((2^(3^2)) - (-(2^2)))")) << l.text();
}

TEST(ElLower, SequentialStatementsAreExecutedWithSymbols) {
    const Lowered l(R"(
COMPONENT c
DECLS
   DISCR REAL a, b
   REAL x, p, q
DISCRETE
   WHEN (x > 1) THEN
      a = a + 1
      b = 2*a
      IF (b > 5) THEN
         a = 0
      END IF
      x = 0
   END WHEN
CONTINUOUS
   x' = 1
   SEQUENTIAL
      p = 0
      FOR (i IN 1,3)
         p = p + i*x
      END FOR
      q = p
   END SEQUENTIAL
END COMPONENT
)");
    EXPECT_EQ(l.messages(), "");
    EXPECT_TRUE(l.has("a = (if ((2*(pre(a) + 1)) > 5) then 0 else (pre(a) + 1))")) << l.text();
    EXPECT_TRUE(l.has("b = (2*(pre(a) + 1))")) << l.text();
    EXPECT_TRUE(l.has("reinit(x, 0)")) << l.text();
    EXPECT_TRUE(l.has("q = (((0 + (1*x)) + (2*x)) + (3*x))")) << l.text();
}

TEST(ElLower, SumsOfManyPortsAndMatchedPairs) {
    const Lowered l(R"(
PORT mech
   SUM REAL T
   EQUAL REAL omega
   REAL n
CONTINUOUS
   omega = n*2
END PORT
COMPONENT part
PORTS
   IN mech a
   OUT mech b
END COMPONENT
COMPONENT pair
TOPOLOGY
   part p, q, r
   CONNECT p.b TO q.a
   CONNECT q.b TO r.a, r.b
END COMPONENT
)");
    EXPECT_EQ(l.messages(), "");
    EXPECT_TRUE(l.has("p.b.n = q.a.n")) << l.text();
    EXPECT_TRUE(l.has("r.a.T = (q.b.T + r.b.T)")) << l.text();
    // Of the pair p.b – q.a the port's equation holds once.
    EXPECT_TRUE(l.has("p.b.omega = (p.b.n*2)"));
    EXPECT_FALSE(l.has("q.a.omega = (q.a.n*2)"));
    EXPECT_TRUE(l.has("q.b.omega = (q.b.n*2)"));
}

TEST(ElLower, DeepAndBrokenTextEndsInMessages) {
    std::string deep = "COMPONENT c\nDECLS\nREAL x\nCONTINUOUS\nx = ";
    for (int i = 0; i < 5000; ++i) deep += "(";
    const Lowered brackets(deep);
    EXPECT_FALSE(brackets.messages().empty());
    std::string ifs = "COMPONENT c\nDISCRETE\n";
    for (int i = 0; i < 5000; ++i) ifs += "WHEN (x > 1) THEN\n";
    const Lowered whens(ifs);
    EXPECT_FALSE(whens.messages().empty());
    const Lowered self(
        "COMPONENT a\nTOPOLOGY\n b x\nEND COMPONENT\nCOMPONENT b\nTOPOLOGY\n a x\nEND COMPONENT\n");
    EXPECT_NE(self.messages().find("inside-itself"), std::string::npos);
}

}  // namespace
}  // namespace cutset::el
