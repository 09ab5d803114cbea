#include "languages/el/partition_text.h"

#include <vector>

namespace cutset::el {

std::string partition_text(const Partition& p) {
    std::string out = "PARTITION " + p.name + " ON " + p.component + "\n";
    const auto list = [&](const char* word, const std::vector<Parent>& names) {
        if (names.empty()) return;
        out += std::string("   ") + word;
        for (const Parent& n : names) out += (&n == names.data() ? " " : ", ") + n.name;
        out += "\n";
    };
    list("BOUNDS", p.bounds);
    list("UNKNOWN", p.unknown);
    list("ALG", p.tearing);
    list("STATES", p.states);
    return out + "END PARTITION\n";
}

}  // namespace cutset::el
