#include "results/choose_columns.h"

#include <utility>

#include "base/diagnostic.h"
#include "results/messages.h"

namespace cutset {

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

class ChoosingWriter final : public ResultWriter {
  public:
    ChoosingWriter(std::unique_ptr<ResultWriter> writer, std::vector<std::string> patterns)
        : writer_(std::move(writer)), patterns_(std::move(patterns)) {}

    Problem begin(const Columns& columns) override {
        chosen_ = choose_columns(columns, patterns_);
        if (!chosen_.not_matched.empty()) {
            std::vector<std::string> names;
            for (const Column& c : columns) names.push_back(c.name);
            const std::string& pattern = chosen_.not_matched.front();
            return results_messages::nothing_matches(pattern, nearest_name(pattern, names));
        }
        row_.resize(chosen_.stored.size());
        return writer_->begin(chosen_.columns);
    }
    Problem append(std::span<const double> row) override {
        for (std::size_t i = 0; i < row_.size(); ++i) {
            const double v = row[chosen_.stored[i]];
            row_[i] = chosen_.signs[i] < 0 ? 0.0 - v : v;
        }
        return writer_->append(row_);
    }
    Problem flush() override { return writer_->flush(); }
    Problem finish() override { return writer_->finish(); }
    double processor_seconds_beside() const override { return writer_->processor_seconds_beside(); }

  private:
    std::unique_ptr<ResultWriter> writer_;
    std::vector<std::string> patterns_;
    ChosenColumns chosen_;
    std::vector<double> row_;
};

}  // namespace

// The usual one: after a * that matched too little, it takes one letter more.
bool matches_pattern(std::string_view name, std::string_view pattern) {
    std::size_t n = 0, p = 0, star = std::string_view::npos, after = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            after = n;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
            ++p;
            ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++after;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

ChosenColumns choose_columns(const Columns& all, const std::vector<std::string>& patterns) {
    std::vector<bool> chosen(all.size()), met(patterns.size());
    std::vector<std::size_t> place(all.size());  // of the stored ones, in a row of all
    std::size_t stored = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const Column& c = all[ColumnIndex(k)];
        if (c.stored()) place[k] = stored++;
        chosen[k] = c.kind == ColumnKind::Time;
        for (std::size_t i = 0; i < patterns.size(); ++i) {
            if (!matches_pattern(c.name, patterns[i])) continue;
            chosen[k] = met[i] = true;
        }
    }
    ChosenColumns out;
    for (std::size_t i = 0; i < patterns.size(); ++i)
        if (!met[i]) out.not_matched.push_back(patterns[i]);
    // By column: the one that holds its numbers, itself or the first alias of it where only that is chosen.
    std::vector<std::size_t> holder(all.size(), none);
    for (std::size_t k = 0; k < all.size(); ++k)
        if (chosen[k] && all[ColumnIndex(k)].kind != ColumnKind::Alias) holder[k] = k;
    for (std::size_t k = 0; k < all.size(); ++k)
        if (const Column& c = all[ColumnIndex(k)]; chosen[k] && c.kind == ColumnKind::Alias)
            if (holder[c.alias_of.value] == none) holder[c.alias_of.value] = k;
    std::vector<ColumnIndex> now(all.size());
    std::vector<std::pair<ColumnIndex, std::size_t>> aliases;  // and the old numbers of their holders
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (!chosen[k]) continue;
        Column column = all[ColumnIndex(k)];
        const bool alias = column.kind == ColumnKind::Alias;
        const std::size_t target = alias ? column.alias_of.value : k;
        now[k] = out.columns.end_index();
        if (holder[target] != k) {
            if (holder[target] != target)
                column.negated = column.negated != all[ColumnIndex(holder[target])].negated;
            aliases.emplace_back(now[k], holder[target]);
        } else {
            const Column& equal = all[ColumnIndex(target)];
            column.kind = equal.kind;
            column.of_variable = alias ? equal.kind == ColumnKind::Parameter : column.of_variable;
            column.value = column.negated ? 0.0 - equal.value : equal.value;
            if (column.stored()) {
                out.stored.push_back(place[target]);
                out.signs.push_back(column.negated ? -1 : 1);
            }
            column.negated = false;
        }
        out.columns.push_back(std::move(column));
    }
    for (const auto& [alias, of] : aliases) out.columns[alias].alias_of = now[of];
    return out;
}

std::unique_ptr<ResultWriter> make_choosing_writer(std::unique_ptr<ResultWriter> writer,
                                                   std::vector<std::string> patterns) {
    return std::make_unique<ChoosingWriter>(std::move(writer), std::move(patterns));
}

}  // namespace cutset
