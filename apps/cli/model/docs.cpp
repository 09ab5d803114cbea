// cutset docs: models as pages with their pictures.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "model/model_options.h"
#include "output/console.h"
#include "output/json_output.h"
#include "picture/class_pictures.h"
#include "picture/messages.h"
#include "picture/site.h"
#include "translate/load_systems.h"
#include "translate/lowered_files.h"

namespace cutset::cli {

namespace {

namespace fs = std::filesystem;

struct DocsOptions : OutputOptions {
    std::string input, output = "site";
    std::vector<std::string> library;
};

constexpr std::size_t most_files = 5000;

bool is_model_file(const std::string& name) {
    const std::string ending = fs::path(name).extension().string();
    return ending == ".dym" || ending == ".mo" || is_lowered_file(name) || is_simnon_file(name);
}

// The models of a directory and those below it, sorted; names that begin with a dot are left out.
std::vector<std::string> model_files(const std::string& input) {
    std::error_code ec;
    if (!fs::is_directory(input, ec)) return {input};
    std::vector<std::string> files;
    auto at = fs::recursive_directory_iterator(input, fs::directory_options::skip_permission_denied, ec);
    for (; !ec && at != fs::recursive_directory_iterator(); at.increment(ec)) {
        const std::string name = at->path().filename().string();
        if (name.starts_with('.')) {
            if (at->is_directory(ec)) at.disable_recursion_pending();
            continue;
        }
        if (!at->is_regular_file(ec)) continue;
        if (is_model_file(name)) files.push_back(at->path().string());
        if (files.size() == most_files) break;
    }
    std::sort(files.begin(), files.end());
    return files;
}

// Writes the pages; the reason when one cannot be written.
std::optional<std::string> write_pages(const std::vector<picture::SitePage>& pages,
                                       const fs::path& directory) {
    for (const picture::SitePage& page : pages) {
        const fs::path path = directory / page.path;
        std::error_code ec;
        fs::create_directories(path.parent_path(), ec);
        std::string problem;
        if (ec) problem = ec.message();
        if (!problem.empty() || !write_file(path.string(), page.text, problem))
            return fmt::format("cannot write {}: {}", path.string(), problem);
    }
    return std::nullopt;
}

int docs(const DocsOptions& options) {
    Workspace workspace;  // of the command as a whole; each file has its own
    std::error_code ec;
    if (fs::exists(options.output, ec) && !fs::is_directory(options.output, ec))
        return refuse(workspace, options, picture_messages::not_a_directory(options.output));
    const std::vector<std::string> files = model_files(options.input);
    const fs::path input = fs::path(options.input).lexically_normal();
    picture::Site site(input.has_filename() ? input.filename().string()
                                            : input.parent_path().filename().string());
    for (const std::string& file : files) {
        ModelText text;
        Diagnostics said;
        ModelText::Options load;
        load.libraries = options.library;
        load.tolerant = true;
        text.load(file, load, said);
        const auto made = picture::class_pictures(text, said);
        picture::ClassPictures& pictures = *made;
        site.add(pictures);
        print_diagnostics(said, text.sources(), 0, options.quiet);
        if (said.has_errors() && files.size() == 1 && pictures.list().empty()) return 1;
    }
    if (site.models() == 0) return refuse(workspace, options, picture_messages::no_models_in(options.input));
    const std::vector<picture::SitePage> pages = site.finish();
    if (const auto problem = write_pages(pages, options.output))
        return refuse(workspace, options, picture_messages::cannot_write(*problem));
    if (options.json) {
        Json out = {{"status", "ok"}, {"models", site.models()}, {"pages", Json::array()}};
        for (const picture::SitePage& page : pages) out["pages"].push_back(page.path);
        print_json(out);
    } else if (!options.quiet) {
        fmt::print("{}: {}\n", (fs::path(options.output) / "index.html").string(),
                   counted(site.models(), "model"));
    }
    return 0;
}

}  // namespace

void add_docs(CommandLine& line) {
    auto o = std::make_shared<DocsOptions>();
    Command& c =
        line.add("docs", groups::model, "models as pages: picture, interface, parameters, equations, uses",
                 [o] { return docs(*o); });
    c.positional("FILE|DIRECTORY", o->input, "a model, or a directory with models", true)
        .files({".dym", ".t", ".mo", ".om", ".el"});
    c.option("-o,--output", o->output, "the directory of the pages (site)");
    c.option("--library", o->library, "directory with .dym libraries; CUTSET_PATH lists more");
    c.flag("--json", o->json, "one JSON object on standard output: the pages that were written");
    c.flag("--quiet", o->quiet, "errors only");
    c.footer(
        "Examples:\n"
        "  cutset docs boiler.dym -o site\n"
        "  cutset docs libraries -o site\n"
        "Pages are plain HTML without scripts, in light and dark. Models that are wrong get pages too, as "
        "far as they are\n"
        "understood; what is wrong is reported.");
}

}  // namespace cutset::cli
