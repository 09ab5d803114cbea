#include "base/bad_option.h"

namespace cutset {

Diagnostic bad_option(std::string message, std::string help) {
    Diagnostic d;
    d.code = "bad-option";
    d.message = std::move(message);
    d.help = std::move(help);
    return d;
}

}  // namespace cutset
