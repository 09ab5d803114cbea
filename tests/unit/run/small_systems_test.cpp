// Small systems of equations that are well formed and otherwise arbitrary: linear and nonlinear terms,
// derivatives, conditions, initial values, initial equations. Most have no solution; all must end with a
// Program or with a message, whatever the initialization.
#include <cstdio>

#include "random_models.h"
#include "small_model.h"

using namespace cutset;
using namespace cutset::test;

namespace {

class SmallSystem {
  public:
    explicit SmallSystem(Dice& dice) : dice_(dice), n_(std::size_t(dice.between(1, 6))) {
        lines_ = "  parameter p=" + std::to_string(dice_.between(0, 2)) + "\n  local";
        for (std::size_t i = 0; i < n_; ++i) lines_ += " " + name(i);
        lines_ += "\n";
        for (std::size_t i = 0; i < n_; ++i)
            lines_ += "  " + sum() + " = " + (dice_.one_in(2) ? sum() : term()) + "\n";
        for (std::size_t i = 0; i < n_; ++i) {
            if (dice_.one_in(3))
                lines_ += "  " + name(i) + "(0) = " + (dice_.one_in(4) ? sum() : number()) + "\n";
            if (dice_.one_in(8)) lines_ += "  initial " + sum() + " = " + number() + "\n";
        }
    }
    const std::string& lines() const { return lines_; }

  private:
    static std::string name(std::size_t i) { return std::string(1, "xyzuwq"[i]); }
    std::string variable() { return name(std::size_t(dice_.between(0, int(n_) - 1))); }
    std::string number() { return std::to_string(dice_.between(0, 2)); }
    std::string leaf() {
        switch (dice_.between(0, 9)) {
            case 0:
                return "der(" + variable() + ")";
            case 1:
                return dice_.one_in(3) ? "der2(" + variable() + ")" : "der(" + variable() + ")";
            case 2:
                return number();
            case 3:
                return "time";
            default:
                return variable();
        }
    }
    std::string term() {
        switch (dice_.between(0, 15)) {
            case 0:
                return "sin(" + leaf() + ")";
            case 1:
                return leaf() + "*" + leaf();
            case 2:
                return leaf() + "**3";
            case 3:
                return "(if " + leaf() + " > " + leaf() + " then " + leaf() + " else " + leaf() + ")";
            case 4:
                return "p*" + leaf();
            case 5:
                return "ln(" + leaf() + "**2 + 1)";
            case 6:
                return "0*" + leaf();
            case 7:
                return "abs(" + leaf() + ")";
            case 8:
                return dice_.one_in(3) ? "sign(" + leaf() + ")" : "1/(1 + " + leaf() + "**2)";
            case 9:
                return "0.5*" + leaf();
            case 10:
                return "3*" + leaf();
            default:
                return leaf();
        }
    }
    std::string sum() {
        std::string all = dice_.one_in(6) ? "-" + term() : term();
        for (int k = dice_.between(0, 2); k > 0; --k) all += (dice_.one_in(3) ? " - " : " + ") + term();
        return all;
    }

    Dice& dice_;
    std::size_t n_;
    std::string lines_;
};

}  // namespace

TEST(RandomModels, SmallSystemsEndWithAProgramOrAMessage) {
    Dice dice(24);
    ModelAtHand at_hand;
    const std::size_t models = models_to_try(600);
    std::size_t programs = 0, refused = 0, begun = 0;
    for (std::size_t m = 0; m < models; ++m) {
        const SmallSystem system(dice);
        for (InitialMode mode : {InitialMode::Given, InitialMode::Steady, InitialMode::Jump}) {
            at_hand = system.lines();
            SmallRun model(system.lines(), mode);
            if (!model.program) {
                EXPECT_TRUE(model.diagnostics.has_errors()) << system.lines();
                ++refused;
                continue;
            }
            ++programs;
            begun += model.make().begin();
        }
    }
    std::printf(
        "%zu small systems, three initializations each: %zu programs, %zu of them begun, %zu refused\n",
        models, programs, begun, refused);
}
