// A directory of its own for a test that writes files.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "base/source.h"

namespace cutset {

class TemporaryDirectory {
  public:
    TemporaryDirectory() {
        std::string pattern = (std::filesystem::temp_directory_path() / "cutset-results-XXXXXX").string();
        path_ = ::mkdtemp(pattern.data());
    }
    ~TemporaryDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::string file(const std::string& name) const { return path_ + "/" + name; }
    std::size_t file_count() const {
        std::size_t n = 0;
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path_)) ++n;
        return n;
    }
    std::string read(const std::string& name) const {
        std::string problem;
        return read_file(file(name), problem).value_or("<" + problem + ">");
    }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace cutset
