#include "objects/instantiate_objects.h"

#include "objects/library_messages.h"

namespace cutset {

std::optional<FlatModel> instantiate_objects(ClassLibrary& library, const std::string& class_name,
                                             const Experiment&, Sources&, Diagnostics& diagnostics) {
    const object::Class* c = library.find(class_name);
    diagnostics.report(library_messages::only_read(c ? c->where : Span{}, class_name));
    return std::nullopt;
}

}  // namespace cutset
