#include "results/drawing.h"

#include <gtest/gtest.h>

namespace cutset {
namespace {

TEST(Drawing, RectanglesOfOneColourMakeOnePath) {
    const Drawing drawing{40, 20, [](Canvas& c) {
                              c.fill({0, 0, 40, 20}, {255, 255, 255});
                              c.fill({1, 1, 3, 4}, {0, 0, 0});
                              c.fill({5, 1, 6, 2}, {0, 0, 0});
                              c.text({1, 10}, "a", {});
                              c.fill({7, 1, 8, 2}, {0, 0, 0});
                          }};
    const std::string svg = to_svg(drawing);
    EXPECT_NE(svg.find("<rect x=\"0\" y=\"0\" width=\"40\" height=\"20\" fill=\"#ffffff\"/>"), svg.npos);
    EXPECT_NE(svg.find("<path fill=\"#000000\" d=\"M1 1h2v3h-2zM5 1h1v1h-1z\"/>"), svg.npos);
    EXPECT_NE(svg.find("<rect x=\"7\""), svg.npos);
    EXPECT_LT(svg.find("M5 1"), svg.find("<text"));
    EXPECT_EQ(to_pdf(drawing).substr(0, 5), "%PDF-");
    EXPECT_EQ(to_png(drawing).substr(1, 3), "PNG");
    EXPECT_TRUE(write_picture(drawing, "picture.gif").has_value());
}

}  // namespace
}  // namespace cutset
