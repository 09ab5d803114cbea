#pragma once

#include <gtest/gtest.h>

#include <string>

#include "languages/el/lower.h"
#include "languages/el/parse.h"
#include "support/lowered.h"

namespace cutset::el {

struct Lowered : LoweredText<File, Classes> {
    explicit Lowered(const std::string& text)
        : LoweredText(text, parse_file, [](const File& file, Diagnostics& diagnostics) {
              return lower({file}, 1, diagnostics);
          }) {}
};

}  // namespace cutset::el
