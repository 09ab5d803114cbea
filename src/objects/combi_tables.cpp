#include "objects/combi_tables.h"

#include <algorithm>
#include <cmath>

#include "objects/functions.h"
#include "objects/table_files.h"
#include "objects/value_messages.h"
#include "objects/value_operators.h"

namespace cutset::objects {

namespace {

constexpr std::string_view prefix = "ModelicaStandardTables_";

enum class Smoothness { Linear = 1, Akima, Constant, FritschButland, Steffen, ModifiedAkima };
enum class Extrapolation { Hold = 1, LastTwoPoints, Periodic, None };

Interpolation interpolation_of(Smoothness s) {
    switch (s) {
        case Smoothness::Akima:
            return Interpolation::Akima;
        case Smoothness::FritschButland:
            return Interpolation::Monotone;
        case Smoothness::Steffen:
            return Interpolation::Steffen;
        case Smoothness::ModifiedAkima:
            return Interpolation::ModifiedAkima;
        default:
            return Interpolation::Linear;
    }
}

Outside outside_of(Extrapolation x) {
    return x == Extrapolation::Hold            ? Outside::Hold
           : x == Extrapolation::LastTwoPoints ? Outside::Extrapolate
                                               : Outside::Error;
}

// What the constructor was given, looked up by the names of its inputs.
class TableObject {
  public:
    TableObject(Evaluator& e, const ExternalObject& object, Span where)
        : e_(e), object_(object), where_(where) {}

    double number(const std::string& name, double otherwise) const {
        const Value* v = find(name);
        return v ? known(v->expr()) : otherwise;
    }
    std::string text(const std::string& name) const {
        const Value* v = find(name);
        return v && v->type.basic == Basic::String ? v->text() : "";
    }
    std::vector<std::size_t> columns() const {
        std::vector<std::size_t> result;
        if (const Value* v = find("columns"))
            for (std::size_t k = 0; k < v->size(); ++k)
                result.push_back(static_cast<std::size_t>(known(v->expr(k))));
        return result;
    }
    Smoothness smoothness() const {
        return static_cast<Smoothness>(std::clamp(static_cast<int>(number("smoothness", 1)), 1, 6));
    }
    Extrapolation extrapolation() const {
        return static_cast<Extrapolation>(std::clamp(static_cast<int>(number("extrapolation", 2)), 1, 4));
    }

    TableMatrix matrix() const {
        TableMatrix m;
        const std::string file = text("fileName");
        if (!file.empty() && file != "NoName") {
            std::string problem;
            const auto& resource = e_.functions().resource;
            const std::string path = file.starts_with("modelica://") && resource ? resource(file) : file;
            e_.model().reads_files = true;
            const double lines = std::max(0.0, number("nHeaderLines", 0));
            if (!read_table_file(path, text("tableName"), static_cast<std::size_t>(lines), m, problem))
                throw Refused{messages::table_file(where_, path, problem)};
        } else if (const Value* v = find("table"); v && v->dimensions.size() == 2) {
            m.rows = v->dimensions[0];
            m.columns = v->dimensions[1];
            for (std::size_t k = 0; k < v->size(); ++k) m.values.push_back(known(v->expr(k)));
        }
        if (m.rows == 0 || m.columns < 2) throw Refused{messages::table_empty(where_)};
        return m;
    }

  private:
    const Value* find(const std::string& name) const {
        std::size_t k = 0;
        for (const Member& m : object_.constructor->members) {
            if (m.causality != object::Causality::Input) continue;
            if (m.name == name) return k < object_.arguments.size() ? &object_.arguments[k] : nullptr;
            ++k;
        }
        return nullptr;
    }
    double known(Expr e) const {
        const Expr x = e_.number_of(e);
        if (x->is_number()) return x->number;
        const auto value = e_.value_of_parameters(x, true);
        if (!value)
            throw Refused{messages::not_known(where_, "what a table is made of", "this"), Refusal::NotKnown};
        return *value;
    }

    Evaluator& e_;
    const ExternalObject& object_;
    Span where_;
};

// One column over the first, as an expression of where it is looked up.
class TableLine {
  public:
    TableLine(Evaluator& e, Span where, std::vector<double> x, std::vector<double> y, Smoothness smoothness,
              Extrapolation extrapolation)
        : e_(e),
          where_(where),
          x_(std::move(x)),
          y_(std::move(y)),
          smoothness_(smoothness),
          extrapolation_(extrapolation) {}

    Expr at(Expr u) {
        Pool& pool = e_.pool();
        const double length = x_.back() - x_.front();
        Expr place = u;
        if (extrapolation_ == Extrapolation::Periodic && length > 0) {
            begin_with_the_period();
            const double start = x_.front();
            const Expr both[2] = {pool.subtract(u, pool.number(start)), pool.number(length)};
            place = pool.call(Op::Modulo, both);
            for (double& x : x_) x -= start;
        }
        if (x_.size() == 1) return pool.number(y_[0]);
        return smoothness_ == Smoothness::Constant ? steps(place) : pieces(place);
    }

  private:
    // What stands at the first place before the last point there, and at the last one behind the first point
    // there, is never seen where a table goes round.
    void begin_with_the_period() {
        std::size_t begin = 0, end = x_.size();
        while (begin + 1 < end && x_[begin + 1] == x_[begin]) ++begin;
        while (end - 1 > begin && x_[end - 2] == x_[end - 1]) --end;
        x_ = std::vector(x_.begin() + std::ptrdiff_t(begin), x_.begin() + std::ptrdiff_t(end));
        y_ = std::vector(y_.begin() + std::ptrdiff_t(begin), y_.begin() + std::ptrdiff_t(end));
    }

    // The value of a point up to the next one.
    Expr steps(Expr u) {
        Pool& pool = e_.pool();
        const std::size_t n = x_.size();
        const bool goes_on = extrapolation_ == Extrapolation::LastTwoPoints;
        std::vector<Expr> parts;
        const auto line = [&](std::size_t k, std::size_t from) {  // through the points k and k + 1
            const double slope = (y_[k + 1] - y_[k]) / (x_[k + 1] - x_[k]);
            return pool.add(pool.number(y_[from]),
                            pool.multiply(pool.number(slope), pool.subtract(u, pool.number(x_[from]))));
        };
        if (goes_on && x_[1] > x_[0]) {
            parts.push_back(pool.less(u, pool.number(x_[0])));
            parts.push_back(line(0, 0));
        }
        for (std::size_t k = 0; k + 1 < n; ++k) {
            if (x_[k + 1] < x_[k]) throw Refused{messages::table_order(where_)};
            // Of points at one place the last counts from there on; before the first place the first does.
            if (x_[k + 1] == x_[k] && k > 0) continue;
            parts.push_back(pool.less(u, pool.number(x_[k + 1])));
            parts.push_back(pool.number(y_[k]));
        }
        if (extrapolation_ == Extrapolation::Periodic) {  // the last point is the first of the next period
            parts.pop_back();
            parts.back() = pool.number(y_[n - 2]);
        } else {
            parts.push_back(goes_on && x_[n - 1] > x_[n - 2] ? line(n - 2, n - 1) : pool.number(y_.back()));
        }
        return parts.size() == 1 ? parts[0] : pool.choose(parts);
    }

    // Where two points have one place the table jumps.
    Expr pieces(Expr u) {
        Pool& pool = e_.pool();
        std::vector<Expr> parts;
        for (std::size_t begin = 0; begin < x_.size();) {
            std::size_t end = begin + 1;
            while (end < x_.size() && x_[end] > x_[end - 1]) ++end;
            if (end < x_.size() && x_[end] < x_[end - 1]) throw Refused{messages::table_order(where_)};
            const bool first = begin == 0, last = end == x_.size();
            if (!last) parts.push_back(pool.less(u, pool.number(x_[end])));
            parts.push_back(end - begin == 1 ? pool.number(y_[begin])
                                             : pool.apply(piece(begin, end, first, last), 0, {&u, 1}));
            begin = end;
        }
        return parts.size() == 1 ? parts[0] : pool.choose(parts);
    }

    CalleeIndex piece(std::size_t begin, std::size_t end, bool first, bool last) {
        TableData d;
        d.name = "table";
        d.origin.where = where_;
        const auto at = [](std::size_t k) { return static_cast<std::ptrdiff_t>(k); };
        d.x.assign(x_.begin() + at(begin), x_.begin() + at(end));
        d.values.assign(y_.begin() + at(begin), y_.begin() + at(end));
        d.interpolation = d.x.size() == 2 ? Interpolation::Linear : interpolation_of(smoothness_);
        const bool whole = first && last;
        d.outside = whole ? outside_of(extrapolation_) : Outside::Extrapolate;
        if (extrapolation_ == Extrapolation::Periodic) {
            d.outside = Outside::Extrapolate;
            if (whole && d.x.size() > 2) go_round(d);
        } else if (!whole && extrapolation_ != Extrapolation::LastTwoPoints) {
            // Level beyond the ends of the whole.
            const double length = x_.back() - x_.front();
            if (first) {
                d.x.insert(d.x.begin(), d.x.front() - length);
                d.values.insert(d.values.begin(), d.values.front());
            }
            if (last) {
                d.x.push_back(d.x.back() + length);
                d.values.push_back(d.values.back());
            }
        }
        return e_.model().callees.add(std::move(d));
    }

    // Slopes at the ends are those of the period before and after.
    static void go_round(TableData& d) {
        const std::size_t n = d.x.size();
        const double length = d.x.back() - d.x.front();
        const std::size_t more = std::min<std::size_t>(3, n - 1);
        std::vector<double> x, y;
        for (std::size_t k = n - 1 - more; k < n - 1; ++k) {
            x.push_back(d.x[k] - length);
            y.push_back(d.values[k]);
        }
        x.insert(x.end(), d.x.begin(), d.x.end());
        y.insert(y.end(), d.values.begin(), d.values.end());
        for (std::size_t k = 1; k <= more; ++k) {
            x.push_back(d.x[k] + length);
            y.push_back(d.values[k]);
        }
        d.x = std::move(x);
        d.values = std::move(y);
    }

    Evaluator& e_;
    Span where_;
    std::vector<double> x_, y_;
    Smoothness smoothness_;
    Extrapolation extrapolation_;
};

// The column that output number `icol` shows.
std::size_t column_of(const TableObject& object, const TableMatrix& m, const Value& icol, Span where) {
    const Expr k = icol.expr();
    const auto columns = object.columns();
    if (!k->is_number() || k->number < 1 || k->number > static_cast<double>(columns.size()))
        throw Refused{messages::not_known(where, "the column of a table", "this one"), Refusal::NotKnown};
    const std::size_t column = columns[static_cast<std::size_t>(k->number) - 1];
    if (column < 1 || column > m.columns)
        throw Refused{messages::index_outside(where, static_cast<double>(column),
                                              static_cast<std::uint32_t>(m.columns), "the table")};
    return column - 1;
}

std::vector<double> column_values(const TableMatrix& m, std::size_t column) {
    std::vector<double> values;
    for (std::size_t k = 0; k < m.rows; ++k) values.push_back(m.at(k, column));
    return values;
}

// Which values a table shows at a place that stands for all: a slot that no function has.
class TableCall {
  public:
    TableCall(Evaluator& e, const std::string& what, const std::vector<Value>& arguments, Span where)
        : e_(e), what_(what), x_(arguments), where_(where) {}

    std::optional<std::vector<Value>> results() {
        if (x_.empty() || x_[0].type.basic != Basic::Object) return std::nullopt;
        const auto* object = std::get_if<std::shared_ptr<const ExternalObject>>(&x_[0].elements.at(0));
        if (!object) return std::nullopt;
        const TableObject table(e_, **object, where_);
        if (what_.starts_with("CombiTable1D_")) return one(table, what_.substr(13), false);
        if (what_.starts_with("CombiTimeTable_")) return one(table, what_.substr(15), true);
        if (what_.starts_with("CombiTable2D_")) return two(table, what_.substr(13));
        return std::nullopt;
    }

  private:
    std::vector<Value> real(Expr e) const { return {Value(Basic::Real, e)}; }
    std::vector<Value> real(double x) const { return real(e_.pool().number(x)); }
    Expr argument(std::size_t k) const { return x_.at(k).expr(); }
    Expr leaf(std::uint32_t k) const { return e_.pool().local(0xFFFF0000u + k); }

    // The value or a derivative of what stands at the leaves, at the arguments.
    Expr with_arguments(Expr value, std::size_t first, std::size_t count) const {
        Substitution at(e_.pool());
        for (std::uint32_t k = 0; k < count; ++k) at.replace(leaf(k), argument(first + k));
        return at(value);
    }

    std::optional<std::vector<Value>> one(const TableObject& table, const std::string& what, bool of_time) {
        Pool& pool = e_.pool();
        const double shift = of_time ? table.number("shiftTime", 0) : 0;
        if (what == "nextTimeEvent") return real(1e60);  // its events are those of the choices in its value
        const TableMatrix& m = matrix(table);
        if (what == "minimumAbscissa" || what == "minimumTime") return real(m.at(0, 0));
        if (what == "maximumAbscissa" || what == "maximumTime") return real(m.at(m.rows - 1, 0));
        const bool value = what == "getValue", first = what == "getDerValue", second = what == "getDer2Value";
        if (!value && !first && !second) return std::nullopt;
        const std::size_t column = column_of(table, m, x_.at(1), where_);
        const std::string key = value_key(x_[0], true) + "/" + std::to_string(column);
        Expr& known = e_.functions().tables[key];
        if (!known) {
            TableLine line(e_, where_, column_values(m, 0), column_values(m, column), table.smoothness(),
                           table.extrapolation());
            known = line.at(pool.subtract(leaf(0), pool.number(shift)));
            if (of_time) {
                // Before it starts a table of time is 0.
                const double start = table.number("startTime", 0);
                if (start > 0)
                    known = pool.choose(pool.less(leaf(0), pool.number(start)), pool.number(0), known);
                else
                    begins_before(start);
            }
        }
        if (value) return real(with_arguments(known, 2, 1));
        // After u (and, of time, the next events) stand the derivatives of u.
        const std::size_t dots = of_time ? 5 : 3;
        const Expr d1 = cutset::differentiate(pool, known, leaf(0));
        if (first) return real(pool.multiply(with_arguments(d1, 2, 1), argument(dots)));
        const Expr d2 = cutset::differentiate(pool, d1, leaf(0));
        const Expr dot = argument(dots), dot2 = argument(dots + 1);
        return real(pool.add(pool.multiply(with_arguments(d2, 2, 1), pool.multiply(dot, dot)),
                             pool.multiply(with_arguments(d1, 2, 1), dot2)));
    }

    // Most runs begin at 0 or later, where nothing is to be watched.
    void begins_before(double start) {
        if (start < -1e30) return;
        Validity v;
        v.condition = e_.pool().less_equal(e_.pool().number(start), e_.pool().call(Op::NoEvent, argument(2)));
        v.level = AssertionLevel::Error;
        v.origin.where = where_;
        v.text = "a table of time is looked up before its startTime, where it is 0";
        e_.model().validities.push_back(std::move(v));
    }

    std::optional<std::vector<Value>> two(const TableObject& table, const std::string& what) {
        Pool& pool = e_.pool();
        const TableMatrix& m = matrix(table);
        if (m.rows < 2) throw Refused{messages::table_empty(where_)};
        if (what == "minimumAbscissa" || what == "maximumAbscissa") {
            const bool low = what == "minimumAbscissa";
            return std::vector<Value>{Value(
                type_of(Basic::Real), {2},
                {pool.number(m.at(low ? 1 : m.rows - 1, 0)), pool.number(m.at(0, low ? 1 : m.columns - 1))})};
        }
        const bool value = what == "getValue", first = what == "getDerValue", second = what == "getDer2Value";
        if (!value && !first && !second) return std::nullopt;
        Expr& known = e_.functions().tables[value_key(x_[0], true)];
        if (!known) known = grid(table, m);
        if (value) return real(with_arguments(known, 1, 2));
        // After u1 and u2 stand their derivatives, and after those the second ones.
        Expr sum = pool.number(0);
        for (std::uint32_t k = 0; k < 2; ++k) {
            const Expr slope = cutset::differentiate(pool, known, leaf(k));
            sum = pool.add(sum, pool.multiply(with_arguments(slope, 1, 2), argument((first ? 3 : 5) + k)));
            for (std::uint32_t j = 0; second && j < 2; ++j)
                sum = pool.add(
                    sum, pool.multiply(with_arguments(cutset::differentiate(pool, slope, leaf(j)), 1, 2),
                                       pool.multiply(argument(3 + k), argument(3 + j))));
        }
        return real(sum);
    }

    Expr grid(const TableObject& table, const TableMatrix& m) {
        Pool& pool = e_.pool();
        if (m.rows == 2 && m.columns == 2) return pool.number(m.at(1, 1));
        TableData d;
        d.name = "table";
        d.origin.where = where_;
        for (std::size_t i = 1; i < m.rows; ++i) d.x.push_back(m.at(i, 0));
        for (std::size_t j = 1; j < m.columns; ++j) d.y.push_back(m.at(0, j));
        for (std::size_t i = 1; i < m.rows; ++i)
            for (std::size_t j = 1; j < m.columns; ++j) d.values.push_back(m.at(i, j));
        const auto rises = [](const std::vector<double>& v) {
            return std::adjacent_find(v.begin(), v.end(), [](double a, double b) { return !(a < b); }) ==
                   v.end();
        };
        if (!rises(d.x) || !rises(d.y)) throw Refused{messages::table_order(where_)};
        std::vector<Expr> at = {leaf(0), leaf(1)};
        if (table.extrapolation() == Extrapolation::Periodic) {
            d.outside = Outside::Extrapolate;
            for (std::size_t k = 0; k < 2; ++k) {
                const auto& knots = k == 0 ? d.x : d.y;
                if (knots.size() < 2) continue;
                const Expr both[2] = {pool.subtract(at[k], pool.number(knots.front())),
                                      pool.number(knots.back() - knots.front())};
                at[k] = pool.add(pool.number(knots.front()), pool.call(Op::Modulo, both));
            }
        } else {
            d.outside = outside_of(table.extrapolation());
        }
        const bool constant = table.smoothness() == Smoothness::Constant;
        const Expr steps = constant ? fields(d, at) : nullptr;
        if (constant && table.extrapolation() != Extrapolation::LastTwoPoints) return steps;
        const Expr inside = constant ? within(d, at) : nullptr;
        // One row or column is level in that direction.
        if (d.x.size() == 1) {
            d.x.push_back(d.x[0] + 1);
            d.values.insert(d.values.end(), d.values.begin(), d.values.end());
        }
        if (d.y.size() == 1) {
            d.y.push_back(d.y[0] + 1);
            std::vector<double> both;
            for (double v : d.values) both.insert(both.end(), {v, v});
            d.values = std::move(both);
        }
        const bool small = d.x.size() == 2 && d.y.size() == 2;
        d.interpolation = small ? Interpolation::Linear : interpolation_of(table.smoothness());
        const Expr value = pool.apply(e_.model().callees.add(std::move(d)), 0, at);
        return constant ? pool.choose(inside, steps, value) : value;  // beyond the last points it goes on
    }

    Expr within(const TableData& d, const std::vector<Expr>& at) {
        Pool& pool = e_.pool();
        std::vector<Expr> all;
        for (std::size_t k = 0; k < 2; ++k) {
            const auto& knots = k == 0 ? d.x : d.y;
            if (knots.size() < 2) continue;
            all.push_back(pool.less_equal(pool.number(knots.front()), at[k]));
            all.push_back(pool.less_equal(at[k], pool.number(knots.back())));
        }
        return pool.all_of(all);
    }

    // Constant from each place of both arguments to the next ones.
    Expr fields(const TableData& d, const std::vector<Expr>& at) {
        Pool& pool = e_.pool();
        const auto chosen = [&](Expr u, const std::vector<double>& knots, const std::vector<Expr>& values) {
            std::vector<Expr> parts;
            for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
                parts.push_back(pool.less(u, pool.number(knots[k + 1])));
                parts.push_back(values[k]);
            }
            parts.push_back(values.back());
            return parts.size() == 1 ? parts[0] : pool.choose(parts);
        };
        std::vector<Expr> rows;
        for (std::size_t i = 0; i < d.x.size(); ++i) {
            std::vector<Expr> row;
            for (std::size_t j = 0; j < d.y.size(); ++j)
                row.push_back(pool.number(d.values[i * d.y.size() + j]));
            rows.push_back(chosen(at[1], d.y, row));
        }
        return chosen(at[0], d.x, rows);
    }

    const TableMatrix& matrix(const TableObject& table) {
        auto& known = e_.functions().matrices;
        const std::string key = value_key(x_[0], true);
        const auto found = known.find(key);
        return found != known.end() ? found->second : known.emplace(key, table.matrix()).first->second;
    }

    Evaluator& e_;
    const std::string what_;
    const std::vector<Value>& x_;
    Span where_;
};

}  // namespace

std::optional<std::vector<Value>> table_call(Evaluator& e, const Callable& function,
                                             const std::string& symbol, const std::vector<Value>& arguments,
                                             Frame& frame, Span where) {
    if (!symbol.starts_with(prefix)) return std::nullopt;
    const std::string what = symbol.substr(prefix.size());
    if (what.ends_with("_init3")) {
        auto object = std::make_shared<ExternalObject>();
        Type type = type_of(Basic::Object);
        for (const Member& m : function.members) {
            if (m.causality == object::Causality::Input) object->arguments.push_back(*frame.find(m.name));
            if (m.causality == object::Causality::Output) type = m.type;
        }
        object->constructor = std::make_shared<Callable>(function);
        type.basic = Basic::Object;
        return std::vector<Value>{Value(type, std::shared_ptr<const ExternalObject>(std::move(object)))};
    }
    if (what.ends_with("_close")) return std::vector<Value>{};
    return TableCall(e, what, arguments, where).results();
}

}  // namespace cutset::objects
