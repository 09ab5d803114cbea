// The memory of the program. A large model is put together from millions of small pieces: half of what the
// library's `new` and `delete` cost is in looking after each of them.
#pragma once

namespace cutset::cli {

// To be called before anything large is made.
void prepare_heap();

}  // namespace cutset::cli
