// Edits, their inverses, and what is refused.
#include "studio/text_document.h"

#include <gtest/gtest.h>

#include <random>

#include "studio/journal.h"

namespace cutset::studio {
namespace {

TEST(TextDocument, EditsAreInOffsetsOfTheTextBefore) {
    TextDocument d("abcdef");
    EXPECT_FALSE(d.edit({{1, 2, "XX"}, {4, 4, "Y"}}, false));
    EXPECT_EQ(d.text(), "aXXcdYef");
    EXPECT_EQ(d.version(), 2U);
    ASSERT_TRUE(d.undo());
    EXPECT_EQ(d.text(), "abcdef");
    ASSERT_TRUE(d.redo());
    EXPECT_EQ(d.text(), "aXXcdYef");
    EXPECT_FALSE(d.redo());
}

TEST(TextDocument, RefusesWhatDoesNotFit) {
    TextDocument d("aåb");
    for (const std::vector<TextEdit>& edits :
         {std::vector<TextEdit>{{2, 1, ""}}, {{0, 9, ""}}, {{2, 3, ""}}, {{1, 3, ""}, {0, 1, ""}}}) {
        EXPECT_TRUE(d.edit(edits, false));
        EXPECT_EQ(d.text(), "aåb");
        EXPECT_EQ(d.version(), 1U);
    }
}

TEST(TextDocument, JoinedEditsAreOneStep) {
    TextDocument d("");
    for (std::size_t i = 0; i < 3; ++i) d.edit({{i, i, "x"}}, i > 0);
    EXPECT_EQ(d.text(), "xxx");
    ASSERT_TRUE(d.undo());
    EXPECT_EQ(d.text(), "");
    EXPECT_FALSE(d.can_undo());
}

TEST(TextDocument, RandomEditsAreUndoneToTheByte) {
    std::mt19937 random(2);
    const std::string letters[] = {"a", "b", "å", "Σ", "\n", "𝛼"};
    TextDocument d("begin åäö end\n");
    std::vector<std::string> texts = {d.text()};
    const auto boundary = [&](std::size_t at) {
        while (at < d.text().size() && (static_cast<unsigned char>(d.text()[at]) & 0xC0) == 0x80) ++at;
        return std::min(at, d.text().size());
    };
    for (int i = 0; i < 500; ++i) {
        const std::size_t a = boundary(random() % (d.text().size() + 1));
        const std::size_t b = boundary(std::min(d.text().size(), a + random() % 4));
        std::string inserted;
        for (unsigned k = random() % 4; k > 0; --k) inserted += letters[random() % 6];
        ASSERT_FALSE(d.edit({{a, b, inserted}}, false));
        texts.push_back(d.text());
    }
    std::string followed = d.text();  // by who hears of the edits only
    for (std::size_t i = texts.size() - 1; i > 0; --i) {
        const auto edit = d.undo();
        ASSERT_TRUE(edit);
        followed.replace(edit->begin, edit->end - edit->begin, edit->text);
        ASSERT_EQ(d.text(), texts[i - 1]);
        ASSERT_EQ(followed, d.text());
    }
}

TEST(Difference, IsBetweenCharacters) {
    const TextEdit edit = difference("aåb", "aäb");  // å and ä begin with the same byte
    EXPECT_EQ(edit, (TextEdit{1, 3, "ä"}));
    EXPECT_EQ(difference("aaa", "aa"), (TextEdit{2, 3, ""}));
    EXPECT_EQ(difference("x", "x"), (TextEdit{1, 1, ""}));
}

TEST(FileNames, OnlyModelsBeneathTheDirectory) {
    for (const char* good : {"a.dym", "sub/b.t", "å ä.dym"}) EXPECT_FALSE(bad_name(good)) << good;
    for (const char* bad : {"", "/a.dym", "../a.dym", "a/../b.dym", "a//b.dym", ".a.dym", "a/.b/c.dym",
                            "a.txt", "a.dym/", "library:a.dym", "a\nb.dym", "a\\b.dym", ".dym"})
        EXPECT_TRUE(bad_name(bad)) << bad;
    EXPECT_TRUE(bad_name(std::string("a\0.dym", 6)));
}

TEST(Messages, AreReadWithCare) {
    std::string problem;
    EXPECT_TRUE(read_call(R"({"id":1,"call":"x","a":[1]})", problem));
    for (const char* bad :
         {"", "[]", "{}", R"({"id":-1,"call":"x"})", R"({"id":1.5,"call":"x"})", R"({"id":1})",
          R"({"id":1,"call":2})", R"({"id":1,"call":"x")", R"({"id":9007199254740992,"call":"x"})"})
        EXPECT_FALSE(read_call(bad, problem)) << bad;
    EXPECT_FALSE(read_call(R"({"id":1,"call":"x","a":)" + std::string(100, '[') + std::string(100, ']') + "}",
                           problem));
    EXPECT_TRUE(read_call(R"({"id":1,"call":"x","a":")" + std::string(100, '[') + "\"}", problem));
}

TEST(Arguments, UnknownAndWrongOnesAreTold) {
    const Json given = {{"a", 1.5}, {"b", "x"}, {"c", nullptr}};
    Arguments all(given);
    EXPECT_EQ(all.number("a"), 1.5);
    EXPECT_EQ(all.text("b"), "x");
    EXPECT_FALSE(all.number_if("c"));
    EXPECT_FALSE(all.problem());
    Arguments less(given);
    less.number("a");
    EXPECT_TRUE(less.problem());
    Arguments wrong(given);
    wrong.count("a", 10);
    EXPECT_TRUE(wrong.problem());
    Arguments missing(given);
    missing.text("d");
    EXPECT_NE(missing.problem()->message.find("d"), std::string::npos);
}

}  // namespace
}  // namespace cutset::studio
