#include "studio/drawings.h"

#include <cctype>
#include <utility>

#include "picture/draw_picture.h"
#include "picture/pages.h"
#include "picture/picture_json.h"
#include "studio/hardcopy.h"
#include "studio/messages.h"

namespace cutset::studio {

namespace {

// Files have the names of the protocol.
void name_files(Json& value, const ModelTexts& texts) {
    if (value.is_object()) {
        for (auto& [key, member] : value.items())
            if (key == "file" && member.is_string())
                member = texts.file_name(member.get<std::string>());
            else
                name_files(member, texts);
    } else if (value.is_array()) {
        for (Json& member : value) name_files(member, texts);
    }
}

}  // namespace

picture::ClassPictures& Drawings::pictures() {
    const std::uint64_t now = texts_.generation();
    if (drawn_ && drawn_->generation == now) return *drawn_->pictures;
    drawn_ = std::make_unique<Drawn>();
    drawn_->generation = now;
    const ModelRequest request = texts_.request();
    ModelText& text = drawn_->workspace.text;
    Diagnostics& said = drawn_->workspace.diagnostics;
    text.load(request.file,
              {.allow_external = request.allow_external,
               .tolerant = true,
               .model = request.model,
               .unsaved = request.unsaved},
              said);
    if (!request.model.empty()) text.refer_to(request.model, said);
    drawn_->pictures = picture::class_pictures(text, said);
    return *drawn_->pictures;
}

// Of the class that was asked for, else of the one that stands for the file.
std::string Drawings::default_key(picture::ClassPictures& all) const {
    if (const std::string& asked = texts_.place().model; !asked.empty())
        if (const auto key = all.find(asked)) return *key;
    return all.default_key();
}

Answer Drawings::classes(Arguments& arguments) {
    if (const auto problem = arguments.problem()) return *problem;
    picture::ClassPictures& all = pictures();
    Json list = Json::array();
    for (const auto& entry : all.list())
        list.push_back({{"key", entry.key},
                        {"name", entry.name},
                        {"title", entry.title},
                        {"documentation", entry.documentation.substr(0, 4000)},
                        {"kind", picture::json_word(entry.kind)},
                        {"runnable", entry.runnable},
                        {"main_file", entry.main_file},
                        {"file", texts_.file_name(all.sources().name(entry.source))}});
    return Json{{"classes", std::move(list)}, {"default", default_key(all)}};
}

Answer Drawings::picture(Arguments& arguments) {
    const auto asked = arguments.text_if("key");
    if (const auto problem = arguments.problem()) return *problem;
    picture::ClassPictures& all = pictures();
    const std::string key = asked ? *asked : default_key(all);
    const picture::ClassPicture* const found = all.picture(key);
    if (!found) {
        std::vector<std::string> names;
        for (const auto& entry : all.list()) names.push_back(entry.key);
        return messages::unknown_class(key, nearest_name(key, names));
    }
    given_[key] = found->hash;
    Json out = picture::picture_json(*found, all.sources());
    name_files(out, texts_);
    return Json{{"picture", std::move(out)}};
}

Answer Drawings::hardcopy(Arguments& arguments) {
    const std::string key = arguments.text("key");
    const HardcopyFormat format = read_format(arguments);
    picture::DrawOptions options;
    options.depth = int(arguments.count_if("depth", 12).value_or(1));
    const bool pages = arguments.text("what") == "model";
    if (const auto problem = arguments.problem()) return *problem;
    picture::ClassPictures& all = pictures();
    const picture::ClassPicture* const found = all.picture(key);
    if (!found) return messages::unknown_class(key, "");
    std::string name = key;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
    if (pages) return pages_hardcopy(picture::model_pages(all, *found), format, name);
    return drawing_hardcopy(picture::draw_picture(all, *found, options), format, name);
}

std::vector<std::string> Drawings::changed() {
    std::vector<std::string> out;
    picture::ClassPictures& all = pictures();
    for (auto& [key, hash] : given_) {
        const picture::ClassPicture* const found = all.picture(key);
        const std::uint64_t now = found ? found->hash : 0;
        if (std::exchange(hash, now) != now) out.push_back(key);
    }
    return out;
}

}  // namespace cutset::studio
