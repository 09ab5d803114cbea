// What is promised of a Program, and how it reads.
#include <gtest/gtest.h>

#include <stdexcept>

#include "sample_model.h"

namespace cutset {
namespace {

Program lag() {
    SampleModel s;
    const VariableIndex T = s.parameter("T", 5);
    const VariableIndex x = s.state("x"), y = s.variable("y");
    s.assign(y, s.call(Op::Sin, s.at(x)));
    s.assign(x, s.div(s.sub(s.n(1), s.at(y)), s.at(T)), 1);
    return s.program();
}

TEST(ProgramVerifier, AcceptsWhatIsGenerated) {
    EXPECT_NO_THROW(verify(lag()));
}

TEST(ProgramVerifier, RefusesWhatBreaksAPromise) {
    const auto broken = [](auto change) {
        Program p = lag();
        change(p);
        EXPECT_THROW(verify(p), std::logic_error);
    };
    broken([](Program& p) { p.continuous.instructions[0].to = Slot(p.layout.slots); });
    broken([](Program& p) { p.continuous.instructions[0].to = p.layout.constants; });
    broken([](Program& p) { p.continuous.instructions.push_back({Code::Jump, Op::Number, 0}); });
    broken([](Program& p) { p.continuous.instructions.push_back({Code::Solve, Op::Number, 0, 0}); });
    broken([](Program& p) { p.derivatives.number = 99; });
    broken([](Program& p) { p.layout.variable.pop_back(); });
    broken([](Program& p) {
        p.layout.slots += 1;
        p.continuous.instructions[0].a = Slot(p.layout.slots - 1);
    });
}

TEST(ProgramText, NamesWhatLivesInTheSlots) {
    const std::string text = print(lag());
    EXPECT_NE(text.find("continuous: derivatives and auxiliary variables"), std::string::npos) << text;
    EXPECT_NE(text.find("y := sin(x)"), std::string::npos) << text;
    EXPECT_NE(text.find("1 - y"), std::string::npos) << text;
}

}  // namespace
}  // namespace cutset
