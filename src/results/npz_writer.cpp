// Results as .npz files: rows while the run goes on, columns at its end (npz.h).
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>

#include "base/on_threads.h"
#include "results/file_writer.h"
#include "results/npz.h"
#include "results/parameters_file.h"
#include "results/zip.h"

namespace cutset {

namespace {

std::string_view bytes_of(std::span<const double> values) {
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// The file, mapped into memory to be read.
class Mapped {
  public:
    Mapped(int descriptor, std::uint64_t size) : size_(size) {
        if (size > 0) begin_ = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    }
    ~Mapped() {
        if (good()) ::munmap(begin_, size_);
    }
    Mapped(const Mapped&) = delete;
    Mapped& operator=(const Mapped&) = delete;
    bool good() const { return begin_ != MAP_FAILED && begin_ != nullptr; }
    const char* data() const { return static_cast<const char*>(begin_); }

  private:
    std::uint64_t size_;
    void* begin_ = nullptr;
};

class NpzWriter final : public FileWriter {
  public:
    using FileWriter::FileWriter;
    ~NpzWriter() override {
        try {
            finish();
        } catch (...) {  // the rows stay in the partial file
        }
    }

  private:
    Problem write_header() override {
        if (!file_.can_overwrite())
            return fmt::format("{}: a .npz file needs a real file, because its header changes as it grows",
                               path_);
        std::size_t written = 0;
        if (Problem p = add_constants(file_, members_, true)) return p;
        rows_.name = std::string(npz::rows_name) + ".npy";
        rows_.offset = file_.size();
        if (Problem p = file_.append(zip::local_header(rows_) + npz::array_header({0, width_}), written))
            return p;
        data_at_ = file_.size();
        return std::nullopt;
    }

    std::string_view rendered(std::span<const double> rows, Text&) const override { return bytes_of(rows); }

    // Data, then what says how many, then the directory, which the next data take the place of. Without a
    // checksum of the rows, which would take as long as all else.
    Problem mark_rows(std::string_view) override {
        const std::uint64_t end = file_.size(), size = end - data_at_;
        rows_count_ = size / (width_ * sizeof(double));
        const std::string header = npz::array_header({rows_count_, width_});
        rows_.size = header.size() + size;
        if (Problem p = file_.overwrite(rows_.offset, zip::local_header(rows_) + header)) return p;
        std::vector<zip::Member> all = members_;
        all.push_back(rows_);
        return file_.overwrite(end, zip::directory(all, end));  // beyond what counts as written
    }

    Problem close(bool any_row) override {
        if (!any_row) return file_.close(false);
        OutputFile columns;
        if (Problem p = write_columns(columns)) {
            columns.close(false);
            file_.close(true);  // as rows, which can be read too
            return p;
        }
        if (Problem p = columns.close(true)) return p;
        return file_.close(false);
    }

    static Problem add_member(OutputFile& file, std::vector<zip::Member>& members, const std::string& name,
                              const std::string& content) {
        zip::Member member{name + ".npy", zip::crc_of(0, content), content.size(), file.size()};
        std::size_t written = 0;
        Problem problem = file.append(zip::local_header(member), written);
        if (!problem) problem = file.append(content, written);
        members.push_back(std::move(member));
        return problem;
    }

    // The table of columns, and what is written once; while there are only rows, all that never changes.
    Problem add_constants(OutputFile& file, std::vector<zip::Member>& members, bool with_variables) const {
        Problem problem =
            add_member(file, members, std::string(npz::columns_name), npz::columns_table(columns_));
        for (const Column& c : columns_) {
            if (problem || !(with_variables ? is_constant(columns_, c) : is_written_once(columns_, c)))
                continue;
            const double value = constant_value(columns_, c);
            problem =
                add_member(file, members, c.name, npz::array_header({}) + std::string(bytes_of({&value, 1})));
        }
        return problem;
    }

    // An array of the final file: the column of a slot, or its opposite, or a number in every row.
    struct Array {
        std::size_t member;  // its number
        std::optional<std::size_t> slot;
        bool negated = false;
        double value = 0;
    };

    // The rows turned into columns, several at a time and on several threads: all places are known before.
    Problem write_columns(OutputFile& out) {
        const Mapped rows(file_.descriptor(), data_at_ + rows_count_ * width_ * sizeof(double));
        if (!rows.good()) return fmt::format("{}: the rows cannot be read back", path_);
        if (Problem p = out.open(path_)) return p;
        std::vector<zip::Member> members;
        if (Problem p = add_constants(out, members, false)) return p;
        const std::vector<Array> arrays = place_arrays(members, out.size());
        std::vector<std::vector<const Array*>> of_slot(width_);
        std::vector<const Array*> constant;
        for (const Array& array : arrays) (array.slot ? of_slot[*array.slot] : constant).push_back(&array);

        // A line of the cache has eight numbers of a row.
        const std::size_t together =
            std::clamp<std::size_t>(most_together / std::max<std::size_t>(rows_count_, 1), 1, 16);
        std::atomic<std::size_t> next = 0;
        std::mutex mutex;
        Problem problem;
        const auto write_all = [&](const std::vector<const Array*>& list, const double* values) {
            for (const Array* array : list)
                if (Problem p = write_array(out, *array, members[array->member], values)) {
                    const std::lock_guard lock(mutex);
                    if (!problem) problem = p;
                }
        };
        const std::size_t threads = rows_count_ * width_ > worth_threads ? 4 : 1;
        on_threads(std::min<unsigned>(threads, std::thread::hardware_concurrency()), [&] {
            std::vector<double> columns(together * rows_count_);
            for (std::size_t slot; (slot = next.fetch_add(together)) < width_;) {
                const std::size_t count = std::min(together, width_ - slot);
                transpose(rows.data() + data_at_, slot, count, columns);
                for (std::size_t k = 0; k < count; ++k)
                    write_all(of_slot[slot + k], columns.data() + k * rows_count_);
            }
        });
        write_all(constant, nullptr);
        if (problem) return problem;
        const zip::Member& last = members.back();
        const std::uint64_t end = last.offset + zip::local_header(last).size() + last.size;
        return out.overwrite(end, zip::directory(members, end));
    }

    // The members of all arrays, one after the other from `offset` on.
    std::vector<Array> place_arrays(std::vector<zip::Member>& members, std::uint64_t offset) const {
        std::vector<Array> arrays;
        std::vector<std::size_t> slots;
        std::size_t slot = 0;
        for (const Column& c : columns_) slots.push_back(c.stored() ? slot++ : 0);
        const std::size_t size = npz::array_header({rows_count_}).size() + rows_count_ * sizeof(double);
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            const Column& c = columns_[ColumnIndex(k)];
            if (is_written_once(columns_, c)) continue;
            Array array{.member = members.size(), .slot = std::nullopt};
            if (is_constant(columns_, c)) {
                array.value = constant_value(columns_, c);
            } else {
                const bool alias = c.kind == ColumnKind::Alias;
                array.slot = slots[alias ? c.alias_of.value : k];
                array.negated = alias && c.negated;
            }
            arrays.push_back(array);
            members.push_back({c.name + ".npy", 0, size, offset});
            offset += zip::local_header(members.back()).size() + size;
        }
        return arrays;
    }

    // columns := `count` slots of the rows from `slot` on, one after the other.
    void transpose(const char* data, std::size_t slot, std::size_t count,
                   std::vector<double>& columns) const {
        const std::size_t stride = width_ * sizeof(double);
        data += slot * sizeof(double);
        for (std::size_t row = 0; row < rows_count_; ++row, data += stride)
            for (std::size_t k = 0; k < count; ++k)
                std::memcpy(&columns[k * rows_count_ + row], data + k * sizeof(double), sizeof(double));
    }

    Problem write_array(OutputFile& out, const Array& array, zip::Member& member,
                        const double* values) const {
        std::vector<double> own;
        if (!array.slot) own.assign(rows_count_, array.value);
        if (array.negated) {
            own.assign(values, values + rows_count_);
            for (double& v : own) v = 0.0 - v;
        }
        const std::string header = npz::array_header({rows_count_});
        const std::string_view content = bytes_of({own.empty() ? values : own.data(), rows_count_});
        member.crc = zip::crc_of(zip::crc_of(0, header), content);
        const std::string before = zip::local_header(member) + header;
        if (Problem p = out.overwrite(member.offset, before)) return p;
        return out.overwrite(member.offset + before.size(), content);
    }

    static constexpr std::size_t most_together = 1 << 22, worth_threads = 1 << 18;  // numbers
    std::vector<zip::Member> members_;
    zip::Member rows_;
    std::uint64_t data_at_ = 0, rows_count_ = 0;
};

}  // namespace

std::unique_ptr<ResultWriter> make_npz_writer(std::string path) {
    return std::make_unique<NpzWriter>(std::move(path));
}

}  // namespace cutset
