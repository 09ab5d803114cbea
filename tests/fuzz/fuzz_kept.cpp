// No bytes crash the readers of what is kept between runs: translations, machine code and their records. They
// come from private files only, so that what is refused here is damage, not malice.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ir/archive.h"
#include "native/code_image.h"
#include "native/code_record.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    unarchive(bytes);
    unarchive_text(bytes);
    native::CodeRecord::unarchive(bytes);
    native::CodeImage::unarchive(bytes);
    return 0;
}
