#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support.h"

using namespace cutset;
using namespace cutset::test;

namespace {

class Tables : public ::testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = (std::filesystem::temp_directory_path() / "cutset_tables_XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        directory = pattern;
    }
    void TearDown() override { std::filesystem::remove_all(directory); }

    void write(const std::string& name, const std::string& text) { std::ofstream(directory / name) << text; }
    Options options() const { return {.file = (directory / "test.dym").string()}; }
    static const TableData& table(const Flattened& run) {
        return std::get<TableData>(run.model->callees[CalleeIndex(0)]);
    }

    std::filesystem::path directory;
    const std::string use = "model m\n local x\n x = rho(time)\nend";
    const std::string use2 = "model m\n local x\n x = cl(time, 2)\nend";
};

TEST_F(Tables, Inline) {
    const Flattened run("table rho(h) = (0, 1.293), (300, 1.256), (600, 1.2) smooth extrapolate\n" + use);
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(run.equations(), "x = rho(time)\n");
    EXPECT_EQ(table(run).x, (std::vector<double>{0, 300, 600}));
    EXPECT_EQ(table(run).values, (std::vector<double>{1.293, 1.256, 1.2}));
    EXPECT_EQ(table(run).interpolation, Interpolation::Smooth);
    EXPECT_EQ(table(run).outside, Outside::Extrapolate);
}

TEST_F(Tables, InlineTwoArguments) {
    const Flattened run("table cl(a, b) = (0, 1, 10), (0, 2, 20), (5, 2, 40), (5, 1, 30)\n" + use2);
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(table(run).x, (std::vector<double>{0, 5}));
    EXPECT_EQ(table(run).y, (std::vector<double>{1, 2}));
    EXPECT_EQ(table(run).values, (std::vector<double>{10, 20, 30, 40}));
}

TEST_F(Tables, InModelWithParameters) {
    const Flattened run(
        "model type t\n parameter k=1\n table rho(h) = (0, k), (1, 2*k)\n local x\n x = rho(time)\nend\n"
        "model m\n submodel (t) a b(k=3)\nend");
    ASSERT_TRUE(run.model) << run.messages();
    ASSERT_EQ(run.model->callees.size(), 2u);
    EXPECT_EQ(std::get<TableData>(run.model->callees[CalleeIndex(1)]).values, (std::vector<double>{3, 6}));
    EXPECT_TRUE(run.variable("b.k").structural);
}

TEST_F(Tables, CsvWithAndWithoutHeading) {
    write("a.csv", "height,density\n0,1.2\n100, 1.1\r\n\n# remark\n200,1.0\n");
    EXPECT_EQ(table(Flattened("table rho(h) \"a.csv\"\n" + use, options())).x,
              (std::vector<double>{0, 100, 200}));
    write("b.csv", "0;1.2\n100;1.1\n");
    EXPECT_EQ(table(Flattened("table rho(h) \"b.csv\"\n" + use, options())).values,
              (std::vector<double>{1.2, 1.1}));
    // A heading names the columns.
    write("c.csv", "rho,T,h\n1.2,300,0\n1.1,290,100\n");
    EXPECT_EQ(table(Flattened("table rho(h) \"c.csv\"\n" + use, options())).x, (std::vector<double>{0, 100}));
    write("d.csv", "0 1 5\n0 2 6\n1 1 7\n1 2 8\n");
    EXPECT_EQ(table(Flattened("table cl(a, b) \"d.csv\"\n" + use2, options())).values,
              (std::vector<double>{5, 6, 7, 8}));
}

TEST_F(Tables, Sqlite) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open((directory / "wing.db").c_str(), &db), SQLITE_OK);
    sqlite3_exec(
        db,
        "create table cl(a real, value real); insert into cl values (2, 20), (1, 10); create table bad(a, b);"
        "insert into bad values (1, 'x'), (2, 3)",
        nullptr, nullptr, nullptr);
    sqlite3_close(db);
    const Flattened run("table rho(h) \"wing.db:cl\"\n" + use, options());
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_EQ(table(run).x, (std::vector<double>{1, 2}));
    EXPECT_EQ(table(run).values, (std::vector<double>{10, 20}));
    expect_error("table rho(h) \"wing.db:nothing\"\n" + use, "table-unreadable", "1:14",
                 {"wing.db", "nothing"}, options());
    expect_error("table rho(h) \"wing.db:bad\"\n" + use, "table-row", "1:14", {"`x`"}, options());
    expect_error("table rho(h) \"none.db:cl\"\n" + use, "table-unreadable", "1:14", {"none.db"}, options());
    EXPECT_FALSE(std::filesystem::exists(directory / "none.db"));
}

TEST_F(Tables, Errors) {
    expect_error("table rho(h) \"missing.csv\"\n" + use, "table-unreadable", "1:14", {"missing.csv"},
                 options());
    write("a.csv", "x,y\n0,1\n5,2\n4,3\n");
    expect_error("table rho(h) \"a.csv\"\n" + use, "table-not-rising", "1:14",
                 {"a.csv", "line 4", "4 follows 5"}, options());
    write("b.csv", "0,1\n1,zwei\n");
    expect_error("table rho(h) \"b.csv\"\n" + use, "table-row", "", {"line 2", "`zwei`"}, options());
    write("c.csv", "0,1,2\n1,2,3\n");
    expect_error("table rho(h) \"c.csv\"\n" + use, "table-row", "", {"needs 2 columns, here are 3"},
                 options());
    write("d.csv", "0,1\n");
    expect_error("table rho(h) \"d.csv\"\n" + use, "table-too-short", "", {}, options());
    expect_error("table rho(h) = (0, 1), (2, 2), (1, 3)\n" + use, "table-not-rising", "1:33");
    expect_error("table cl(a, b) = (0, 1, 10), (0, 2, 20), (5, 2, 40)\n" + use2, "table-point-missing", "",
                 {"(5, 1)"});
    expect_error("table cl(a, b) = (0, 1, 10), (0, 1, 20)\n" + use2, "table-point-twice", "");
    expect_error("table rho(h) = (0, 1), (2, 2)\nmodel m\n local x\n x = rho(1, 2)\nend",
                 "wrong-argument-count", "4:6");
}

}  // namespace
