// Results as .npz files: rows while the run goes on, columns at its end (npz.h).
#include <fmt/format.h>
#include <sys/mman.h>

#include <cstring>

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

    void add_row(std::span<const double> row) override { buffer_ += bytes_of(row); }

    std::size_t whole_part(std::size_t written) const override {
        return written - written % (width_ * sizeof(double));
    }

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

    Problem write_columns(OutputFile& out) {
        const Mapped rows(file_.descriptor(), data_at_ + rows_count_ * width_ * sizeof(double));
        if (!rows.good()) return fmt::format("{}: the rows cannot be read back", path_);
        if (Problem p = out.open(path_)) return p;
        std::vector<zip::Member> members;
        std::size_t slot = 0;
        std::vector<std::size_t> slots;
        for (const Column& c : columns_) slots.push_back(c.stored() ? slot++ : 0);
        Problem problem = add_constants(out, members, false);
        for (std::size_t k = 0; k < columns_.size() && !problem; ++k) {
            const Column& c = columns_[ColumnIndex(k)];
            if (is_written_once(columns_, c)) continue;
            if (is_constant(columns_, c)) {
                const std::vector<double> values(rows_count_, constant_value(columns_, c));
                problem = add_member(out, members, c.name,
                                     npz::array_header({rows_count_}) + std::string(bytes_of(values)));
                continue;
            }
            const bool alias = c.kind == ColumnKind::Alias;
            problem = add_member(
                out, members, c.name,
                column(rows.data() + data_at_, slots[alias ? c.alias_of.value : k], alias && c.negated));
        }
        std::size_t written = 0;
        return problem ? problem : out.append(zip::directory(members, out.size()), written);
    }

    std::string column(const char* data, std::size_t slot, bool negated) const {
        std::string out = npz::array_header({rows_count_});
        const std::size_t begin = out.size(), stride = width_ * sizeof(double);
        out.resize(begin + rows_count_ * sizeof(double));
        char* to = out.data() + begin;
        data += slot * sizeof(double);
        for (std::uint64_t row = 0; row < rows_count_; ++row, to += sizeof(double), data += stride) {
            double v = 0;
            std::memcpy(&v, data, sizeof v);
            if (negated) v = 0.0 - v;
            std::memcpy(to, &v, sizeof v);
        }
        return out;
    }

    std::vector<zip::Member> members_;
    zip::Member rows_;
    std::uint64_t data_at_ = 0, rows_count_ = 0;
};

}  // namespace

std::unique_ptr<ResultWriter> make_npz_writer(std::string path) {
    return std::make_unique<NpzWriter>(std::move(path));
}

}  // namespace cutset
