// cutset picture: the block diagram of a model, as a picture or as data.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "commands.h"
#include "model/model_options.h"
#include "output/console.h"
#include "output/json_output.h"
#include "picture/class_pictures.h"
#include "picture/draw_picture.h"
#include "picture/messages.h"
#include "picture/pages.h"
#include "picture/picture_json.h"

namespace cutset::cli {

namespace {

struct PictureOptions : OutputOptions {
    std::string file, model;
    std::vector<std::string> library;
    int depth = 1;
    double width = 0;
    std::string output;
    bool bare = false, pages = false;
};

// A file name for a class: what a name may hold besides letters, digits and a few signs is replaced.
std::string file_name(std::string_view key) {
    std::string out;
    for (const char c : key)
        out +=
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-'
                ? c
                : '_';
    return out;
}

std::optional<std::string> write_pages(const std::vector<Drawing>& pages, const std::string& path) {
    std::string problem;
    if (write_file(path, to_pdf(pages), problem)) return std::nullopt;
    return fmt::format("cannot write {}: {}", path, problem);
}

int picture(const PictureOptions& options) {
    Workspace workspace;
    ModelText::Options load;
    load.libraries = options.library;
    load.tolerant = true;
    // What is wrong in the text is reported; what there is of the model is drawn all the same.
    Diagnostics& said = workspace.diagnostics;
    workspace.text.load(options.file, load, said);
    if (!options.model.empty()) workspace.text.refer_to(options.model, said);
    const Sources& sources = workspace.text.sources();
    const auto made = picture::class_pictures(workspace.text, said);
    picture::ClassPictures& pictures = *made;
    if (pictures.list().empty()) {
        if (!said.has_errors()) said.report(picture_messages::no_classes(options.file));
        return finish(workspace, options);
    }
    std::optional<std::string> key = pictures.default_key();
    if (!options.model.empty()) key = pictures.find(options.model);
    if (!key || key->empty()) {
        std::vector<std::string> names;
        for (const auto& entry : pictures.list()) names.push_back(entry.key);
        return refuse(workspace, options,
                      picture_messages::unknown_class(options.model, nearest_name(options.model, names)));
    }
    const picture::ClassPicture& found = *pictures.picture(*key);
    for (const Diagnostic& d : found.diagnostics) {
        const bool known = std::any_of(said.all().begin(), said.all().end(), [&](const Diagnostic& other) {
            return other.where == d.where && other.code == d.code;
        });
        if (!known) said.report(d);
    }
    std::string path = options.output;
    if (path.empty() && !options.json) path = file_name(*key) + (options.pages ? ".pdf" : ".svg");
    if (!path.empty()) {
        const picture::DrawOptions draw{options.depth, options.width, !options.bare};
        const auto problem = options.pages
                                 ? write_pages(picture::model_pages(pictures, found), path)
                                 : write_picture(picture::draw_picture(pictures, found, draw), path);
        if (problem) return refuse(workspace, options, picture_messages::cannot_write(*problem));
    }
    print_diagnostics(said, sources, 0, options.quiet);
    if (options.json)
        print_json(picture::picture_json(found, sources));
    else if (!options.quiet)
        fmt::print("{}\n", path);
    return 0;
}

}  // namespace

void add_picture(CommandLine& line) {
    auto o = std::make_shared<PictureOptions>();
    Command& c = line.add("picture", groups::model, "the block diagram of a model, opened to any depth",
                          [o] { return picture(*o); });
    c.positional("FILE", o->file, "a model, or the name of a class in a library", true)
        .files({".dym", ".t", ".mo", ".om", ".el"});
    c.positional("MODEL", o->model, "the model or model type to draw; default: the last model of the file",
                 false);
    c.option(
        "--depth", o->depth,
        "how far blocks are opened: 0 the block from outside, 1 its inside (default), 2 the inside of its "
        "blocks …; at most 12");
    c.option("-o,--output", o->output, "the picture: .svg, .pdf or .png (MODEL.svg)");
    c.option("--width", o->width, "of the picture, in pixels of 1/96 inch (what suits the depth)");
    c.flag("--pages", o->pages, "the whole model as a PDF: a page for it and for each class that it uses");
    c.flag("--bare", o->bare, "without name and purpose above");
    c.option("--library", o->library, "directory with .dym libraries; CUTSET_PATH lists more");
    c.flag("--json", o->json, "the picture as data: one JSON object on standard output");
    c.flag("--quiet", o->quiet, "errors only");
    c.prepare([o]() -> std::optional<int> {
        Workspace none;
        if (o->depth < 0 || o->depth > 12)
            none.diagnostics.report(bad_option("--depth is a whole number from 0 to 12"));
        else if (o->width < 0 || !(o->width <= 16000))
            none.diagnostics.report(bad_option("--width is at most 16000 pixels"));
        else if (o->pages && !o->output.empty() && !o->output.ends_with(".pdf"))
            none.diagnostics.report(bad_option("--pages are written to a .pdf"));
        else
            return std::nullopt;
        finish(none, *o);
        return 2;
    });
    c.footer(
        "Examples:\n"
        "  cutset picture tanks.dym\n"
        "  cutset picture boiler.dym powerstation --depth 2 -o powerstation.pdf\n"
        "  cutset picture boiler.dym --pages -o boiler.pdf\n"
        "  cutset picture boiler.dym drum --json\n"
        "The layout stands in comment lines of the text, `--@ Tank1 at 40 60`; what has none is placed. A "
        "model that is\n"
        "unfinished or wrong is drawn as far as it is understood.");
}

}  // namespace cutset::cli
