// The pictures of the classes of a model, of the text as it is now, also where that is unfinished or wrong.
// Used by one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "picture/class_pictures.h"
#include "studio/message.h"
#include "studio/model_texts.h"
#include "translate/workspace.h"

namespace cutset::studio {

class Drawings {
  public:
    explicit Drawings(const ModelTexts& texts) : texts_(texts) {}

    // Reads the text, so that what is asked for next is there.
    void prepare() { pictures(); }
    Answer classes(Arguments& arguments);
    Answer picture(Arguments& arguments);
    // Of a class, as a file.
    Answer hardcopy(Arguments& arguments);
    // Of the pictures that were asked for, those that are others now.
    std::vector<std::string> changed();

  private:
    picture::ClassPictures& pictures();
    std::string default_key(picture::ClassPictures& all) const;

    const ModelTexts& texts_;
    struct Drawn {
        std::uint64_t generation = 0;
        Workspace workspace;
        std::unique_ptr<picture::ClassPictures> pictures;
    };
    std::unique_ptr<Drawn> drawn_;
    std::map<std::string, std::uint64_t> given_;  // hashes by key
};

}  // namespace cutset::studio
