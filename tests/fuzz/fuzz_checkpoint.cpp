// No file crashes the reader of checkpoints.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "live/live_checkpoint.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const int file = memfd_create("checkpoint", 0);
    if (file < 0) return 0;
    if (write(file, data, size) == static_cast<ssize_t>(size)) {
        std::string problem;
        cutset::read_checkpoint("/proc/self/fd/" + std::to_string(file), problem);
    }
    close(file);
    return 0;
}
