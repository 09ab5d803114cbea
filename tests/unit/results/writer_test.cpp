#include "results/writer.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "results/choose_columns.h"
#include "results/reader.h"
#include "sample.h"
#include "temporary_directory.h"

namespace cutset {

namespace {

std::optional<Trajectory> read_clean(const std::string& path) {
    Diagnostics d;
    auto t = read_result(path, d);
    for (const auto& m : d.all()) ADD_FAILURE() << m.message;
    return t;
}

void expect_same(const Trajectory& a, const Trajectory& b) {
    ASSERT_EQ(a.columns().size(), b.columns().size());
    ASSERT_EQ(a.rows(), b.rows());
    for (const Column& c : a.columns()) {  // parameters may stand elsewhere
        ASSERT_TRUE(b.find(c.name)) << c.name;
        for (std::size_t i = 0; i < a.rows(); ++i)
            EXPECT_EQ(a.value(c.name, i), b.value(c.name, i)) << c.name << " " << i;
    }
}

std::uint32_t word_at(const std::string& bytes, std::size_t at) {
    std::uint32_t v;
    std::memcpy(&v, bytes.data() + at, 4);
    return v;
}

}  // namespace

TEST(CsvWriter, WritesHeaderAndShortestNumbers) {
    TemporaryDirectory d;
    ASSERT_FALSE(write_result(sample(), d.file("out.csv")));
    const std::string text = d.read("out.csv");
    EXPECT_EQ(text.substr(0, text.find('\n')), "time,x,on,minus_x,same_x,\"a[1,2]\"");
    EXPECT_NE(text.find("\n0.5,0.25,0,-0.25,0.25,0.3333333333333333\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\n1,-2,1,2,-2,1e+300\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("-0,"), std::string::npos);
    EXPECT_EQ(d.read("out.parameters.csv"),
              "parameter,value,unit,description\nR,4.5,Ohm,Resistance\nminus_R,-4.5,,\non,,,Switch\n");
    EXPECT_EQ(d.file_count(), 2u);
}

TEST(CsvWriter, WritesConstantsInEveryRowWhenAsked) {
    TemporaryDirectory d;
    ASSERT_FALSE(write_result(sample(), d.file("out.csv")));
    const auto writer = make_csv_writer(d.file("out.csv"), true);
    ASSERT_FALSE(writer->begin(sample_columns()));
    ASSERT_FALSE(writer->append(std::vector<double>{0.5, 0.25, 0, 1}));
    ASSERT_FALSE(writer->finish());
    EXPECT_EQ(d.read("out.csv"),
              "time,x,on,R,minus_x,same_x,minus_R,\"a[1,2]\"\n0.5,0.25,0,4.5,-0.25,0.25,-4.5,1\n");
    EXPECT_EQ(d.file_count(), 1u);  // the table of the older result is gone
}

TEST(ChooseColumns, PatternsAndAliases) {
    EXPECT_TRUE(matches_pattern("Tank1.h", "Tank*.h"));
    EXPECT_TRUE(matches_pattern("a[1,2]", "a[?,2]"));
    EXPECT_TRUE(matches_pattern("der(x)", "*(*)"));
    EXPECT_TRUE(matches_pattern("", "*"));
    EXPECT_FALSE(matches_pattern("Tank1.hh", "Tank*.h"));
    EXPECT_FALSE(matches_pattern("x", "x?"));
    // Without what they equal: the first alias holds its numbers, the other one is an alias of that.
    const ChosenColumns chosen = choose_columns(sample_columns(), {"*_x", "minus_R", "nothing"});
    ASSERT_EQ(chosen.columns.size(), 4u);
    EXPECT_EQ(chosen.not_matched, std::vector<std::string>{"nothing"});
    EXPECT_EQ(chosen.columns[ColumnIndex(1)].name, "minus_x");
    EXPECT_EQ(chosen.columns[ColumnIndex(1)].kind, ColumnKind::Continuous);
    EXPECT_EQ(chosen.stored, (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(chosen.signs, (std::vector<double>{1, -1}));
    EXPECT_EQ(chosen.columns[ColumnIndex(2)].alias_of, ColumnIndex(1));
    EXPECT_TRUE(chosen.columns[ColumnIndex(2)].negated);
    EXPECT_EQ(chosen.columns[ColumnIndex(3)].value, -4.5);
}

TEST(NpzWriter, CanBeReadWhileItGrows) {
    TemporaryDirectory d;
    const Trajectory all = sample();
    const auto writer = make_npz_writer(d.file("out.npz"));
    ASSERT_FALSE(writer->begin(all.columns()));
    for (std::size_t i = 0; i < all.rows(); ++i) {
        std::vector<double> row;
        for (const char* name : {"time", "x", "on", "a[1,2]"}) row.push_back(*all.value(name, i));
        ASSERT_FALSE(writer->append(row));
        ASSERT_FALSE(writer->flush());
        const auto partial = read_clean(d.file("out.partial.npz"));
        ASSERT_TRUE(partial);
        EXPECT_EQ(partial->rows(), i + 1);
        EXPECT_EQ(partial->value("x", i), all.value("x", i));
        EXPECT_EQ(partial->value("R", i), 4.5);
    }
    ASSERT_FALSE(writer->finish());
    expect_same(all, *read_clean(d.file("out.npz")));
    EXPECT_EQ(d.file_count(), 1u);
}

TEST(CsvWriter, QuotesAreDoubled) {
    TemporaryDirectory d;
    Columns c;
    c.add(time_column());
    c.add({"say \"x\", twice"});
    Trajectory t(std::move(c));
    t.append(std::vector<double>{0, 7});
    ASSERT_FALSE(write_result(t, d.file("out.csv")));
    EXPECT_EQ(d.read("out.csv"), "time,\"say \"\"x\"\", twice\"\n0,7\n");
    expect_same(t, *read_clean(d.file("out.csv")));
}

TEST(Writer, RoundTrips) {
    TemporaryDirectory d;
    for (const char* name : {"out.csv", "out.mat", "OUT.MAT", "out.npz"}) {
        ASSERT_FALSE(write_result(sample(), d.file(name)));
        const auto t = read_clean(d.file(name));
        ASSERT_TRUE(t) << name;
        expect_same(sample(), *t);
    }
}

// Many blocks, on another thread: 1 200 rows of 401 numbers, each with an alias and an opposite.
TEST(Writer, RoundTripsLargeResults) {
    TemporaryDirectory d;
    Columns columns;
    columns.add(time_column());
    std::vector<ColumnIndex> own;
    for (int k = 0; k < 400; ++k) own.push_back(columns.add({"x" + std::to_string(k)}));
    for (int k = 0; k < 400; ++k) {
        columns.add(alias_column("same" + std::to_string(k), own[std::size_t(k)], false));
        columns.add(alias_column("minus" + std::to_string(k), own[std::size_t(k)], true));
    }
    Trajectory t(columns);
    std::vector<double> row(401);
    for (int i = 0; i < 1200; ++i) {
        row[0] = i * 0.1;
        for (int k = 1; k <= 400; ++k)
            row[std::size_t(k)] = k % 7 == 0 ? 0 : std::sin(0.1 * i * k) * std::pow(10, k % 41 - 20);
        t.append(row);
    }
    for (const char* name : {"out.csv", "out.mat", "out.npz"}) {
        ASSERT_FALSE(write_result(t, d.file(name)));
        const auto back = read_clean(d.file(name));
        ASSERT_TRUE(back) << name;
        expect_same(t, *back);
    }
    const std::string text = d.read("out.csv");
    EXPECT_EQ(text.find("-0,"), std::string::npos);
    EXPECT_EQ(text.find("--"), std::string::npos);
}

TEST(CsvWriter, OppositesOfSpecialNumbers) {
    TemporaryDirectory d;
    Columns columns;
    columns.add(time_column());
    const ColumnIndex v = columns.add({"v"});
    columns.add(alias_column("same", v, false));
    columns.add(alias_column("minus", v, true));
    Trajectory t(columns);
    const double inf = std::numeric_limits<double>::infinity();
    for (double value : {0.0, inf, -inf, std::numeric_limits<double>::quiet_NaN(), 0.5, -3.0})
        t.append(std::vector<double>{1, value});
    ASSERT_FALSE(write_result(t, d.file("out.csv")));
    EXPECT_EQ(d.read("out.csv"),
              "time,v,same,minus\n1,0,0,0\n1,inf,inf,-inf\n1,-inf,-inf,inf\n1,nan,nan,nan\n1,0.5,0.5,-0.5\n"
              "1,-3,-3,3\n");
}

TEST(Writer, WritesSpecialNumbers) {
    TemporaryDirectory d;
    Columns c;
    c.add(time_column());
    c.add({"v"});
    Trajectory t(c);
    const double inf = std::numeric_limits<double>::infinity();
    const double values[] = {std::numeric_limits<double>::quiet_NaN(),
                             -std::numeric_limits<double>::quiet_NaN(),
                             inf,
                             -inf,
                             5e-324,
                             1.7976931348623157e308};
    for (double v : values) t.append(std::vector<double>{1, v});
    for (const char* name : {"out.csv", "out.mat"}) {
        ASSERT_FALSE(write_result(t, d.file(name)));
        const auto back = read_clean(d.file(name));
        ASSERT_TRUE(back);
        EXPECT_TRUE(std::isnan(back->value(ColumnIndex(1), 0)));
        EXPECT_TRUE(std::isnan(back->value(ColumnIndex(1), 1)));
        for (std::size_t i = 2; i < 6; ++i) EXPECT_EQ(back->value(ColumnIndex(1), i), values[i]);
    }
    EXPECT_EQ(d.read("out.csv").find("-nan"), std::string::npos);
}

TEST(MatWriter, HasTheLayoutOfDymola) {
    TemporaryDirectory d;
    ASSERT_FALSE(write_result(sample(), d.file("out.mat")));
    const std::string b = d.read("out.mat");
    EXPECT_EQ(word_at(b, 0), 51u);
    EXPECT_EQ(word_at(b, 4), 4u);
    EXPECT_EQ(word_at(b, 8), 11u);
    EXPECT_EQ(b.substr(20, 7), std::string("Aclass\0", 7));
    // By columns, filled with blanks: what readers compare with.
    EXPECT_EQ(b.substr(27, 44), "A1 bt. ir1 na  Tj  re  ac  nt  so   r   y   ");
    const std::size_t info = b.find(std::string("dataInfo\0", 9));
    ASSERT_NE(info, std::string::npos);
    EXPECT_EQ(word_at(b, info - 20), 20u);
    EXPECT_EQ(word_at(b, info - 16), 4u);
    EXPECT_EQ(word_at(b, info - 12), 8u);
    const auto entry = [&](std::size_t k, std::size_t field) {
        return static_cast<std::int32_t>(word_at(b, info + 9 + 16 * k + 4 * field));
    };
    EXPECT_EQ(entry(0, 0), 0);  // time is the abscissa
    EXPECT_EQ(entry(0, 1), 1);
    EXPECT_EQ(entry(0, 3), -1);
    EXPECT_EQ(entry(1, 0), 2);  // x
    EXPECT_EQ(entry(1, 1), 2);
    EXPECT_EQ(entry(3, 0), 1);  // R: the second row of data_1, after time
    EXPECT_EQ(entry(3, 1), 2);
    EXPECT_EQ(entry(4, 0), 2);  // minus_x
    EXPECT_EQ(entry(4, 1), -2);
    EXPECT_EQ(entry(6, 0), 1);  // minus_R
    EXPECT_EQ(entry(6, 1), -2);
    const std::size_t one = b.find(std::string("data_1\0", 7));
    EXPECT_EQ(word_at(b, one - 16), 2u);
    EXPECT_EQ(word_at(b, one - 12), 2u);
    double data_1[4];
    std::memcpy(data_1, b.data() + one + 7, sizeof data_1);
    EXPECT_EQ(data_1[0], 0);
    EXPECT_EQ(data_1[1], 4.5);
    EXPECT_EQ(data_1[2], 2);
    EXPECT_EQ(data_1[3], 4.5);
    const std::size_t two = b.find(std::string("data_2\0", 7));
    EXPECT_EQ(word_at(b, two - 16), 4u);
    EXPECT_EQ(word_at(b, two - 12), 5u);
    EXPECT_EQ(b.size(), two + 7 + 4 * 5 * 8);
    EXPECT_NE(b.find("Position [m]"), std::string::npos);
}

TEST(MatWriter, KeepsUnitsDescriptionsAndAliases) {
    TemporaryDirectory d;
    ASSERT_FALSE(write_result(sample(), d.file("out.mat")));
    const auto t = read_clean(d.file("out.mat"));
    ASSERT_TRUE(t);
    const Column& x = t->columns()[*t->find("x")];
    EXPECT_EQ(x.unit, "m");
    EXPECT_EQ(x.description, "Position");
    EXPECT_EQ(t->columns()[ColumnIndex(0)].unit, "s");
    const Column& alias = t->columns()[*t->find("minus_x")];
    EXPECT_EQ(alias.kind, ColumnKind::Alias);
    EXPECT_EQ(alias.alias_of, *t->find("x"));
    EXPECT_TRUE(alias.negated);
    EXPECT_EQ(t->columns()[*t->find("R")].kind, ColumnKind::Parameter);
}

TEST(Writer, CanBeReadAtAnyMoment) {
    TemporaryDirectory d;
    for (const char* ending : {"csv", "mat"}) {
        const std::string path = d.file(std::string("out.") + ending);
        const std::string partial = d.file(std::string("out.partial.") + ending);
        Problem problem;
        const auto writer = make_writer(path, problem);
        ASSERT_FALSE(writer->begin(sample_columns()));
        EXPECT_EQ(read_clean(partial)->rows(), 0u);
        std::uintmax_t size = std::filesystem::file_size(partial);
        for (std::size_t i = 1; i <= 5; ++i) {
            ASSERT_FALSE(writer->append(std::vector<double>{double(i), 1.5 * i, 0, 2}));
            ASSERT_FALSE(writer->flush());
            const auto now = read_clean(partial);
            ASSERT_TRUE(now);
            EXPECT_EQ(now->rows(), i);
            EXPECT_EQ(now->value("minus_x", i - 1), -1.5 * i);
            const auto grown = std::filesystem::file_size(partial);
            EXPECT_GT(grown, size);
            size = grown;
        }
        EXPECT_FALSE(std::filesystem::exists(path));
        ASSERT_FALSE(writer->finish());
        EXPECT_TRUE(std::filesystem::exists(path));
        EXPECT_FALSE(std::filesystem::exists(partial));
        EXPECT_EQ(read_clean(path)->rows(), 5u);
    }
}

TEST(Writer, KeepsRowsWithoutFinish) {
    TemporaryDirectory d;
    {
        const auto writer = make_csv_writer(d.file("out.csv"));
        ASSERT_FALSE(writer->begin(sample_columns()));
        ASSERT_FALSE(writer->append(std::vector<double>{0, 1, 2, 3}));
    }
    EXPECT_EQ(read_clean(d.file("out.csv"))->rows(), 1u);
    EXPECT_EQ(d.file_count(), 2u);  // with the table of parameters
}

TEST(Writer, AnEmptyRunLeavesTheOlderResult) {
    TemporaryDirectory d;
    ASSERT_FALSE(write_result(sample(), d.file("out.csv")));
    {
        const auto writer = make_csv_writer(d.file("out.csv"));
        ASSERT_FALSE(writer->begin(sample_columns()));
        ASSERT_FALSE(writer->finish());
    }
    EXPECT_EQ(read_clean(d.file("out.csv"))->rows(), 5u);
    EXPECT_EQ(d.file_count(), 2u);  // with the table of parameters
}

TEST(Writer, TwoRunsDoNotDisturbEachOther) {
    TemporaryDirectory d;
    const auto one = make_csv_writer(d.file("out.csv")), two = make_csv_writer(d.file("out.csv"));
    ASSERT_FALSE(one->begin(sample_columns()));
    ASSERT_FALSE(two->begin(sample_columns()));
    ASSERT_FALSE(one->append(std::vector<double>{0, 1, 2, 3}));
    ASSERT_FALSE(two->append(std::vector<double>{0, 5, 2, 3}));
    ASSERT_FALSE(one->finish());
    EXPECT_EQ(read_clean(d.file("out.csv"))->value("x", 0), 1.0);
    ASSERT_FALSE(two->finish());
    EXPECT_EQ(read_clean(d.file("out.csv"))->value("x", 0), 5.0);
    EXPECT_EQ(d.file_count(), 2u);  // with the table of parameters
}

TEST(Writer, WhatGrowsIsNotTakenForAbandoned) {
    TemporaryDirectory d;
    EXPECT_EQ(target_of_partial("case_1.partial.csv"), "case_1.csv");
    EXPECT_EQ(target_of_partial("case_1.partial-12.mat"), "case_1.mat");
    for (const char* other :
         {"case_1.csv", "case_1.partial-.csv", "case_1.partial-2x.csv", "a.partially.csv"})
        EXPECT_EQ(target_of_partial(other), std::nullopt) << other;

    OutputFile file;
    ASSERT_FALSE(file.open(d.file("out.csv")));
    remove_abandoned(d.file("out.partial.csv"));
    EXPECT_EQ(::access(d.file("out.partial.csv").c_str(), F_OK), 0);
    ASSERT_FALSE(file.close(true));
    ASSERT_FALSE(write_whole_file(d.file("out.partial.csv"), "what a program that was ended has left"));
    remove_abandoned(d.file("out.partial.csv"));
    EXPECT_NE(::access(d.file("out.partial.csv").c_str(), F_OK), 0);
    EXPECT_EQ(d.file_count(), 1u);
}

TEST(Writer, FollowsSymbolicLinksAndUsesTheUmask) {
    TemporaryDirectory d;
    ASSERT_FALSE(write_result(sample(), d.file("real.csv")));
    std::filesystem::create_symlink("real.csv", d.file("link.csv"));
    ASSERT_FALSE(write_result(sample(), d.file("link.csv")));
    EXPECT_TRUE(std::filesystem::is_symlink(d.file("link.csv")));
    struct stat info;
    ASSERT_EQ(::stat(d.file("real.csv").c_str(), &info), 0);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    EXPECT_EQ(info.st_mode & 0777, 0666 & ~mask);
}

TEST(Writer, ReportsUnwritablePlaces) {
    TemporaryDirectory d;
    const Problem none = write_result(sample(), d.file("no/such/place/out.csv"));
    ASSERT_TRUE(none);
    EXPECT_NE(none->find("no/such/place/out.csv"), std::string::npos);
    EXPECT_NE(none->find("does not exist"), std::string::npos);
    std::filesystem::create_directory(d.file("dir.csv"));
    const Problem directory = write_result(sample(), d.file("dir.csv"));
    ASSERT_TRUE(directory);
    EXPECT_NE(directory->find("Is a directory"), std::string::npos);
    const Problem ending = write_result(sample(), d.file("out.xlsx"));
    ASSERT_TRUE(ending);
    EXPECT_NE(ending->find(".csv, .mat or .npz"), std::string::npos);
}

TEST(Writer, ReportsAFullDevice) {
    const auto writer = make_csv_writer("/dev/full");
    Problem p = writer->begin(sample_columns());
    ASSERT_TRUE(p);
    EXPECT_NE(p->find("/dev/full"), std::string::npos);
    EXPECT_NE(p->find("No space left on device"), std::string::npos);
    EXPECT_EQ(writer->append(std::vector<double>{0, 1, 2, 3}), p);
    EXPECT_EQ(writer->finish(), p);
}

// A limit on the size of files stands in for a full disk.
TEST(Writer, KeepsWholeRowsOfAFullDisk) {
    TemporaryDirectory d;
    rlimit before;
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto old_handler = ::signal(SIGXFSZ, SIG_IGN);
    for (const char* name : {"out.csv", "out.mat"}) {
        Problem problem;
        const auto writer = make_writer(d.file(name), problem);
        ASSERT_FALSE(writer->begin(sample_columns()));
        rlimit limit = before;
        limit.rlim_cur = 1001 + (name[4] == 'm' ? 600 : 0);
        ::setrlimit(RLIMIT_FSIZE, &limit);
        for (int i = 0; i < 1000; ++i)
            EXPECT_FALSE(writer->append(std::vector<double>{double(i), 1.0 / (i + 1), 0, 0}));
        problem = writer->finish();
        ::setrlimit(RLIMIT_FSIZE, &before);
        ASSERT_TRUE(problem);
        EXPECT_NE(problem->find(d.file(name)), std::string::npos);
        EXPECT_NE(problem->find("File too large"), std::string::npos);
        const auto t = read_clean(d.file(name));
        ASSERT_TRUE(t);
        EXPECT_GT(t->rows(), 5u);
        EXPECT_LT(t->rows(), 1000u);
        for (std::size_t i = 0; i < t->rows(); ++i) EXPECT_EQ(t->value("x", i), 1.0 / (i + 1));
    }
    ::signal(SIGXFSZ, old_handler);
    EXPECT_EQ(d.file_count(), 3u);
}

}  // namespace cutset
