// Sixel: bands of six rows; in each, every colour draws its pixels as a row of characters, '?' plus one bit
// for each of the six.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "results/raster.h"

namespace cutset {

namespace {

constexpr std::size_t most_colours = 256;

// Four bits of each channel.
std::size_t bin_of(const unsigned char* p) {
    return std::size_t(p[0] >> 4) << 8 | std::size_t(p[1] >> 4) << 4 | std::size_t(p[2] >> 4);
}

struct Palette {
    std::vector<std::array<int, 3>> colours;  // 0 to 255
    std::vector<std::uint16_t> of_bin;
};

// The most frequent colours, each the mean of what it stands for; the others go to the nearest of them.
Palette make_palette(const RasterImage& image) {
    struct Bin {
        std::size_t count = 0;
        std::array<std::uint64_t, 3> sum = {};
    };
    std::vector<Bin> bins(4096);
    for (std::size_t i = 0; i + 2 < image.pixels.size(); i += 3) {
        Bin& bin = bins[bin_of(&image.pixels[i])];
        ++bin.count;
        for (std::size_t k = 0; k < 3; ++k) bin.sum[k] += image.pixels[i + k];
    }
    std::vector<std::size_t> order;
    for (std::size_t b = 0; b < bins.size(); ++b)
        if (bins[b].count) order.push_back(b);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return bins[a].count > bins[b].count; });
    Palette palette;
    palette.of_bin.resize(bins.size());
    for (std::size_t b : order) {
        std::array<int, 3> mean;
        for (std::size_t k = 0; k < 3; ++k) mean[k] = static_cast<int>(bins[b].sum[k] / bins[b].count);
        if (palette.colours.size() < most_colours) {
            palette.of_bin[b] = static_cast<std::uint16_t>(palette.colours.size());
            palette.colours.push_back(mean);
            continue;
        }
        int nearest = 1 << 30;
        for (std::size_t c = 0; c < palette.colours.size(); ++c) {
            int distance = 0;
            for (std::size_t k = 0; k < 3; ++k)
                distance += (mean[k] - palette.colours[c][k]) * (mean[k] - palette.colours[c][k]);
            if (distance < nearest) {
                nearest = distance;
                palette.of_bin[b] = static_cast<std::uint16_t>(c);
            }
        }
    }
    return palette;
}

// "!14?" for fourteen times the same.
void put_run(std::string& out, char c, int count) {
    if (count > 3)
        out += fmt::format("!{}{}", count, c);
    else
        out.append(static_cast<std::size_t>(count), c);
}

}  // namespace

std::string to_sixel(const RasterImage& image) {
    const Palette palette = make_palette(image);
    std::string out = fmt::format("\033P0;1q\"1;1;{};{}", image.width, image.height);
    for (std::size_t c = 0; c < palette.colours.size(); ++c) {
        const auto& [red, green, blue] = palette.colours[c];
        out += fmt::format("#{};2;{};{};{}", c, (red * 100 + 127) / 255, (green * 100 + 127) / 255,
                           (blue * 100 + 127) / 255);
    }
    const auto width = static_cast<std::size_t>(image.width);
    std::vector<std::vector<unsigned char>> bits(palette.colours.size());
    for (int top = 0; top < image.height; top += 6) {
        std::vector<std::uint16_t> used;
        for (int y = top; y < std::min(top + 6, image.height); ++y)
            for (std::size_t x = 0; x < width; ++x) {
                const std::size_t at = (static_cast<std::size_t>(y) * width + x) * 3;
                const std::uint16_t c = palette.of_bin[bin_of(&image.pixels[at])];
                if (bits[c].empty()) {
                    bits[c].assign(width, 0);
                    used.push_back(c);
                }
                bits[c][x] |= static_cast<unsigned char>(1u << (y - top));
            }
        for (std::uint16_t c : used) {
            out += fmt::format("#{}", c);
            int run = 0;
            unsigned char last = 0;
            for (std::size_t x = 0; x < width; ++x) {
                if (run > 0 && bits[c][x] != last) {
                    put_run(out, static_cast<char>('?' + last), run);
                    run = 0;
                }
                last = bits[c][x];
                ++run;
            }
            if (last) put_run(out, static_cast<char>('?' + last), run);
            out += '$';  // back to the left
            bits[c].clear();
        }
        out += '-';  // the next band
    }
    out += "\033\\";
    return out;
}

}  // namespace cutset
