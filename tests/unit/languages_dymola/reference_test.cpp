// The examples of docs/dymola-language.md are understood.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "parsing.h"

namespace cutset::dymola {
namespace {

TEST(Reference, ExamplesOfTheLanguageReference) {
    std::ifstream in(CUTSET_ROOT "/docs/dymola-language.md");
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    std::size_t count = 0;
    for (std::size_t begin = text.find("\n```\n"); begin != std::string::npos;) {
        const std::size_t end = text.find("\n```\n", begin + 5);
        ASSERT_NE(end, std::string::npos);
        std::string block = text.substr(begin + 5, end - begin - 4);
        begin = text.find("\n```\n", end + 5);
        // Blocks that stand side by side or show alternatives are pictures, not models.
        if (block.find("  or  ") != std::string::npos || block.find("x = a            ") != std::string::npos)
            continue;
        for (std::size_t at; (at = block.find("…")) != std::string::npos;) block.erase(at, 3);
        const bool models = block.find("\nmodel ") != std::string::npos;
        const Parsed p(models ? block : "model M\n" + block + "\nend\n");
        EXPECT_EQ(p.messages(), "") << block;
        ++count;
    }
    EXPECT_GE(count, 8u);
}

}  // namespace
}  // namespace cutset::dymola
