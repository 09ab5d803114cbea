#include "operations/ensembles/content_hash.h"

#include <fmt/format.h>

namespace cutset {

std::string ContentHash::text() const {
    return fmt::format("{:016x}{:016x}", first_, second_);
}

}  // namespace cutset
