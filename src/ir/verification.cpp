#include "ir/verification.h"

#include <cstdlib>
#include <string_view>

namespace cutset {

bool verifies_by_default() {
#ifdef CUTSET_VERIFY_STAGES
    return true;
#else
    const char* asked = std::getenv("CUTSET_VERIFY");
    return asked && std::string_view(asked) == "on";
#endif
}

}  // namespace cutset
