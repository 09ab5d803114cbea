#include "studio/curves.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

namespace cutset::studio {

namespace {

static_assert(std::endian::native == std::endian::little, "the message is little-endian");

void put_numbers(std::string& to, const std::vector<double>& numbers) {
    const std::size_t at = to.size();
    to.resize(at + numbers.size() * sizeof(double));
    if (!numbers.empty()) std::memcpy(to.data() + at, numbers.data(), numbers.size() * sizeof(double));
}

}  // namespace

CurveRequest read_curve_request(Arguments& arguments) {
    CurveRequest request;
    request.run = arguments.count_if("run", 1000000);
    request.paths = arguments.texts("paths", 64);
    request.t0 = arguments.number_if("t0");
    request.t1 = arguments.number_if("t1");
    request.pixels = arguments.count("pixels", 4096);
    return request;
}

std::string curve_message(const CurveRequest& request, const StudioRun* run, Json head) {
    std::shared_ptr<ResultStore> rows;
    if (run) {
        const std::lock_guard lock(run->lock);
        rows = run->rows;
        head["run"] = run->number;
    }
    const bool any = rows && rows->rows() > 0;
    const double first = any ? rows->first_time().value_or(0) : 0;
    const double last = any ? rows->last_time().value_or(0) : 0;
    head["curves"] = Json::array();
    std::string numbers;
    if (any) {
        const double t0 = request.t0.value_or(first), t1 = request.t1.value_or(last);
        head["t0"] = t0;
        head["t1"] = t1;
        head["end"] = last;
        for (const std::string& path : request.paths) {
            const auto column = rows->find(path);
            if (!column) {
                head["curves"].push_back(
                    {{"path", path}, {"points", 0}, {"error", "the run has no column " + path}});
                continue;
            }
            const CurvePoints points = rows->curve(*column, t0, t1, request.pixels);
            head["curves"].push_back({{"path", path},
                                      {"unit", rows->columns()[*column].unit},
                                      {"kind", rows->is_held(*column) ? "held" : "line"},
                                      {"points", points.time.size()},
                                      {"exact", points.exact}});
            put_numbers(numbers, points.time);
            put_numbers(numbers, points.value);
        }
    }
    std::string text = json_text(head);
    while ((text.size() + 4) % 8 != 0) text += ' ';
    const auto length = std::uint32_t(text.size());
    std::string out(4, '\0');
    std::memcpy(out.data(), &length, 4);
    return out + text + numbers;
}

}  // namespace cutset::studio
