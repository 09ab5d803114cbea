#include "base/csv.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cutset {
namespace {

using Next = CsvReader::Next;
using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(std::string_view text, Next end = Next::End) {
    CsvReader reader(text);
    Rows rows;
    Next next;
    while ((next = reader.next()) == Next::Row) {
        rows.emplace_back();
        for (const CsvField& f : reader.fields()) rows.back().push_back(f.unquoted());
    }
    EXPECT_EQ(next, end) << text;
    return rows;
}

// The number of a field in a file with this separator.
std::optional<double> number(const std::string& field, char separator = ',') {
    const std::string text = std::string("a") + separator + "b\n" + field + separator + "1\n";
    CsvReader reader(text);
    reader.next();
    EXPECT_EQ(reader.next(), Next::Row);
    return reader.number(reader.fields()[0]);
}

TEST(Csv, FirstRowDecidesTheSeparator) {
    const Rows wanted = {{"a", "b"}, {"1", "2"}};
    EXPECT_EQ(rows_of("a,b\n1,2\n"), wanted);
    EXPECT_EQ(rows_of("a;b\r\n1;2\r\n"), wanted);
    EXPECT_EQ(rows_of("a;b\r1;2\r"), wanted);
    EXPECT_EQ(rows_of("a\tb\n1\t2"), wanted);
    EXPECT_EQ(rows_of("  a   b\n1 \t 2  \n"), wanted);
    EXPECT_EQ(rows_of("\xEF\xBB\xBFsep=;\na;b\n1;2\n"), wanted);
    EXPECT_EQ(rows_of("x[1,2];y\n1;2\n")[0], (std::vector<std::string>{"x[1,2]", "y"}));
}

TEST(Csv, PassesOverCommentsAndTrailingSeparators) {
    EXPECT_EQ(rows_of("# made today\n\na,b,\n  # more\n1,2,\n3,4\n"),
              (Rows{{"a", "b"}, {"1", "2"}, {"3", "4"}}));
    EXPECT_EQ(rows_of("a,b\n1,2,\n")[1].size(), 3u);
    EXPECT_EQ(rows_of(""), Rows());
    EXPECT_EQ(rows_of("sep=;"), Rows());
}

TEST(Csv, ReadsQuotedFields) {
    EXPECT_EQ(rows_of("\"a,b\" , \"say \"\"x\"\"\"\n"), (Rows{{"a,b", "say \"x\""}}));
    EXPECT_EQ(rows_of("a,b\n\"1,2\n", Next::QuoteNotClosed).size(), 1u);
    CsvReader reader("ä \"b\"c,d\n");
    EXPECT_EQ(reader.next(), Next::Row);  // a quote inside a field is a character
    CsvReader wrong("ä,\"b\"c\n");
    EXPECT_EQ(wrong.next(), Next::TextAfterQuote);
    EXPECT_EQ(wrong.problem_column(), 6u);
    EXPECT_EQ(wrong.problem_text(Next::TextAfterQuote), "line 1 has text after a closing quote");
}

TEST(Csv, ReadsNumbers) {
    EXPECT_EQ(number("+1.5e3"), 1500);
    EXPECT_EQ(number("1,5", ';'), 1.5);
    EXPECT_EQ(number("TRUE"), 1);
    EXPECT_EQ(number("1e-999"), 0);
    EXPECT_EQ(number("-1e999"), -HUGE_VAL);
    EXPECT_TRUE(std::isnan(number("").value()));
    EXPECT_TRUE(std::isnan(number("NA").value()));
    EXPECT_FALSE(number("two"));
    EXPECT_FALSE(number("1.5V"));
    EXPECT_FALSE(number("+-1"));
}

TEST(Csv, KnowsTheLine) {
    CsvReader reader("a b\n\n1 2");
    reader.next();
    EXPECT_FALSE(reader.is_cut_off());
    reader.next();
    EXPECT_EQ(reader.line(), 3u);
    EXPECT_EQ(reader.column(reader.fields()[1]), 3u);
    EXPECT_TRUE(reader.is_cut_off());
}

}  // namespace
}  // namespace cutset
