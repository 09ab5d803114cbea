// Functions of an object file as images that may lie anywhere.
#pragma once

#include <llvm/Support/MemoryBufferRef.h>

#include <string>
#include <vector>

#include "generate/machine_code.h"
#include "native/code_image.h"

namespace cutset::native {

// Names in the code: column_name(c) is 8·(place of column c), an absolute number, and cell_name(c) a cell
// beside the code that holds this number; site_name(k, kind) the function that call site k names.
std::string column_name(std::size_t column);
std::string cell_name(std::size_t column);
std::string site_name(std::size_t site, FunctionKind kind);

// One image for each name; each function has a section of its own. False and `problem` for anything that
// such an object should not have. x86-64 only.
bool make_images(llvm::MemoryBufferRef object, const std::vector<std::string>& names, CodeImage* images,
                 std::string& problem);

}  // namespace cutset::native
