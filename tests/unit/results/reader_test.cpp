#include "results/reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "results/writer.h"
#include "sample.h"
#include "temporary_directory.h"

namespace cutset {

namespace {

std::optional<Trajectory> csv(const std::string& text, std::string* message = nullptr) {
    Diagnostics d;
    auto t = read_csv("f.csv", text, d);
    EXPECT_EQ(t.has_value(), !d.has_errors());
    if (message) *message = d.all().empty() ? "" : d.all().front().message;
    if (!message) {
        for (const auto& m : d.all()) ADD_FAILURE() << m.message;
    }
    return t;
}

std::string error_of(const std::string& text) {
    std::string message;
    EXPECT_FALSE(csv(text, &message)) << text;
    return message;
}

}  // namespace

TEST(ReadCsv, TakesAllSeparators) {
    for (const char* text :
         {"time,x,y\n0,1,2\n1,3,4\n", "time;x;y\n0;1;2\n1;3;4\n", "time\tx\ty\n0\t1\t2\n1\t3\t4\n",
          "time x  y\n 0 1 2\n1   3 4\n", "\"time\", \"x\", \"y\"\r\n0, 1, 2\r\n1, 3, 4\r\n",
          "# comment\ntime,x,y\n\n0,1,2\n  # more, and more\n1,3,4\n", "x,time,y\n1,0,2\n3,1,4\n",
          "\xEF\xBB\xBFtime,x,y\n0,1,2\n1,3,4\n", "time,x,y,\n0,1,2,\n1,3,4,\n",
          "sep=;\ntime;x;y\n0;1;2\n1;3;4\n", "time;x;y\n0;1,0;2,0\n1;3e0;4,0\n"}) {
        const auto t = csv(text);
        ASSERT_TRUE(t) << text;
        ASSERT_EQ(t->rows(), 2u) << text;
        ASSERT_EQ(t->columns().size(), 3u) << text;
        EXPECT_EQ(t->value("time", 1), 1.0) << text;
        EXPECT_EQ(t->value("x", 1), 3.0) << text;
        EXPECT_EQ(t->value("y", 0), 2.0) << text;
    }
}

TEST(ReadCsv, TakesQuotedNamesUnitsAndWords) {
    const auto t =
        csv("time [s],\"x[1,2]\",\"say \"\"a\"\"\",v [V],b\n0,+1,-2.5e-3,,true\n1,inf,1e-400,nan,False\n");
    ASSERT_TRUE(t);
    EXPECT_EQ(t->columns()[ColumnIndex(0)].unit, "s");
    EXPECT_EQ(t->value("x[1,2]", 0), 1.0);
    EXPECT_EQ(t->value("say \"a\"", 0), -2.5e-3);
    EXPECT_EQ(t->value("say \"a\"", 1), 0.0);
    EXPECT_EQ(t->columns()[*t->find("v")].unit, "V");
    EXPECT_TRUE(std::isnan(*t->value("v", 0)));
    EXPECT_EQ(t->value("b", 0), 1.0);
    EXPECT_EQ(t->value("b", 1), 0.0);
    EXPECT_TRUE(std::isinf(*t->value("x[1,2]", 1)));
}

TEST(ReadCsv, ErrorsNameTheField) {
    EXPECT_EQ(error_of("time,x\n0,1\n1,2x\n"), "f.csv:3:3: `2x` in column x is not a number");
    EXPECT_EQ(error_of("time,x\n# c\n\n0,1,2\n"), "f.csv:4:5: this line has 3 fields, the header has 2");
    EXPECT_EQ(error_of("time,x\n0\n1,2\n"), "f.csv:2: this line has 1 field, the header has 2");
    EXPECT_EQ(error_of("time,x\n1,1\n0.5,2\n"), "f.csv:3:1: time runs backwards here, from 1 to 0.5");
    EXPECT_EQ(error_of("x,time\n1,\n"), "f.csv:2:3: the time of this row is missing or not finite");
    EXPECT_EQ(error_of("time,\"x\n1,2\n"), "f.csv:1:6: a quoted name starts here and never ends");
    EXPECT_EQ(error_of("time,\"x\"y\n1,2\n"), "f.csv:1:9: text after the closing quote of a field");
    EXPECT_EQ(error_of("# nothing\n"), "f.csv: the file has no line with column names");
    EXPECT_EQ(error_of(""), "f.csv: the file has no line with column names");
    EXPECT_EQ(error_of("time,été,x\n0,1,ü\n"), "f.csv:2:5: `ü` in column x is not a number");
}

TEST(ReadCsv, WarnsOfWhatItLeavesOut) {
    std::string message;
    auto t = csv("time,x\n0,1\n1,2\n2", &message);
    ASSERT_TRUE(t);
    EXPECT_EQ(t->rows(), 2u);
    EXPECT_EQ(message, "f.csv:4: the last line does not end and is left out: it may be cut off");
    t = csv("time,x,x\n0,1,2\n", &message);
    ASSERT_TRUE(t);
    EXPECT_EQ(t->value("x", 0), 1.0);
    EXPECT_EQ(message, "f.csv:1:8: a second column named x is left out");
    t = csv("0,5\n1,6\n", &message);
    ASSERT_TRUE(t);
    EXPECT_EQ(t->rows(), 2u);
    EXPECT_EQ(t->value("column2", 1), 6.0);
}

TEST(ReadCsv, EveryTruncationIsAPrefix) {
    TemporaryDirectory d;
    ASSERT_FALSE(write_result(sample(), d.file("out.csv")));
    const std::string whole = d.read("out.csv");
    std::size_t rows = 0;
    for (std::size_t n = 0; n <= whole.size(); ++n) {
        Diagnostics diagnostics;
        const auto t = read_csv("f", std::string_view(whole).substr(0, n), diagnostics);
        if (t) {
            EXPECT_GE(t->rows() + 1, rows);
            rows = t->rows();
        }
    }
    EXPECT_EQ(rows, 5u);
}

TEST(ReadMat, EveryTruncationIsAPrefix) {
    TemporaryDirectory d;
    ASSERT_FALSE(write_result(sample(), d.file("out.mat")));
    const std::string whole = d.read("out.mat");
    std::size_t rows = 0;
    for (std::size_t n = 0; n <= whole.size(); ++n) {
        // A copy of exactly this size, so that reading past its end is found by the sanitizer.
        const std::vector<char> bytes(whole.begin(), whole.begin() + static_cast<long>(n));
        Diagnostics diagnostics;
        const auto t = read_mat("f", std::string_view(bytes.data(), n), diagnostics);
        EXPECT_EQ(t.has_value(), !diagnostics.has_errors());
        EXPECT_EQ(diagnostics.all().empty(), n == whole.size());
        if (!t) continue;
        EXPECT_GE(t->rows(), rows);
        rows = t->rows();
        for (std::size_t i = 0; i < rows; ++i) EXPECT_EQ(t->value("x", i), sample().value("x", i));
    }
    EXPECT_EQ(rows, 5u);
}

TEST(Readers, SurviveDamage) {
    TemporaryDirectory d;
    std::mt19937 random(1);
    for (const char* name : {"out.csv", "out.mat", "out.npz"}) {
        ASSERT_FALSE(write_result(sample(), d.file(name)));
        const std::string whole = d.read(name);
        for (int i = 0; i < 3000; ++i) {
            std::string bytes = whole;
            for (int k = random() % 4; k >= 0; --k)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            Diagnostics one, two, three;
            const auto a = read_csv("f", bytes, one);
            const auto b = read_mat("f", bytes, two);
            EXPECT_EQ(a.has_value(), !one.has_errors());
            EXPECT_EQ(b.has_value(), !two.has_errors());
            const auto c = read_npz("f", bytes, three);
            EXPECT_EQ(c.has_value(), !three.has_errors());
        }
    }
}

namespace {

void put_matrix(std::string& out, std::uint32_t type, std::uint32_t rows, std::uint32_t columns,
                std::string name, const std::vector<std::string>& elements, bool big_endian) {
    const auto put = [&](std::uint32_t v) {
        for (int k = 0; k < 4; ++k) out += static_cast<char>(v >> 8 * (big_endian ? 3 - k : k));
    };
    put(type + (big_endian ? 1000 : 0));
    put(rows);
    put(columns);
    put(0);
    put(static_cast<std::uint32_t>(name.size() + 1));
    out += name + '\0';
    for (const std::string& e : elements) out += big_endian ? std::string(e.rbegin(), e.rend()) : e;
}

template <class T>
std::vector<std::string> elements(std::initializer_list<double> values) {
    std::vector<std::string> out;
    for (double v : values) {
        const T t = static_cast<T>(v);
        out.emplace_back(reinterpret_cast<const char*>(&t), sizeof t);
    }
    return out;
}

std::vector<std::string> letters(const std::string& text) {
    std::vector<std::string> out;
    for (char c : text) out.emplace_back(1, c);
    return out;
}

// time, x and p in the layout "binNormal": names padded with blanks, single precision.
std::string normal_layout(bool big_endian) {
    std::string out;
    std::string classes;
    const std::string rows[4] = {"Atrajectory", "1.1        ", "           ", "binNormal  "};
    for (int k = 0; k < 11; ++k)
        for (const auto& r : rows) classes += r[k];
    put_matrix(out, 51, 4, 11, "Aclass", letters(classes), big_endian);
    put_matrix(out, 51, 3, 4, "name", letters("txpi  m  e  "), big_endian);
    put_matrix(out, 51, 3, 3, "description", letters("[[ sm ]] "), big_endian);
    put_matrix(out, 20, 3, 4, "dataInfo", elements<std::int32_t>({0, 2, 1, 1, -2, 1, 0, 0, 0, -1, -1, 0}),
               big_endian);
    put_matrix(out, 10, 2, 1, "data_1", elements<float>({9, 9}), big_endian);
    put_matrix(out, 10, 3, 2, "data_2", elements<float>({0, 1, 2, 5, 6, 7}), big_endian);
    return out;
}

}  // namespace

TEST(ReadMat, TakesTheNormalLayoutOfEitherByteOrder) {
    for (bool big_endian : {false, true}) {
        Diagnostics d;
        const auto t = read_mat("f", normal_layout(big_endian), d);
        for (const auto& m : d.all()) ADD_FAILURE() << m.message;
        ASSERT_TRUE(t);
        ASSERT_EQ(t->rows(), 3u);
        EXPECT_EQ(t->value("time", 2), 2.0);
        EXPECT_EQ(t->value("x", 1), -6.0);
        EXPECT_EQ(t->value("p", 0), 9.0);
        EXPECT_EQ(t->columns()[ColumnIndex(0)].unit, "s");
        EXPECT_EQ(t->columns()[*t->find("x")].unit, "m");
    }
}

TEST(ReadMat, RefusesHugeSizes) {
    std::string out = normal_layout(false);
    // 2^32-1 names of length 0
    const std::size_t name = out.find(std::string("name\0", 5));
    for (std::size_t k = 0; k < 8; ++k) out[name - 16 + k] = static_cast<char>(k < 4 ? 0xFF : 0);
    Diagnostics d;
    EXPECT_FALSE(read_mat("f", out, d));
    ASSERT_EQ(d.all().size(), 1u);
}

TEST(ReadResult, ChoosesByContentAndNamesTheFile) {
    TemporaryDirectory d;
    Diagnostics diagnostics;
    EXPECT_FALSE(read_result(d.file("missing.csv"), diagnostics));
    EXPECT_NE(diagnostics.all().back().message.find("missing.csv: No such file"), std::string::npos);
    EXPECT_FALSE(read_result(d.path(), diagnostics));
    EXPECT_NE(diagnostics.all().back().message.find("is a directory"), std::string::npos);
    ASSERT_FALSE(write_result(sample(), d.file("a.mat")));
    std::filesystem::rename(d.file("a.mat"), d.file("a.csv"));
    EXPECT_TRUE(read_result(d.file("a.csv"), diagnostics));
    std::string problem;
    ASSERT_TRUE(write_file(d.file("later.mat"), "MATLAB 5.0 MAT-file", problem));
    EXPECT_FALSE(read_result(d.file("later.mat"), diagnostics));
    EXPECT_NE(diagnostics.all().back().message.find("later level"), std::string::npos);
}

}  // namespace cutset
