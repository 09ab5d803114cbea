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
    EXPECT_EQ(l.messages(), "");
    EXPECT_EQ(l.text(), "");
}

}  // namespace
}  // namespace cutset::el
