// What the process that works for a model may touch: the kernel holds it to that (Landlock), whatever a
// model, a library or a command names, and whatever goes wrong in it.
#pragma once

#include <string>
#include <vector>

namespace cutset::studio {

struct Confinement {
    std::vector<std::string> read;   // files and folders with all below
    std::vector<std::string> write;  // read and written
};

// Whether the kernel can hold a process to a Confinement.
bool can_confine();
// This process and its threads to come; no way back. Network connections are refused too where the kernel
// can. False with the reason.
bool confine(const Confinement& allowed, std::string& problem);

}  // namespace cutset::studio
