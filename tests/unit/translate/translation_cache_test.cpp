// Programs that are kept on disk: they run as those that were translated, and serve only what they were made
// for.
#include "translate/translation_cache.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "ir/archive.h"
#include "translate/translator.h"

namespace cutset {
namespace {

namespace fs = std::filesystem;

class KeptRows : public RowSink {
  public:
    std::optional<std::string> begin(const Columns& columns) override {
        for (const Column& c : columns) names.push_back(c.name);
        return std::nullopt;
    }
    std::optional<std::string> row(std::span<const double> row) override {
        values.insert(values.end(), row.begin(), row.end());
        return std::nullopt;
    }
    std::vector<std::string> names;
    std::vector<double> values;
};

KeptRows run(const Program& program, SimulateOptions options = {}) {
    options.stop = 0.3;
    options.points = 7;
    KeptRows rows;
    Diagnostics diagnostics;
    simulate(program, options, rows, diagnostics);
    return rows;
}

std::shared_ptr<const Program> program_of(Workspace& workspace, JacobianKind jacobian = JacobianKind::None) {
    TranslationQuestion question;
    question.jacobian = jacobian;
    const auto translation = Translator(workspace).translate(question, workspace.diagnostics);
    return translation ? translation->program : nullptr;
}

TranslationCache::Kept as_made(std::shared_ptr<const Program> program) {
    TranslationCache::Kept kept;
    kept.translation.program = std::move(program);
    return kept;
}

TEST(Archive, examples_run_the_same) {
    std::size_t tried = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(CUTSET_ROOT) / "examples")) {
        if (entry.path().extension() != ".dym") continue;
        Workspace workspace;
        if (!workspace.text.load(entry.path().string(), {}, workspace.diagnostics)) continue;
        const auto program = program_of(workspace, JacobianKind::States);
        if (!program) continue;
        ++tried;
        const auto bytes = archive(*program, workspace.diagnostics.all());
        ASSERT_TRUE(bytes) << entry.path();
        const auto again = unarchive(*bytes);
        ASSERT_TRUE(again) << entry.path();
        EXPECT_EQ(again->messages.size(), workspace.diagnostics.all().size());
        EXPECT_EQ(print(*again->program.partition), print(*program->partition)) << entry.path();
        const KeptRows one = run(*program), two = run(again->program);
        EXPECT_EQ(one.names, two.names) << entry.path();
        const bool equal =
            std::equal(one.values.begin(), one.values.end(), two.values.begin(), two.values.end(),
                       [](double a, double b) { return a == b || (a != a && b != b); });
        EXPECT_TRUE(equal) << entry.path();
    }
    EXPECT_GT(tried, 20u);
}

Workspace loaded(const std::string& text) {
    const fs::path file = fs::temp_directory_path() / "cutset-archive-test.dym";
    std::ofstream(file) << text;
    Workspace workspace;
    EXPECT_TRUE(workspace.text.load(file.string(), {}, workspace.diagnostics));
    fs::remove(file);
    return workspace;
}

TEST(Archive, numbers_keep_their_bits) {
    Workspace workspace = loaded(
        "model m\n  parameter a=0.1 b=-1.7976931348623157e308 c=5e-324 d=2 e=-3 f=1e-7 g=123456789.123\n"
        "  local x y\n  der(x) = 0.30000000000000004*a + b*0 + c + d*e*f + 4503599627370497*y\n"
        "  y = 1/3*g - 65536\n  x(0) = -1e300\nend\n");
    const auto program = program_of(workspace);
    ASSERT_TRUE(program);
    const auto again = unarchive(*archive(*program, {}));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->program.constants, program->constants);
    const FlatModel &one = program->partition->model, &two = again->program.partition->model;
    for (VariableIndex v(0); v < one.variables.end_index(); ++v.value)
        EXPECT_EQ(one.variables[v].value, two.variables[v].value) << one.path(v);
    EXPECT_EQ(run(*program).values, run(again->program).values);
}

// A model of a million equations must find its place in the cache.
TEST(Archive, takes_a_few_bytes_for_each_equation) {
    Workspace workspace = loaded(
        "library \"" CUTSET_ROOT
        "/libraries/electrical.dym\"\nmodel type Cell\n  cut p n\n  main path (p - n)\n  parameter R C\n"
        "  submodel (Resistor) r(R=R)\n  submodel (Capacitor) c(C=C)\n  submodel Ground\n  p to r to n\n"
        "  n to c to Ground\nend\nmodel ladder\n  structure parameter n=1000\n  submodel (VoltageSource) "
        "source\n"
        "  submodel Ground\n  submodel (Cell) cell[n](R=1/index, C=1/index**2)\n"
        "  Ground to source..(n - p) to cell[1]\n  for i:=1 to n-1 do cell[i] to cell[i+1]\n"
        "  source.V = sin(time)\nend\n");
    const auto program = program_of(workspace, JacobianKind::States);
    ASSERT_TRUE(program);
    const auto bytes = archive(*program, {});
    ASSERT_TRUE(bytes);
    EXPECT_LT(bytes->size(), 150 * program->partition->model.equations.size());
}

TEST(Archive, damaged_bytes_give_nothing) {
    Workspace workspace;
    ASSERT_TRUE(
        workspace.text.load(std::string(CUTSET_ROOT) + "/examples/tanks.dym", {}, workspace.diagnostics));
    const auto program = program_of(workspace);
    ASSERT_TRUE(program);
    const std::string bytes = *archive(*program, {});
    for (std::size_t at = 0; at < bytes.size(); at += 97) {
        std::string damaged = bytes;
        damaged[at] = char(damaged[at] ^ 0x10);
        EXPECT_FALSE(unarchive(damaged)) << at;
    }
    EXPECT_FALSE(unarchive(bytes.substr(0, bytes.size() / 2)));
    EXPECT_FALSE(unarchive(""));
}

class Kept : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / "cutset-cache-test";
        fs::remove_all(folder_);
        fs::create_directories(folder_);
        write("model m\n  parameter a=2\n  local x\n  der(x) = -a*x\n  x(0) = 1\nend\n");
    }
    void TearDown() override { fs::remove_all(folder_); }
    void write(const std::string& text) { std::ofstream(file()) << text; }
    std::string file() const { return (folder_ / "m.dym").string(); }
    bool stored_then_found(const std::string& asked_first, const std::string& asked_then) {
        Workspace workspace;
        EXPECT_TRUE(workspace.text.load(file(), {}, workspace.diagnostics));
        const auto program = program_of(workspace);
        cache_.store(asked_first, workspace, workspace.diagnostics, as_made(program));
        Workspace other;
        return cache_.find(asked_then, other).has_value();
    }
    fs::path folder_;
    TranslationCache cache_{(fs::temp_directory_path() / "cutset-cache-test" / "cache").string(), 0};
};

TEST_F(Kept, serves_the_same_question) {
    EXPECT_TRUE(stored_then_found("q", "q"));
    EXPECT_FALSE(stored_then_found("q", "another"));
}

TEST_F(Kept, not_when_the_text_changed) {
    ASSERT_TRUE(stored_then_found("q", "q"));
    write("model m\n  parameter a=3\n  local x\n  der(x) = -a*x\n  x(0) = 1\nend\n");
    Workspace other;
    EXPECT_FALSE(cache_.find("q", other));
}

TEST_F(Kept, only_in_a_private_file_that_is_whole) {
    ASSERT_TRUE(stored_then_found("q", "q"));
    const fs::path entry = fs::directory_iterator(folder_ / "cache")->path();
    const auto found = [&] {
        Workspace other;
        return cache_.find("q", other).has_value();
    };
    fs::permissions(entry, fs::perms(0644));
    EXPECT_FALSE(found());
    fs::permissions(entry, fs::perms(0600));
    EXPECT_TRUE(found());
    std::string whole;
    {
        std::ifstream in(entry, std::ios::binary);
        whole.assign(std::istreambuf_iterator<char>(in), {});
    }
    const auto write_entry = [&](const std::string& bytes) {
        std::ofstream(entry, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
    };
    for (std::size_t i = 0; i < whole.size(); ++i) {  // no byte is without a checksum
        std::string bytes = whole;
        bytes[i] ^= 1;
        write_entry(bytes);
        EXPECT_FALSE(found()) << i;
    }
    for (std::size_t n : {std::size_t(0), std::size_t(10), whole.size() / 2, whole.size() - 1}) {
        write_entry(whole.substr(0, n));
        EXPECT_FALSE(found()) << n;
    }
    write_entry(whole + "x");
    EXPECT_FALSE(found());
    write_entry(whole);
    EXPECT_TRUE(found());
    // A head of one entry with the rest of another.
    ASSERT_TRUE(stored_then_found("another", "another"));
    for (const auto& file : fs::directory_iterator(folder_ / "cache"))
        if (file.path() != entry) fs::copy_file(file.path(), entry, fs::copy_options::overwrite_existing);
    EXPECT_FALSE(found());
    fs::remove(entry);
    ASSERT_EQ(mkfifo(entry.c_str(), 0600), 0);
    EXPECT_FALSE(found());
}

TEST_F(Kept, not_when_a_library_directory_changed) {
    fs::create_directories(folder_ / "library");
    Workspace workspace;
    ASSERT_TRUE(
        workspace.text.load(file(), {.libraries = {(folder_ / "library").string()}}, workspace.diagnostics));
    cache_.store("q", workspace, workspace.diagnostics, as_made(program_of(workspace)));
    Workspace same;
    EXPECT_TRUE(cache_.find("q", same));
    std::ofstream(folder_ / "library" / "new.dym") << "model type T\nend\n";
    Workspace other;
    EXPECT_FALSE(cache_.find("q", other));
}

TEST_F(Kept, not_with_tables_from_files) {
    std::ofstream(folder_ / "t.csv") << "x,f\n0,0\n1,2\n";
    write("model m\n  table f(x) \"t.csv\"\n  local y\n  der(y) = f(y)\nend\n");
    Workspace workspace;
    ASSERT_TRUE(workspace.text.load(file(), {}, workspace.diagnostics));
    const auto program = program_of(workspace);
    ASSERT_TRUE(program) << (workspace.diagnostics.all().empty() ? ""
                                                                 : workspace.diagnostics.all()[0].message);
    EXPECT_TRUE(program->partition->model.reads_files);
    cache_.store("q", workspace, workspace.diagnostics, as_made(program));
    Workspace other;
    EXPECT_FALSE(cache_.find("q", other));
}

// ---- texts that were edited

class Edited : public Kept {
  protected:
    std::size_t reanalysed_ = 0;

    static TransformOptions remembering() {
        TransformOptions options;
        options.remember_decisions = true;
        return options;
    }
    // What `first` left is valid for `second`. The run is then that of `second`, to the last digit.
    bool valid_after(const std::string& first, const std::string& second) {
        write(first);
        Workspace one;
        EXPECT_TRUE(one.text.load(file(), {}, one.diagnostics));
        std::optional<FlatModel> flat = Translator(one).flatten("", {}, one.diagnostics);
        const FlatIdentity before = identity_of(*flat);
        const ProgramQuestion asked{remembering(), JacobianKind::States, {}, {}};
        const auto first_made = translate(std::move(*flat), asked, one.diagnostics);
        cache_.store("q", one, one.diagnostics, {*first_made, {}}, &before);

        write(second);
        Workspace two;
        EXPECT_TRUE(two.text.load(file(), {}, two.diagnostics));
        flat = Translator(two).flatten("", {}, two.diagnostics);
        const FlatIdentity now = identity_of(*flat);
        auto alike = cache_.find_alike("q", *flat, now, remembering());
        reanalysed_ = alike.reanalysed;
        if (alike.partition)
            alike.kept = as_made(
                translate(std::make_shared<const Partition>(std::move(*alike.partition)), asked).program);
        if (!alike.kept) return false;
        const Translation& found = alike.kept->translation;
        const auto fresh = translate(std::move(*flat), asked, two.diagnostics)->program;
        SimulateOptions options;
        found.prepare(options);
        const KeptRows as_found = run(*found.program, options), as_fresh = run(*fresh);
        EXPECT_EQ(as_found.names, as_fresh.names);
        EXPECT_EQ(as_found.values, as_fresh.values);
        EXPECT_FALSE(as_fresh.values.empty());
        if (found.given_starts.empty()) EXPECT_EQ(print(*found.partition()), print(*fresh->partition));
        EXPECT_EQ(summary(*found.partition()), summary(*fresh->partition));
        same_places(*found.partition(), *fresh->partition);
        same_values(found.model(), fresh->partition->model);

        // And the next time, without reading the text.
        cache_.store("q", two, two.diagnostics, *alike.kept, &now);
        Workspace three;
        const auto again = cache_.find("q", three);
        EXPECT_TRUE(again);
        if (!again) return true;
        again->translation.prepare(options);
        EXPECT_EQ(run(*again->translation.program, options).values, as_fresh.values);
        return true;
    }
    // The same, by sorting again the blocks of so many equations.
    bool valid_but_for(std::size_t equations, const std::string& first, const std::string& second) {
        return valid_after(first, second) && reanalysed_ == equations;
    }
    // Of what is not printed.
    static std::string summary(const Partition& p) {
        std::string text;
        for (const LoopReport& loop : p.loops) {
            text += fmt::format("loop {} {} {} {}:", loop.size, loop.torn, loop.linear, loop.initial);
            for (VariableIndex v : loop.variables) text += " " + p.model.path(v);
            text += "\n";
        }
        for (const Block& block : p.blocks)
            text += fmt::format("block {} {} {} {}\n", int(block.kind), block.constant_matrix, block.symbolic,
                                block.loop_size);
        for (const Equation& e : p.model.equations) text += p.model.text(e) + "\n";
        return text;
    }
    static void same_places(const Partition& a, const Partition& b) {
        for (EquationIndex e(0); e < a.model.equations.end_index(); ++e.value)
            EXPECT_EQ(a.model.equations[e].origin.where, b.model.equations[e].origin.where) << e.value;
        for (VariableIndex v(0); v < a.model.variables.end_index(); ++v.value)
            EXPECT_EQ(a.model.variables[v].origin.where, b.model.variables[v].origin.where) << v.value;
    }
    static void same_values(const FlatModel& a, const FlatModel& b) {
        for (VariableIndex v(0); v < a.variables.end_index(); ++v.value) {
            if (a.variables[v].variability != Variability::Parameter) continue;
            EXPECT_EQ(a.variables[v].value, b.variables[v].value) << a.path(v);
            EXPECT_EQ(to_text(a.variables[v].binding, a.printer()),
                      to_text(b.variables[v].binding, b.printer()));
        }
    }
};

std::string model(const std::string& parameters, const std::string& equations) {
    return "model m\n  parameter " + parameters + "\n  local x y\n" + equations + "end\n";
}
const std::string decay = "  der(x) = -a*x + b*y\n  y = x*x\n  x(0) = 1\n";

TEST_F(Edited, values_of_parameters) {
    EXPECT_TRUE(valid_after(model("a=2 b=1 c=2*a", decay), model("a=3.5 b=1 c=2*a", decay)));
    EXPECT_TRUE(valid_after(model("a=2 b=1", decay), model("a=2.25 b=17", decay)));
}
TEST_F(Edited, starts_of_states) {
    EXPECT_TRUE(valid_after(model("a=2 b=1", decay),
                            model("a=2 b=1", "  der(x) = -a*x + b*y\n  y = x*x\n  x(0) = 0.125\n")));
}
TEST_F(Edited, what_stands_elsewhere) {
    EXPECT_TRUE(
        valid_after(model("a=2 b=1", decay), "{ a comment }\n" + model("a=2  { more }  b=1", "\n" + decay)));
    EXPECT_TRUE(valid_after(model("a=2 b=1", decay), "{ longer }\n" + model("a=2.5  b=1.5", "\n\n" + decay)));
}
TEST_F(Edited, one_equation) {
    const auto with = [](const std::string& rate, const std::string& y) {
        return model("a=2 b=1", "  der(x) = " + rate + "\n  " + y + "\n  x(0) = 1\n");
    };
    const std::string before = with("-a*x + b*y", "y = x*x");
    EXPECT_TRUE(valid_but_for(1, before, with("-a*x - b*y", "y = x*x")));
    EXPECT_TRUE(valid_but_for(1, before, with("-a*x + 2*b*y", "y = x*x")));
    EXPECT_TRUE(valid_but_for(1, before, with("-x*tanh(x*a) + b*y*a", "y = x*x")));
    EXPECT_TRUE(valid_but_for(1, before, with("-a*x + b*y", "y = x*x + cos(x*a)")));
    EXPECT_TRUE(valid_but_for(1, before, with("-a*x + b*y", "y + y**3 = x")));  // a loop of its own now
    EXPECT_TRUE(valid_but_for(1, with("-a*x + b*y", "y + y**3 = x"), before));
    EXPECT_TRUE(valid_but_for(2, before, with("-a*x + b*y*y", "3*y = x*x - 1")));
    EXPECT_TRUE(valid_but_for(1, before, with("-a*x + b*y", "x*x = y")));
    EXPECT_TRUE(valid_but_for(1, with("-a*x + y", "y = x**2"), with("-a*x + y", "y = 2**x")));
}
TEST_F(Edited, an_equation_of_a_loop) {
    const auto loop = [](const std::string& equation) {
        return "model m\n  parameter a=2 b=1\n  local x y z w u v p q\n  der(x) = y - x + p\n  w + w**3 = x\n"
               "  a*y + z = x\n  " +
               equation +
               "\n  u = 2*v - x*x\n  b*v + u**3 = 3\n  p + q**3 = y\n"
               "  q - 0.2*exp(-p) = 0\n  x(0) = 1\nend\n";
    };
    const std::string before = loop("y - b*z = 1");
    EXPECT_TRUE(valid_but_for(1, before, loop("y - 2*b*z = 1")));   // linear, by formula
    EXPECT_TRUE(valid_but_for(1, before, loop("y*x - b*z = 1")));   // a matrix that varies
    EXPECT_TRUE(valid_but_for(1, before, loop("y - b*z**3 = 1")));  // no longer linear
    EXPECT_TRUE(valid_but_for(1, loop("y - b*z**3 = 1"), before));
}
TEST_F(Edited, an_equation_with_equal_variables) {
    const auto joined = [](const std::string& law) {
        return "model type Part\n  cut a(v1 / i) b(v2 / -i)\n  main path (a - b)\n  parameter R=2\n  local "
               "u\n"
               "  u = v1 - v2\n  " +
               law +
               "\nend\nmodel type Store\n  main cut a(v / i)\n"
               "  parameter C=1\n  C*der(v) = i\n  v(0) = 1\nend\nmodel m\n  submodel (Part) p q(R=3)\n"
               "  submodel (Store) s t(C=2)\n  s to p to q to t\nend\n";
    };
    EXPECT_TRUE(valid_but_for(2, joined("u = R*i"), joined("u = 2*R*i")));
    EXPECT_TRUE(valid_but_for(2, joined("u = R*i"), joined("u = R*i + 0.1*i**3")));
}
TEST_F(Edited, an_equation_beside_conditions) {
    const auto with = [](const std::string& rate) {
        return model("a=2 b=1", "  der(x) = " + rate +
                                    "\n  y = if x > 0.4 then x else 2*x\n  x(0) = 1\n  valid y < 100\n");
    };
    EXPECT_TRUE(valid_but_for(1, with("-a*x + b*y"), with("-a*x - b*y**3")));
}
// What is written and vanishes: states and warnings are seen from it.
TEST_F(Edited, not_where_something_cancels) {
    const auto with = [](const std::string& equation, const std::string& more = "") {
        return "model m\n  constant L=0\n  local x y z a u w\n  der(z) = 1 - z\n  z(0) = 0.3\n  u = 0\n"
               "  x = cos(z)\n  y = sin(z) + 0*w" +
               more + "\n  " + equation + "\nend\n";
    };
    EXPECT_FALSE(valid_after(with("a + u*x' = sin(z)"), with("a + (u + 0.1)*x' = sin(z)")));
    EXPECT_FALSE(valid_after(with("a + x' = sin(y) + x'"), with("a + x' = sin(y) + 2*x'")));
    EXPECT_FALSE(valid_after(with("a + L*x' = sin(y)"), with("a + 0.1*x' = sin(y)")));
    EXPECT_FALSE(valid_after(with("a + u*w = sin(y)"), with("a + u*y = sin(y)")));  // w occurs nowhere now
    const auto second = [](const std::string& term) {
        return "model m\n  local x a b c\n  x'' = -x - 0.3*a\n  a + 0.2*sin(a) = b + x'\n"
               "  b + b*x' = 2.5*c*c + b*x' + " +
               term + "\n  c + 0.1*c**3 = x\n  x(0) = 1\nend\n";
    };
    EXPECT_FALSE(valid_after(second("0.2*sin(b)"), second("0.3*sin(b)")));
}
TEST_F(Edited, not_beside_signs) {
    const auto with = [](const std::string& term) {
        return model("a=2 b=1", "  local f\n  y + " + term +
                                    " = 1.2*x + 0.1*x**3 - sin(30*time)\n"
                                    "  f = sign(y)\n  der(x) = 0.5*sin(3*time) - 80*f\n  x(0) = 0.4\n");
    };
    EXPECT_FALSE(valid_after(with("0.2*sin(y)"), with("0.3*y")));
    EXPECT_FALSE(valid_after(with("0.3*y"), with("0.2*sin(y)")));
}
// What the edit says has to do with more than its block.
TEST_F(Edited, not_what_other_equations_depend_on) {
    const auto with = [](const std::string& rate, const std::string& y) {
        return model("a=2 b=1 c=0", "  der(x) = " + rate + "\n  " + y + "\n  x(0) = 1\n");
    };
    const std::string before = with("-a*x + b*y", "y = x*x");
    EXPECT_FALSE(valid_after(before, with("-a*x + b*y", "y = x")));  // equal variables
    EXPECT_FALSE(valid_after(with("-a*x + b*y", "y = x"), before));
    EXPECT_FALSE(valid_after(before, with("-a*x", "y = x*x")));  // another unknown
    EXPECT_FALSE(valid_after(before, with("-a*x + b*y", "y = der(x)*x")));
    EXPECT_FALSE(valid_after(before, with("-a*x + b*y + c*x", "y = x*x")));  // a parameter that is zero
    EXPECT_FALSE(valid_after(before, with("-a*x + b*y", "y = abs(x)")));     // events
    EXPECT_FALSE(valid_after(with("-a*x + b*y", "y = abs(x)"), before));
    // In another order: terms of sums stand in the order in which their variables were met.
    EXPECT_FALSE(valid_after(before, model("a=2 b=1 c=0", "  y = x*x\n  der(x) = -a*x + b*y\n  x(0) = 1\n")));
    // With another value at the same time.
    EXPECT_FALSE(valid_after(before, model("a=3 b=1 c=0", "  der(x) = -a*x - b*y\n  y = x*x\n  x(0) = 1\n")));
    // Constraints between states.
    const auto pendulum = [](const std::string& force) {
        return "model m\n  local x y vx vy F\n  der(x) = vx\n  der(y) = vy\n  der(vx) = -F*x\n  der(vy) = " +
               force + "\n  x*x + y*y = 1\n  x(0) = 1\nend\n";
    };
    EXPECT_FALSE(valid_after(pendulum("-F*y - 9.81"), pendulum("-F*y - 1.62")));
}
TEST_F(Edited, not_where_a_value_decides) {
    EXPECT_FALSE(valid_after(model("a=2 b=1", decay), model("a=0 b=1", decay)));  // the term vanishes
    const std::string loop = "  der(x) = 1 - x\n  y = a*(b*y - x)\n";
    EXPECT_FALSE(valid_after(model("a=2 b=1", loop), model("a=2 b=0", loop)));
}
TEST_F(Edited, not_starts_that_are_compared) {
    const auto equal = [](const std::string& start) {
        return model("a=2 b=1", "  der(x) = -a*x\n  y = x\n  x(0) = 1\n  y(0) = " + start + "\n");
    };
    EXPECT_FALSE(valid_after(equal("1"), equal("1.0000000000001")));
}
TEST_F(Edited, one_text_after_the_other) {
    EXPECT_TRUE(valid_after(model("a=2 b=1", decay), model("a=3 b=1", decay)));
    // The entry serves the second text now, and is made of the first.
    write("{ moved }\n" + model("a=3 b=4", decay));
    Workspace third;
    ASSERT_TRUE(third.text.load(file(), {}, third.diagnostics));
    const auto flat = Translator(third).flatten("", {}, third.diagnostics);
    const auto found = cache_.find_alike("q", *flat, identity_of(*flat), remembering()).kept;
    ASSERT_TRUE(found);
    EXPECT_EQ(found->translation.given.size(), 2u);
    const Equation& first = found->translation.model().equations[EquationIndex(0)];
    EXPECT_EQ(third.text.sources().text(first.origin.where), "der(x) = -a*x + b*y");
}
TEST_F(Edited, damaged_entries_serve_nothing) {
    ASSERT_TRUE(valid_after(model("a=2 b=1", decay), model("a=3 b=1", decay)));
    fs::path entry;
    for (const auto& e : fs::directory_iterator(folder_ / "cache")) entry = e.path();
    std::string bytes;
    {
        std::ifstream in(entry, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    for (std::size_t at = bytes.find('\n') + 1; at < bytes.size(); at += 101) {
        std::string damaged = bytes;
        damaged[at] = char(damaged[at] ^ 4);
        std::ofstream(entry, std::ios::binary) << damaged;
        Workspace other;
        EXPECT_FALSE(cache_.find("q", other)) << at;
    }
}

}  // namespace
}  // namespace cutset
