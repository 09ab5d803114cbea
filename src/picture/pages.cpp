#include "picture/pages.h"

#include <set>
#include <string>

#include "picture/draw_picture.h"

namespace cutset::picture {

namespace {

constexpr std::size_t most_pages = 500;

}  // namespace

std::vector<Drawing> model_pages(ClassPictures& pictures, const ClassPicture& model) {
    std::vector<const ClassPicture*> open{&model};
    std::set<std::string> seen{model.key};
    for (std::size_t i = 0; i < open.size(); ++i)
        for (const Block& b : open[i]->blocks) {
            if (b.key.empty() || open.size() == most_pages || !seen.insert(b.key).second) continue;
            if (const ClassPicture* p = pictures.picture(b.key)) open.push_back(p);
        }
    std::vector<Drawing> out;
    for (const ClassPicture* p : open) out.push_back(draw_picture(pictures, *p, {}));
    return out;
}

}  // namespace cutset::picture
