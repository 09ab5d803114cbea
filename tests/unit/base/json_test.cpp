#include "base/json.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace cutset {
namespace {

TEST(Json, IsPrintedAsTheLibraryPrintsIt) {
    const Json ours = {{"status", "ok"},
                       {"values", {{"x", 1.5}, {"y", -2}, {"z", nullptr}}},
                       {"sizes", {1, 2u, 3.0}},
                       {"none", Json::array()},
                       {"nothing", Json::object()},
                       {"text", "a\"b\\c\n\x01 ü"},
                       {"names", std::vector<std::string>{"p", "q"}},
                       {"truths", std::vector<bool>{true, false}}};
    const nlohmann::json theirs = {{"status", "ok"},
                                   {"values", {{"x", 1.5}, {"y", -2}, {"z", nullptr}}},
                                   {"sizes", {1, 2u, 3.0}},
                                   {"none", nlohmann::json::array()},
                                   {"nothing", nlohmann::json::object()},
                                   {"text", "a\"b\\c\n\x01 ü"},
                                   {"names", std::vector<std::string>{"p", "q"}},
                                   {"truths", std::vector<bool>{true, false}}};
    EXPECT_EQ(ours.dump(), theirs.dump());
    EXPECT_EQ(ours.dump(2), theirs.dump(2));
}

TEST(Json, NumbersComeBackToTheBit) {
    std::mt19937_64 random(7);
    std::vector<double> numbers = {0,    -0.0, 1,    -1,    0.1,    1e-5,  1.5e-7,
                                   1e14, 1e15, 1e16, 1e100, 5e-324, 1e300, 123.456};
    for (int i = 0; i < 2000; ++i) numbers.push_back(std::bit_cast<double>(random()));
    for (double x : numbers) {
        const std::string text = Json(x).dump();
        if (!std::isfinite(x)) {
            EXPECT_EQ(text, "null");
            continue;
        }
        const nlohmann::json back = nlohmann::json::parse(text);
        EXPECT_TRUE(back.is_number_float()) << text;
        EXPECT_EQ(std::bit_cast<std::uint64_t>(back.get<double>()), std::bit_cast<std::uint64_t>(x)) << text;
    }
    for (double x : {0.0, 1.0, -2.5, 1e-4, 1e-5, 1e14, 1e15, 1e16, 1.25e-7, 123.456})
        EXPECT_EQ(Json(x).dump(), nlohmann::json(x).dump());
}

TEST(Json, BytesThatAreNoTextAreReplaced) {
    EXPECT_EQ(Json(std::string("a\xFF"
                               "b"))
                  .dump(),
              "\"a\xEF\xBF\xBD"
              "b\"");
    EXPECT_EQ(Json(std::string("\xE2\x82")).dump(), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
    EXPECT_EQ(Json(std::string("\xE2\x82\xAC")).dump(), "\"\xE2\x82\xAC\"");
}

TEST(Json, ObjectsAndArraysGrow) {
    Json object;
    object["b"] = 1;
    object["a"].push_back(2);
    object.update({{"b", "new"}, {"c", true}});
    EXPECT_EQ(object.dump(), R"({"a":[2],"b":"new","c":true})");
    EXPECT_TRUE(object.contains("c"));
    EXPECT_EQ(object.size(), 3u);
    EXPECT_TRUE(Json().empty());
}

}  // namespace
}  // namespace cutset
