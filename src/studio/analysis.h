// What is known about a model without running it, of the text as it is now: what is wrong with it, its
// submodels, how its equations are sorted and why. Used by one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ir/partition.h"
#include "studio/message.h"
#include "studio/model_texts.h"
#include "translate/workspace.h"

namespace cutset::studio {

class Analysis {
  public:
    explicit Analysis(const ModelTexts& texts) : texts_(texts) {}

    // Reads the texts and sorts the equations, where they have changed.
    void renew();
    // What `check` says.
    Json summary();

    Answer check(Arguments& arguments);
    Answer instances(Arguments& arguments);
    Answer why(Arguments& arguments);
    Answer loops(Arguments& arguments);
    Answer equations(Arguments& arguments);
    Answer incidence(Arguments& arguments);

  private:
    // The sorted model, or why there is none.
    const Partition* partition();
    Refusal refusal();
    Places places() const { return texts_.places(workspace_->text.sources()); }
    Json diagnostics() const;

    const ModelTexts& texts_;
    std::uint64_t generation_ = 0;  // of the texts that the rest is made of; 0: none yet
    Json versions_;
    std::unique_ptr<Workspace> workspace_;
    std::optional<Partition> partition_;
    std::unique_ptr<FlatModel> flat_;  // before sorting
};

// All of them, the most severe ones first.
Json all_diagnostics(const Diagnostics& diagnostics, const Places& places);

}  // namespace cutset::studio
