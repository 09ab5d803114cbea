#include "studio/drawn_classes.h"

#include <vector>

#include "base/internal_error.h"
#include "picture/picture_json.h"
#include "studio/messages.h"

namespace cutset::studio {

void DrawnClasses::renew() {
    const std::uint64_t now = texts_.generation();
    if (generation_ == now) return;
    generation_ = now;
    pictures_.reset();
    workspace_ = std::make_unique<Workspace>();
    const ModelRequest request = texts_.request();
    ModelText::Options options;
    options.libraries = request.library;
    options.allow_external = request.allow_external;
    options.model = request.model;
    options.unsaved = request.unsaved;
    options.tolerant = true;
    ModelText& text = workspace_->text;
    Diagnostics& reported = workspace_->diagnostics;
    text.load(request.file, options, reported);
    if (!request.model.empty()) text.refer_to(request.model, reported);
    pictures_ = std::make_unique<picture::ClassPictures>(text.sources(), text.classes(), reported);
}

Answer DrawnClasses::classes(Arguments& arguments) {
    if (const auto problem = arguments.problem()) return *problem;
    renew();
    Json out = Json::array();
    for (const auto& entry : pictures_->list())
        out.push_back({{"key", entry.key},
                       {"name", entry.name},
                       {"title", entry.title},
                       {"runnable", entry.runnable},
                       {"main_file", entry.main_file}});
    const std::string& model = texts_.place().model;
    const auto meant = model.empty() ? std::nullopt : pictures_->find(model);
    return Json{{"classes", std::move(out)}, {"default", meant.value_or(pictures_->default_key())}};
}

Answer DrawnClasses::picture(Arguments& arguments) {
    const std::string key = arguments.text("key");
    if (const auto problem = arguments.problem()) return *problem;
    renew();
    const picture::ClassPicture* const found = pictures_->picture(key);
    if (!found) {
        std::vector<std::string> keys;
        for (const auto& entry : pictures_->list()) keys.push_back(entry.key);
        return messages::unknown_class(key, nearest_name(key, keys));
    }
    given_[key] = found->hash;
    return Json{{"picture", picture::picture_json(*found, texts_.places(workspace_->text.sources()))}};
}

Json DrawnClasses::changed() {
    renew();
    Json out = Json::array();
    for (auto& [key, hash] : given_) {
        const picture::ClassPicture* const found = pictures_->picture(key);
        if (!found || found->hash == hash) continue;
        hash = found->hash;
        out.push_back(key);
    }
    return out;
}

}  // namespace cutset::studio
