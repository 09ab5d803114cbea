// The pictures of the classes of a model, as its text is now, saved or not, right or wrong. Used by one
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "picture/class_pictures.h"
#include "studio/message.h"
#include "studio/model_texts.h"
#include "translate/workspace.h"

namespace cutset::studio {

class DrawnClasses {
  public:
    explicit DrawnClasses(const ModelTexts& texts) : texts_(texts) {}

    Answer classes(Arguments& arguments);
    Answer picture(Arguments& arguments);
    // Keys of the pictures given out that are others now.
    Json changed();

  private:
    void renew();

    const ModelTexts& texts_;
    std::uint64_t generation_ = 0;  // of the texts that the rest is made of; 0: none yet
    std::unique_ptr<Workspace> workspace_;
    std::unique_ptr<picture::ClassPictures> pictures_;
    std::map<std::string, std::uint64_t> given_;  // hashes by key
};

}  // namespace cutset::studio
