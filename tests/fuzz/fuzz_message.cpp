// Messages of the studio's page: any bytes are read or refused, and an answer to what is read is JSON again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "studio/message.h"
#include "studio/text_document.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset::studio;
    std::string problem;
    const auto call = read_call(std::string_view(reinterpret_cast<const char*>(data), size), problem);
    if (!call) {
        CUTSET_ASSERT(!problem.empty());
        return 0;
    }
    Arguments arguments(call->arguments);
    const std::string file = arguments.text("file");
    const auto edits = read_edits(arguments, "edits");
    TextDocument document(file);
    const std::string before = document.text();
    if (!document.edit(edits, false) && !edits.empty()) {
        document.undo();
        CUTSET_ASSERT(document.text() == before);
    }
    const auto refusal = arguments.problem();
    const std::string answer = answer_text(call->id, refusal ? Answer(*refusal) : Answer(call->arguments));
    CUTSET_ASSERT(cutset::Json::accept(answer));
    return 0;
}
