#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <map>
#include <string>

#include "results/raster.h"

namespace cutset {
namespace {

// A reader of what to_sixel writes, apart from it.
RasterImage decode_sixel(const std::string& text) {
    RasterImage image;
    std::map<int, std::array<int, 3>> palette;
    std::size_t at = text.find('q') + 1;
    const auto number = [&] {
        int n = 0;
        while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])))
            n = n * 10 + text[at++] - '0';
        return n;
    };
    int x = 0, top = 0, colour = 0;
    while (at < text.size() && text[at] != '\033') {
        const char c = text[at++];
        int repeat = 1;
        char bits = c;
        if (c == '"') {
            number(), ++at, number(), ++at;
            image.width = number();
            ++at;
            image.height = number();
            image.pixels.assign(static_cast<std::size_t>(image.width * image.height * 3), 7);
            continue;
        } else if (c == '#') {
            colour = number();
            if (text[at] == ';') {
                std::array<int, 4> v{};
                for (int& n : v) ++at, n = number();
                palette[colour] = {v[1], v[2], v[3]};
            }
            continue;
        } else if (c == '$') {
            x = 0;
            continue;
        } else if (c == '-') {
            x = 0, top += 6;
            continue;
        } else if (c == '!') {
            repeat = number();
            bits = text[at++];
        }
        for (int i = 0; i < repeat; ++i, ++x)
            for (int k = 0; k < 6; ++k)
                if ((bits - '?') >> k & 1) {
                    EXPECT_LT(x, image.width);
                    EXPECT_LT(top + k, image.height);
                    for (std::size_t n = 0; n < 3; ++n)
                        image.pixels.at(static_cast<std::size_t>((top + k) * image.width + x) * 3 + n) =
                            static_cast<unsigned char>((palette.at(colour)[n] * 255 + 50) / 100);
                }
    }
    return image;
}

TEST(Sixel, APlotComesBack) {
    Plot plot;
    plot.x_label = "time";
    plot.width = 301;
    plot.height = 203;
    Curve curve;
    curve.label = "u";
    for (int i = 0; i <= 100; ++i) {
        curve.x.push_back(i);
        curve.y.push_back((i * i) % 37);
    }
    plot.curves = {curve, curve};
    for (double& v : plot.curves[1].y) v = 40 - v;
    const RasterImage image = to_pixels(plot);
    const std::string text = to_sixel(image);
    EXPECT_EQ(text.substr(0, 6), "\033P0;1q");
    EXPECT_EQ(text.substr(text.size() - 2), "\033\\");
    const RasterImage back = decode_sixel(text);
    ASSERT_EQ(back.width, image.width);
    ASSERT_EQ(back.height, image.height);
    int worst = 0;
    for (std::size_t i = 0; i < image.pixels.size(); ++i)
        worst = std::max(worst, std::abs(int(image.pixels[i]) - int(back.pixels[i])));
    EXPECT_LE(worst, 24);  // sixteen steps of each channel, some of them drawn together
}

TEST(Sixel, ManyColours) {
    RasterImage image{64, 64, {}};
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x)
            for (int v : {x * 4, y * 4, (x * y) % 256}) image.pixels.push_back(static_cast<unsigned char>(v));
    const RasterImage back = decode_sixel(to_sixel(image));
    ASSERT_EQ(back.pixels.size(), image.pixels.size());
    int worst = 0;
    for (std::size_t i = 0; i < image.pixels.size(); ++i)
        worst = std::max(worst, std::abs(int(image.pixels[i]) - int(back.pixels[i])));
    EXPECT_LE(worst, 120);
}

}  // namespace
}  // namespace cutset
