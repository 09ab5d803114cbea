// The folder of what is kept on disk to save time, and its limits. Nothing in it is needed: a program that
// finds nothing, or nothing that can be used, does the work again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cutset {

// $CUTSET_CACHE, else $XDG_CACHE_HOME/cutset, else ~/.cache/cutset; "" with CUTSET_CACHE=off, and where the
// folder belongs to another user or others may write into it.
std::string cache_folder();

// Changes whenever the file does: size, time, number. "" when there is none.
std::string file_version(const std::string& path);

// Removes the files of a folder that were longest not used until the rest is at most `most_bytes`; only those
// with one of the endings (".program"; none: all), never `newest`.
void remove_oldest(const std::string& folder, const std::vector<std::string>& endings,
                   std::uintmax_t most_bytes, const std::string& newest);

}  // namespace cutset
