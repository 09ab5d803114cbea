// NameTable and SmallVector against the containers of the standard library.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/box.h"
#include "base/name_table.h"
#include "base/small_vector.h"

namespace cutset {
namespace {

TEST(NameTable, FindsWhatWasAdded) {
    std::mt19937 random(1);
    std::vector<std::string> names = {"", "a", "sixteen_letters_", "sixteen_letters_1", "sixteen_letters_2"};
    // Names that differ in their last letters only, on both sides of what stands in the table itself.
    for (int i = 0; i < 5000; ++i) names.push_back("t" + std::to_string(random() % 4000));
    for (int i = 0; i < 2000; ++i) names.push_back("a_submodel_with_a_long_name_" + std::to_string(i));
    NameTable<int> table;
    std::map<std::string, int> expected;
    for (std::size_t i = 0; i < names.size(); ++i) {
        table[names[i]] += int(i);
        expected[names[i]] += int(i);
    }
    for (const auto& [name, value] : expected) {
        ASSERT_TRUE(table.find(name)) << name;
        EXPECT_EQ(*table.find(name), value) << name;
        EXPECT_FALSE(table.find(name + "x"));
    }
    EXPECT_FALSE(table.find("sixteen_letters"));
    EXPECT_FALSE(table.find(std::string_view("a\0", 2)));
    EXPECT_FALSE(NameTable<int>().find("a"));
}

TEST(SmallVector, BehavesAsAVector) {
    using Small = SmallVector<int, 3>;
    std::mt19937 random(2);
    std::vector<Small> lists(50);
    std::vector<std::vector<int>> expected(50);
    for (int step = 0; step < 20000; ++step) {
        const std::size_t i = random() % lists.size(), j = random() % lists.size();
        switch (random() % 8) {
            case 0:
                lists[i] = lists[j];
                expected[i] = expected[j];
                break;
            case 1:
                lists[i] = std::exchange(lists[j], {});
                expected[i] = std::exchange(expected[j], {});
                break;
            case 2:
            case 3:
                if (expected[i].empty()) break;
                lists[i].pop_back();
                expected[i].pop_back();
                break;
            default:
                lists[i].push_back(step);
                expected[i].push_back(step);
        }
        ASSERT_EQ(std::vector<int>(lists[i].begin(), lists[i].end()), expected[i]);
        ASSERT_EQ(std::vector<int>(lists[j].begin(), lists[j].end()), expected[j]);
    }
    EXPECT_EQ((Small{1, 2, 3, 4}), (Small{1, 2, 3, 4}));
    EXPECT_FALSE((Small{1, 2}) == (Small{1, 2, 3}));
}

TEST(Box, CopiesItsValue) {
    Box<std::string> a = std::string("one"), b = a, none;
    *a = "two";
    EXPECT_EQ(*b, "one");
    b = std::move(a);
    EXPECT_EQ(*b, "two");
    EXPECT_FALSE(none.has_value());
    b = std::nullopt;
    EXPECT_FALSE(b);
    b = std::optional<std::string>("three");
    EXPECT_EQ(b->size(), 5u);
}

}  // namespace
}  // namespace cutset
