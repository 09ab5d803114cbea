// A file that is in memory only, for readers that take a path.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

class ScratchFile {
  public:
    ScratchFile(const std::uint8_t* data, std::size_t size) : descriptor_(memfd_create("fuzz", 0)) {
        good_ = descriptor_ >= 0 && write(descriptor_, data, size) == static_cast<ssize_t>(size);
    }
    ~ScratchFile() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    bool good() const { return good_; }
    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

  private:
    int descriptor_;
    bool good_ = false;
};
