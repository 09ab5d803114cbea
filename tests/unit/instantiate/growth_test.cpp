#include "support.h"

using namespace cutset;
using namespace cutset::test;

// Structure repeated many times costs no more than in proportion; the figures are measured in bench/.
TEST(Growth, ChainOfSubmodels) {
    std::string text =
        "model type section\n cut A(Pa / Qa) B(Pb / Qb)\n main path P (A - B)\n parameter k\n local x1";
    for (int i = 2; i <= 10; ++i) text += " x" + std::to_string(i);
    text += "\n Qa + Qb = 0\n Pa - Pb = k*Qa\n x1' = Pa\n";
    for (int i = 2; i <= 10; ++i)
        text += " x" + std::to_string(i) + " = k*sin(x" + std::to_string(i - 1) + ")\n";
    text +=
        "end\nmodel chain\n structure parameter n=2000\n submodel (section) s[n](k=index/n)\n"
        " for i:=1 to n-1 do\n  s[i] to s[i+1]\nend";
    const Flattened run(text);
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(run.model->instances.size(), 2001u);
    EXPECT_EQ(run.model->equations.size(), 2000u * 12 + 1999 * 2 + 2);  // the two ends carry no flow
    EXPECT_EQ(run.model->connection_sets, 1999u);
    EXPECT_EQ(run.value("s[1000].k"), 0.5);
}
