#include "native/statements.h"

#include <algorithm>

#include "base/disjoint_sets.h"

namespace cutset::native {

SlotWork::SlotWork(std::size_t slots)
    : stamp(slots, 0), place(slots, 0), version(slots, 0), version_stamp(slots, 0), live(slots, 0) {}

namespace {

constexpr std::size_t most_instructions_jumped = 20'000;  // in one part that jumps cross
constexpr std::size_t most_words = std::size_t(1) << 22;  // of the sets that its analysis keeps

bool is_jump(const Instruction& i) {
    return i.code == Code::Jump || i.code == Code::JumpFalse;
}

// Calls read(slot) for what an instruction reads, then write(slot).
template <class Read, class Write>
void visit_slots(const Program& program, const Instruction& i, Read read, Write write) {
    switch (i.code) {
        case Code::Copy:
        case Code::Negate:
        case Code::Unary:
            read(i.a);
            write(i.to);
            break;
        case Code::Add:
        case Code::Subtract:
        case Code::Multiply:
        case Code::Divide:
        case Code::Binary:
            read(i.a);
            read(i.b);
            write(i.to);
            break;
        case Code::JumpFalse:
            read(i.a);
            break;
        case Code::Call:
            for (Slot s : program.calls[i.a].arguments) read(s);
            write(i.to);
            break;
        case Code::Delay:
            read(i.b);
            read(program.layout.time);
            write(i.to);
            break;
        case Code::Switch:  // gone
        case Code::Jump:
        case Code::Solve:
            break;
    }
}

bool writes(const Instruction& i) {
    return !is_jump(i) && i.code != Code::Solve;
}

// Sets of small numbers, one after the other in one array.
class Sets {
  public:
    void reset(std::size_t sets, std::size_t members) {
        words_ = (members + 63) / 64;
        bits_.assign(sets * words_, 0);
    }
    std::uint64_t* operator[](std::size_t set) { return bits_.data() + set * words_; }
    std::size_t words() const { return words_; }
    static bool has(const std::uint64_t* set, std::size_t member) {
        return (set[member / 64] >> (member % 64) & 1) != 0;
    }
    static void add(std::uint64_t* set, std::size_t member) {
        set[member / 64] |= std::uint64_t(1) << (member % 64);
    }
    static void remove(std::uint64_t* set, std::size_t member) {
        set[member / 64] &= ~(std::uint64_t(1) << (member % 64));
    }

  private:
    std::size_t words_ = 0;
    std::vector<std::uint64_t> bits_;
};

class Cutter {
  public:
    Cutter(const Program& program, const Section& section, SlotWork& work)
        : program_(program),
          section_(section.instructions),
          work_(work),
          first_temporary_(static_cast<Slot>(program.layout.constants + program.constants.size())) {
        ++work_.section;
    }

    std::optional<Statements> run() {
        if (!find_ends() || !find_lives()) return std::nullopt;
        out_.shape.reserve(size());
        out_.first_operand.reserve(size() + 1);
        for (std::size_t s = 0; s < size(); ++s) {
            if (!lower(s)) return std::nullopt;
            shape_.clear();
            out_.first_operand.push_back(static_cast<std::uint32_t>(out_.operands.size()));
            if (!(jumps_ ? name_with_jumps(s) : name_straight(s))) return std::nullopt;
            out_.shape.push_back(out_.shapes.intern(shape_));
        }
        out_.first_operand.push_back(static_cast<std::uint32_t>(out_.operands.size()));
        out_.scratch_uses.assign(out_.scratch, 0);
        for (std::size_t s = 0; s < size(); ++s) {
            const auto& columns = out_.shapes[out_.shape[s]].columns;
            const auto operands = out_.operands_of(s);
            for (std::size_t c = 0; c < columns.size(); ++c)
                if (columns[c].kind == ColumnKind::Scratch) ++out_.scratch_uses[operands[c]];
        }
        return std::move(out_);
    }

  private:
    bool is_temporary(Slot slot) const { return slot >= first_temporary_; }
    bool is_constant(Slot slot) const { return slot >= program_.layout.constants && slot < first_temporary_; }
    std::size_t size() const { return ends_.size(); }
    std::size_t begin_of(std::size_t statement) const { return statement ? ends_[statement - 1] : 0; }

    // The next instruction reads `slot` as a condition: x and y, x or y.
    bool decides_next(Slot slot, std::size_t next) const {
        if (next < section_.size() && section_[next].code == Code::Unary && section_[next].op == Op::Not &&
            section_[next].a == slot) {
            slot = section_[next].to;
            ++next;
        }
        return next < section_.size() && section_[next].code == Code::JumpFalse && section_[next].a == slot;
    }

    bool find_ends() {
        std::size_t begin = 0, length = 0, reach = 0;
        for (std::size_t at = 0; at < section_.size();) {
            const Instruction& i = section_[at];
            std::size_t next = at + 1;
            if (i.code == Code::Switch) {
                if (i.b < next || i.b > section_.size()) return false;
                next = i.b;
            }
            if (i.code == Code::Solve) {
                if (at < reach) return false;
                if (at > begin) ends_.push_back(static_cast<std::uint32_t>(at));
                begin = at;
            }
            if (is_jump(i)) {
                if (i.to < next || i.to > section_.size()) return false;
                reach = std::max<std::size_t>(reach, i.to);
            }
            ++length;
            const bool done = i.code == Code::Solve || length >= longest_statement ||
                              (writes(i) && !is_temporary(i.to) && !decides_next(i.to, next));
            if (next >= reach && (done || next == section_.size())) {
                ends_.push_back(static_cast<std::uint32_t>(next));
                begin = next;
                length = 0;
            } else if (length > most_instructions_jumped) {
                return false;
            }
            at = next;
        }
        return ends_.empty() || ends_.back() == section_.size();
    }

    // The instructions of a statement without switches, jumps counted from its beginning.
    bool lower(std::size_t statement) {
        constexpr std::uint32_t gone = ~0u;
        const std::size_t begin = begin_of(statement), end = ends_[statement];
        code_.clear();
        jumps_ = false;
        place_.assign(end - begin + 1, gone);
        for (std::size_t at = begin; at < end;) {
            place_[at - begin] = static_cast<std::uint32_t>(code_.size());
            Instruction i = section_[at++];
            if (i.code == Code::Switch) {
                at = i.b;
                i = {Code::Copy, Op::Number, i.to, program_.layout.switches[i.a], 0};
            }
            jumps_ |= is_jump(i);
            code_.push_back(i);
        }
        place_[end - begin] = static_cast<std::uint32_t>(code_.size());
        if (!jumps_) return true;
        for (Instruction& i : code_) {
            if (!is_jump(i)) continue;
            i.to = place_[i.to - begin];
            if (i.to == gone) return false;
        }
        return true;
    }

    // The temporaries of the statement at hand: numbered, work_.place is the number.
    void collect_temporaries() {
        ++work_.now;
        temporaries_.clear();
        const auto meet = [&](Slot s) {
            if (!is_temporary(s) || work_.stamp[s] == work_.now) return;
            work_.stamp[s] = work_.now;
            work_.place[s] = static_cast<std::uint32_t>(temporaries_.size());
            temporaries_.push_back(s);
        };
        for (const Instruction& i : code_) visit_slots(program_, i, meet, meet);
    }

    // Which of the temporaries are needed at each target of a jump; `at_end` those needed afterwards. What is
    // needed at the beginning is left in `live`.
    bool find_needed(const std::vector<std::uint8_t>& at_end, std::vector<std::uint64_t>& live) {
        const std::size_t n = code_.size(), members = temporaries_.size();
        target_.assign(n + 1, 0);
        std::uint32_t targets = 0;
        for (const Instruction& i : code_)
            if (is_jump(i) && !target_[i.to]) target_[i.to] = ++targets;
        if ((targets + 1) * (members / 64 + 1) > most_words) return false;
        needed_.reset(targets + 1, members);
        live.assign(needed_.words(), 0);
        for (std::size_t m = 0; m < members; ++m)
            if (at_end[m]) Sets::add(live.data(), m);
        const auto keep = [&](std::size_t at) {
            if (target_[at]) std::copy(live.begin(), live.end(), needed_[target_[at]]);
        };
        keep(n);
        for (std::size_t k = n; k-- > 0;) {
            const Instruction& i = code_[k];
            if (is_jump(i)) {
                const std::uint64_t* there = needed_[target_[i.to]];
                for (std::size_t w = 0; w < live.size(); ++w)
                    live[w] = i.code == Code::Jump ? there[w] : live[w] | there[w];
            }
            if (writes(i) && is_temporary(i.to)) Sets::remove(live.data(), work_.place[i.to]);
            visit_slots(
                program_, i,
                [&](Slot s) {
                    if (is_temporary(s)) Sets::add(live.data(), work_.place[s]);
                },
                [](Slot) {});
            keep(k);
        }
        return true;
    }

    void set_live(Slot temporary, bool live) {
        live_count_ += int(live) - int(work_.live[temporary]);
        work_.live[temporary] = live;
    }

    // Backward over the section: which temporaries that a statement writes are read by later ones.
    bool find_lives() {
        const std::size_t n = size();
        passed_begin_.assign(n, 0);
        passed_end_.assign(n, 0);
        std::vector<std::uint8_t> at_end, written;
        std::vector<std::uint64_t> live;
        bool good = true;
        for (std::size_t s = n; s-- > 0 && good;) {
            good = lower(s);
            if (!good) break;
            collect_temporaries();
            const std::size_t members = temporaries_.size();
            at_end.resize(members);
            written.assign(members, 0);
            for (std::size_t m = 0; m < members; ++m) at_end[m] = work_.live[temporaries_[m]];
            for (const Instruction& i : code_)
                if (writes(i) && is_temporary(i.to)) written[work_.place[i.to]] = 1;
            passed_begin_[s] = static_cast<std::uint32_t>(passed_.size());
            for (std::size_t m = 0; m < members; ++m)
                if (at_end[m] && written[m]) passed_.push_back(temporaries_[m]);
            passed_end_[s] = static_cast<std::uint32_t>(passed_.size());
            if (jumps_) {
                good = find_needed(at_end, live);
                for (std::size_t m = 0; m < members && good; ++m)
                    set_live(temporaries_[m], Sets::has(live.data(), m));
            } else {
                for (std::size_t k = code_.size(); k-- > 0;) {
                    const Instruction& i = code_[k];
                    if (writes(i) && is_temporary(i.to)) set_live(i.to, false);
                    visit_slots(
                        program_, i,
                        [&](Slot slot) {
                            if (is_temporary(slot)) set_live(slot, true);
                        },
                        [](Slot) {});
                }
            }
        }
        // A temporary needed at the beginning would have no value.
        if (live_count_ != 0) {
            good = false;
            std::fill(work_.live.begin(), work_.live.end(), 0);
        }
        return good;
    }

    // ---- columns and locals

    Reference column(ColumnKind kind, std::uint32_t operand) {
        shape_.columns.push_back({kind, false, false});
        out_.operands.push_back(operand);
        return static_cast<Reference>(shape_.columns.size() - 1);
    }
    Reference read(Reference r) {
        if (!is_local(r)) shape_.columns[r].read = true;
        return r;
    }
    Reference written(Reference r) {
        if (!is_local(r)) shape_.columns[r].written = true;
        return r;
    }
    Reference quantity(Slot slot) {
        if (work_.stamp[slot] != work_.now) {
            work_.stamp[slot] = work_.now;
            work_.place[slot] = column(ColumnKind::Value, slot);
        }
        return work_.place[slot];
    }

    // One instruction of the shape; read(slot) and write(slot) give references.
    template <class Read, class Write>
    void append(const Instruction& i, Read read_slot, Write write_slot) {
        ShapeInstruction out;
        out.code = i.code;
        switch (i.code) {
            case Code::Copy:
            case Code::Negate:
                out.a = read_slot(i.a);
                break;
            case Code::Unary:
                out.op = i.op;
                out.a = read_slot(i.a);
                break;
            case Code::Add:
            case Code::Subtract:
            case Code::Multiply:
            case Code::Divide:
                out.a = read_slot(i.a);
                out.b = read_slot(i.b);
                break;
            case Code::Binary:
                out.op = i.op;
                out.a = read_slot(i.a);
                if (i.op == Op::Power && is_constant(i.b)) {
                    out.has_literal = true;
                    out.literal = program_.constants[i.b - program_.layout.constants];
                } else {
                    out.b = read_slot(i.b);
                }
                break;
            case Code::Jump:
                out.to = i.to;
                break;
            case Code::JumpFalse:
                out.a = read_slot(i.a);
                out.to = i.to;
                break;
            case Code::Call: {
                out.a = column(ColumnKind::Number, i.a);
                if (i.a < work_.forms.size() && work_.forms[i.a].parts > 0) {
                    const CallForm& form = work_.forms[i.a];
                    out.function = column(ColumnKind::Number, form.code);
                    out.outputs = form.outputs;
                    out.parts = form.parts;
                    out.seeds = form.seeds;
                    out.result = form.result;
                }
                const auto& arguments = program_.calls[i.a].arguments;
                argument_buffer_.clear();
                for (Slot s : arguments) argument_buffer_.push_back(read_slot(s));
                out.b = static_cast<std::uint32_t>(shape_.arguments.size());
                out.count = static_cast<std::uint32_t>(arguments.size());
                shape_.arguments.insert(shape_.arguments.end(), argument_buffer_.begin(),
                                        argument_buffer_.end());
                break;
            }
            case Code::Solve:
                out.a = column(ColumnKind::Number, i.a);
                break;
            case Code::Delay:
                out.a = column(ColumnKind::Number, i.a);
                out.b = read_slot(i.b);
                out.time = read(quantity(program_.layout.time));
                break;
            case Code::Switch:
                break;
        }
        if (writes(i)) out.to = write_slot(i.to);
        shape_.code.push_back(out);
    }

    std::optional<std::uint32_t> version(Slot temporary) const {
        if (work_.version_stamp[temporary] != work_.section) return std::nullopt;
        return work_.version[temporary];
    }
    void set_version(Slot temporary, std::uint32_t place) {
        work_.version_stamp[temporary] = work_.section;
        work_.version[temporary] = place;
    }

    // Each write of a temporary is a new local; the last write of one that is read later goes to scratch.
    bool name_straight(std::size_t statement) {
        ++work_.now;
        const std::uint32_t *passed = passed_.data() + passed_begin_[statement],
                            *passed_end = passed_.data() + passed_end_[statement];
        last_write_.assign(code_.size(), 0);
        if (passed != passed_end) {
            left_.assign(passed, passed_end);
            for (std::size_t k = code_.size(); k-- > 0 && !left_.empty();) {
                if (!writes(code_[k])) continue;
                const auto found = std::find(left_.begin(), left_.end(), code_[k].to);
                if (found == left_.end()) continue;
                last_write_[k] = 1;
                left_.erase(found);
            }
        }
        bool good = true;
        for (std::size_t k = 0; k < code_.size(); ++k) {
            append(
                code_[k],
                [&](Slot slot) -> Reference {
                    if (!is_temporary(slot)) return read(quantity(slot));
                    if (work_.stamp[slot] != work_.now) {
                        const auto place = version(slot);
                        good = good && place;
                        work_.stamp[slot] = work_.now;
                        work_.place[slot] = column(ColumnKind::Scratch, place.value_or(0));
                    }
                    return read(work_.place[slot]);
                },
                [&](Slot slot) -> Reference {
                    if (!is_temporary(slot)) return written(quantity(slot));
                    work_.stamp[slot] = work_.now;
                    if (last_write_[k]) {
                        set_version(slot, out_.scratch);
                        work_.place[slot] = column(ColumnKind::Scratch, out_.scratch++);
                    } else {
                        work_.place[slot] = local_bit | shape_.locals++;
                    }
                    return written(work_.place[slot]);
                });
            if (!good) return false;
        }
        return true;
    }

    // With jumps: writes that can reach the same read are one name.
    bool name_with_jumps(std::size_t statement) {
        collect_temporaries();
        const std::size_t members = temporaries_.size(), n = code_.size();
        std::vector<std::uint8_t> at_end(members, 0);
        for (std::size_t p = passed_begin_[statement]; p < passed_end_[statement]; ++p)
            at_end[work_.place[passed_[p]]] = 1;
        std::vector<std::uint64_t> live;
        if (!find_needed(at_end, live)) return false;

        DisjointSets same(1);  // names of one value; 0 is "no value"
        std::vector<std::uint32_t> now(members, 0);
        std::vector<std::uint32_t> from_before(members, 0);  // names of values of earlier statements
        for (std::size_t m = 0; m < members; ++m)
            if (version(temporaries_[m])) now[m] = from_before[m] = same.add();
        std::uint32_t most_targets = 0;
        for (std::uint32_t t : target_) most_targets = std::max(most_targets, t);
        if ((most_targets + 1) * (members + 1) > most_words) return false;
        std::vector<std::vector<std::uint32_t>> saved(most_targets + 1);
        bool reached = true;
        const auto land = [&](std::size_t at) {
            if (!target_[at]) return;
            const std::uint64_t* needed = needed_[target_[at]];
            std::vector<std::uint32_t>& other = saved[target_[at]];
            for (std::size_t m = 0; m < members; ++m) {
                const std::uint32_t there = other.empty() ? 0 : other[m];
                if (!Sets::has(needed, m)) {
                    now[m] = 0;
                } else if (!reached) {
                    now[m] = there;
                } else if (now[m] && there) {
                    same.join(there, now[m]);
                } else if (!other.empty()) {
                    now[m] = 0;  // not on both ways
                }
            }
            reached = true;
        };
        std::vector<std::uint32_t> names;  // of temporaries, in the order in which they are met
        bool good = true;
        for (std::size_t k = 0; k < n && good; ++k) {
            land(k);
            const Instruction& i = code_[k];
            visit_slots(
                program_, i,
                [&](Slot s) {
                    if (!is_temporary(s)) return;
                    good = good && (now[work_.place[s]] || !reached);
                    names.push_back(now[work_.place[s]]);
                },
                [&](Slot s) {
                    if (!is_temporary(s)) return;
                    now[work_.place[s]] = same.add();
                    names.push_back(now[work_.place[s]]);
                });
            if (is_jump(i)) {
                std::vector<std::uint32_t>& there = saved[target_[i.to]];
                if (there.empty()) {
                    there = now;
                    if (there.empty()) there.push_back(0);
                } else {
                    const std::uint64_t* needed = needed_[target_[i.to]];
                    for (std::size_t m = 0; m < members; ++m) {
                        if (!Sets::has(needed, m)) continue;
                        if (there[m] && now[m])
                            same.join(now[m], there[m]);
                        else
                            there[m] = 0;
                    }
                }
                if (i.code == Code::Jump) reached = false;
            }
        }
        if (!good) return false;
        land(n);

        constexpr Reference open = ~0u;
        std::vector<Reference> reference(same.size(), open);
        std::vector<std::uint32_t> place(same.size(), open);  // in scratch, by root
        for (std::size_t m = 0; m < members; ++m)
            if (from_before[m]) place[same.root(from_before[m])] = *version(temporaries_[m]);
        for (std::size_t m = 0; m < members; ++m) {
            if (!at_end[m]) continue;
            if (!now[m]) return false;
            std::uint32_t& at = place[same.root(now[m])];
            if (at == open) at = out_.scratch++;
            set_version(temporaries_[m], at);
        }
        ++work_.now;  // from here on for columns
        std::size_t met = 0;
        const auto name = [&]() -> Reference {
            const std::uint32_t r = same.root(names[met++]);
            if (reference[r] == open)
                reference[r] =
                    place[r] != open ? column(ColumnKind::Scratch, place[r]) : local_bit | shape_.locals++;
            return reference[r];
        };
        for (const Instruction& i : code_)
            append(
                i, [&](Slot s) { return read(is_temporary(s) ? name() : quantity(s)); },
                [&](Slot s) { return written(is_temporary(s) ? name() : quantity(s)); });
        return true;
    }

    const Program& program_;
    const std::vector<Instruction>& section_;
    SlotWork& work_;
    const Slot first_temporary_;
    Statements out_;
    std::vector<std::uint32_t> ends_;

    // The statement at hand.
    std::vector<Instruction> code_;
    std::vector<std::uint32_t> place_;
    bool jumps_ = false;
    std::vector<Slot> temporaries_;
    std::vector<std::uint32_t> target_;  // by instruction: number of the target, from 1
    Sets needed_;                        // by number of the target
    Shape shape_;
    std::vector<std::uint8_t> last_write_;
    std::vector<Slot> left_;
    std::vector<Reference> argument_buffer_;

    // Temporaries that a statement writes for later ones.
    std::vector<Slot> passed_;
    std::vector<std::uint32_t> passed_begin_, passed_end_;
    std::int64_t live_count_ = 0;
};

}  // namespace

std::optional<Statements> cut_into_statements(const Program& program, const Section& section,
                                              SlotWork& work) {
    if (!std::all_of(section.instructions.begin(), section.instructions.end(), has_code)) return std::nullopt;
    return Cutter(program, section, work).run();
}

}  // namespace cutset::native
