// Modules of the program: shared libraries of ours that are loaded on demand, because what they bring with
// them (LLVM, Ipopt) takes longer to load than a short command runs.
#pragma once

#include <string>

namespace cutset {

// The file of a module ("libcutset_native.so"): beside the program, in the lib/cutset of its installation, or
// in the folder of the build that test programs are made in. "" when there is none.
std::string module_path(const std::string& name);

// A function that a module exports; null and `problem` when there is no such module, it cannot be loaded or
// has no such function. Loading twice gives the same module. Never unloaded: its libraries keep to the end of
// the program what they have registered.
void* load_from_module(const std::string& name, const char* function, std::string& problem);

// What to say of a module that is not the one made with this program.
std::string module_of_another_version(const std::string& name);

}  // namespace cutset
