#include "base/version.h"

namespace cutset {

std::string_view version() {
    return CUTSET_VERSION;
}

}  // namespace cutset
