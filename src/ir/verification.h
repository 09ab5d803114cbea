// Verifiers: each stage has a function `verify` that looks whether our own promises about it hold and throws
// std::logic_error when one does not. They cost about as much as a pass, so a release build runs them only
// where it is asked to.
#pragma once

namespace cutset {

// In debug builds, and where the environment has CUTSET_VERIFY=on, as the tests have.
bool verifies_by_default();

}  // namespace cutset
