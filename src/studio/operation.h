// A command of the program on a model, `bode --inputs u`, as a process of its own, in a folder of its own:
// what it prints, and the files that it makes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "studio/message.h"
#include "studio/model_texts.h"

namespace cutset::studio {

// The commands that may be called.
const std::vector<std::string>& operation_words();

struct OperationOutcome {
    int status = 0;
    std::string output, errors;
    Json files = Json::array();  // name, type, base64
};
// `arguments`: command, file and options; the folder is made below `folder` and removed.
OperationOutcome run_operation(const std::vector<std::string>& arguments, const std::string& folder);

// On the model of the texts, with what was set, or on a class of them by itself: what `operation` answers.
Answer operate(const ModelTexts& texts, const Json& changes, const std::vector<std::string>& words,
               const std::optional<std::string>& of_class, const std::string& folder);

std::string base64(std::string_view bytes);
// "image/svg+xml" for "plot.svg".
std::string media_type(std::string_view file);

}  // namespace cutset::studio
