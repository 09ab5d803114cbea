// The memory of the program. A large model consists of millions of small blocks, and the library's `malloc`
// and `free` took a seventh of the time of its translation.
#pragma once

namespace cutset::cli {

// To be called before anything large is made.
void prepare_heap();

}  // namespace cutset::cli
