#pragma once

#include <gtest/gtest.h>

#include <string>

#include "languages/omola/lower.h"
#include "languages/omola/parse.h"
#include "support/lowered.h"

namespace cutset::omola {

struct Lowered : LoweredText<File, Classes> {
    explicit Lowered(const std::string& text)
        : LoweredText(text, parse_file, [](const File& file, Diagnostics& diagnostics) {
              return lower({file}, {}, diagnostics);
          }) {}
};

}  // namespace cutset::omola
