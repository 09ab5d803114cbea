#include "base/internal_error.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <system_error>

namespace cutset {

void internal_error(const char* condition, const char* file, int line) {
    const std::string what = fmt::format("{} does not hold ({}:{})", condition, file, line);
#ifdef CUTSET_ABORT_ON_INTERNAL_ERROR
    std::fprintf(stderr, "internal error: %s\n", what.c_str());
    std::abort();
#else
    throw InternalError(what);
#endif
}

Failure current_failure() {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return {Failure::Kind::OutOfMemory, "out of memory",
                "a smaller model, fewer rows or columns, or a machine with more memory"};
    } catch (const std::system_error& e) {
        const bool thread = e.code() == std::errc::resource_unavailable_try_again;
        return {Failure::Kind::System,
                thread ? std::string("the system has no thread left for this") : std::string(e.what()),
                thread ? "end other programs, or raise the limit of processes (ulimit -u)" : ""};
    } catch (const std::exception& e) {
        return {Failure::Kind::Internal, fmt::format("internal error: {}", e.what()),
                "this is a bug in Cutset, not in your model: please report it with the model that shows it; "
                "the equations written in another form, another --solver or --engine may avoid it"};
    } catch (...) {
        return {Failure::Kind::Internal, "internal error: an exception of unknown type",
                "this is a bug in Cutset, not in your model: please report it with the model that shows it"};
    }
}

Diagnostic failure_diagnostic(const Failure& failure) {
    Diagnostic d;
    d.code = failure.kind == Failure::Kind::Internal      ? "internal-error"
             : failure.kind == Failure::Kind::OutOfMemory ? "out-of-memory"
                                                          : "system";
    d.message = failure.message;
    d.help = failure.help;
    return d;
}

}  // namespace cutset
