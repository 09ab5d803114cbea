#include "translate/written_classes.h"

#include <fmt/format.h>

#include <map>
#include <utility>
#include <vector>

#include "languages/modelica/write.h"
#include "languages/modelica_text/modelica_package.h"
#include "languages/modelica_text/write_objects.h"
#include "languages/omola/write.h"
#include "translate/lowered_files.h"
#include "translate/messages.h"
#include "translate/used_classes.h"

namespace cutset {

namespace {

// annotation(experiment(StopTime = 5)), from the options of a run.
std::string experiment_annotation(const std::vector<std::string>& words) {
    static const std::map<std::string, const char*> names = {{"--start", "StartTime"},
                                                             {"--stop", "StopTime"},
                                                             {"--step", "Interval"},
                                                             {"--tolerance", "Tolerance"}};
    std::string out;
    for (std::size_t i = 0; i + 1 < words.size(); i += 2)
        if (const auto at = names.find(words[i]); at != names.end())
            out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", at->second, words[i + 1]);
    return out.empty() ? out : "annotation(experiment(" + out + "))";
}

std::map<std::string, Span> experiment_annotations(const ObjectText& text, Sources& sources) {
    std::map<std::string, Span> out;
    Diagnostics quiet;  // what is not one run has no such annotation
    for (const el::File& f : text.el)
        for (const el::Experiment& x : f.experiments) {
            const std::string path =
                x.component + "." + (x.partition.empty() ? "default" : x.partition) + "." + x.name;
            const std::string written = experiment_annotation(el_experiment_words(text, path, quiet));
            if (written.empty()) continue;
            const SourceId source = sources.add("experiment " + path, written);
            out[path] = {source, 0, static_cast<std::uint32_t>(written.size())};
        }
    return out;
}

std::string as_written(const ObjectText& text, const Sources& sources) {
    object::File file;
    for (const object::Class* c : text.own) file.classes.push_back(std::make_shared<object::Class>(*c));
    if (!text.own.empty() && text.own.front()->parent) {
        object::Name within;
        within.parts.push_back({ClassLibrary::path(*text.own.front()->parent), {}, {}});
        file.within = std::move(within);
    }
    return modelica::file_text(file, sources);
}

}  // namespace

std::string modelica_text(ModelText& text, const std::string& file) {
    ObjectText* objects = text.objects();
    if (!objects) return modelica::write_modelica(used_classes(text.classes()));
    if (!objects->lowered) return as_written(*objects, text.sources());
    modelica::PackageRequest request;
    request.name = modelica::package_name(file);
    request.main = objects->model;
    request.annotations = experiment_annotations(*objects, text.sources());
    return modelica::file_text(modelica::modelica_package(*objects->lowered, request).file, text.sources());
}

std::optional<std::string> omola_text(const ModelText& text, const std::string& file,
                                      Diagnostics& diagnostics) {
    const ObjectText* objects = text.objects();
    if (objects && !objects->omola.empty()) return omola::file_text(objects->omola.front());
    diagnostics.report(translate_messages::not_omola(file));
    return std::nullopt;
}

}  // namespace cutset
