#include "ir/archive.h"

#include "ir/put.h"

namespace cutset {

namespace archiving {

template <class A>
void put(A& a, FlatIdentity::Numbers& x) {
    auto& [of, values] = x;
    all(a, of, values);
}
template <class A>
void put(A& a, Unaged& x) {
    auto& [op, index, order] = x;
    all(a, op, index, order);
}
template <class A>
void put(A& a, ServedText& x) {
    auto& [identity, values, messages] = x;
    auto& [frame, equations, leaves, places, parameters, starts] = identity;
    all(a, frame.high, frame.low, equations, leaves, places, parameters, starts, values, messages);
}

class Writer : public PackedBytes {
  public:
    static constexpr bool reading = false;
    using PackedBytes::PackedBytes;
    void meet(Expr e) {
        if (nodes.size() <= e->id) nodes.resize(e->id + 1, nullptr);
        nodes[e->id] = e;
    }
    std::vector<Expr> nodes;  // met so far, by id
    Neighbours before;
    const Partition* partition = nullptr;
};

class Reader {
  public:
    static constexpr bool reading = true;
    explicit Reader(std::string_view from) : at_(from.data()), end_(from.data() + from.size()) {}
    void bytes(void* to, std::size_t n) {
        if (n == 0) return;
        if (std::size_t(end_ - at_) < n) {
            good_ = false;
            std::memset(to, 0, n);
            return;
        }
        std::memcpy(to, at_, n);
        at_ += n;
    }
    void number(std::uint64_t& n) {
        n = 0;
        for (int shift = 0; shift < 64 && at_ != end_; shift += 7) {
            const auto byte = static_cast<unsigned char>(*at_++);
            n |= std::uint64_t(byte & 0x7f) << shift;
            if (byte < 0x80) return;
        }
        good_ = false;
        n = 0;
    }
    bool good() const { return good_; }
    std::size_t left() const { return std::size_t(end_ - at_); }
    void fail() { good_ = false; }
    Expr node(std::uint32_t id) {
        if (id >= nodes.size() || !nodes[id]) good_ = false;
        return good_ ? nodes[id] : nullptr;
    }
    void move(Span& place) {
        if (!moved) return;
        const std::optional<Span> now = moved->find(place);
        if (now)
            place = *now;
        else
            fail();
    }
    std::vector<Expr> nodes;  // by id when they were written
    std::shared_ptr<Pool> pool;
    const PlaceMap* moved = nullptr;  // places in texts that have changed
    Neighbours before;
    const Partition* partition = nullptr;

  private:
    const char* at_;
    const char* end_;
    bool good_ = true;
};

void put_nodes(Writer& a) {
    // With all that they are made of.
    std::vector<Expr> all_nodes = std::move(a.nodes);
    std::vector<Expr> open;
    for (Expr e : all_nodes)
        if (e && e->argument_count > 0) open.push_back(e);
    while (!open.empty()) {
        const Expr e = open.back();
        open.pop_back();
        for (Expr argument : e->args()) {  // older than e: there is room for them
            if (all_nodes[argument->id]) continue;
            all_nodes[argument->id] = argument;
            if (argument->argument_count > 0) open.push_back(argument);
        }
    }
    std::uint64_t count = 0, highest = all_nodes.size();
    for (Expr e : all_nodes) count += e != nullptr;
    a.number(highest);
    a.number(count);
    std::uint32_t before = 0;
    for (Expr e : all_nodes) {
        if (!e) continue;
        Node n = *e;
        put_next(a, n.id, before);
        put_node(a, n);
        for (Expr argument : e->args()) a.number(e->id - argument->id);
    }
}

void take_nodes(Reader& a) {
    std::uint64_t highest = 0, count = 0;
    a.number(highest);
    a.number(count);
    if (count > a.left() || highest > no_place) return a.fail();
    a.nodes.assign(highest, nullptr);
    std::vector<Expr> arguments;
    std::uint32_t before = 0;
    for (std::uint64_t i = 0; i < count && a.good(); ++i) {
        Node n;
        put_next(a, n.id, before);
        put_node(a, n);
        if (n.argument_count > a.left() || n.id >= highest) return a.fail();
        arguments.clear();
        for (std::uint32_t k = 0; k < n.argument_count; ++k) {
            std::uint64_t older = 0;
            a.number(older);
            const Expr argument = a.node(static_cast<std::uint32_t>(n.id - older));
            if (!argument) return a.fail();
            arguments.push_back(argument);
        }
        const std::uint32_t id = n.id;
        n.arguments = arguments.data();
        a.nodes[id] = a.pool->restore(n);
    }
}

}  // namespace archiving

// Checksum, lengths of the body and of what other texts need, these two, nodes: they are known when the rest
// is written, and read before it.
std::optional<std::string> archive(const Program& program, const std::vector<Diagnostic>& messages,
                                   const FlatIdentity* made_of, std::size_t largest, std::string before) {
    const Partition& partition = *program.partition;
    if (partition.source && partition.source->pool != partition.model.pool) return std::nullopt;
    std::string bytes = std::move(before);
    const std::size_t first = bytes.size();
    archiving::Writer a(bytes, largest);
    Fingerprint check;
    std::uint64_t lengths[2] = {0, 0};
    for (std::uint64_t* head : {&check.high, &check.low, &lengths[0], &lengths[1]})
        a.bytes(head, sizeof *head);
    a.flush();
    const std::size_t body = bytes.size();
    // `put` reads and writes, so it takes a reference; writing changes nothing.
    put(a, const_cast<Partition&>(partition));
    a.partition = &partition;
    all(a, const_cast<Program&>(program), const_cast<std::vector<Diagnostic>&>(messages));
    a.flush();
    lengths[0] = bytes.size() - body;
    if (made_of) {
        a.before = {};  // it is read by itself
        auto& identity = const_cast<FlatIdentity&>(*made_of);
        all(a, identity.equations, identity.places, identity.parameters.values, identity.starts.values,
            const_cast<Decisions&>(partition.decisions));
        a.flush();
    }
    lengths[1] = bytes.size() - body - lengths[0];
    put_nodes(a);
    a.flush();
    if (!a.good()) return std::nullopt;
    std::memcpy(bytes.data() + first + sizeof check, lengths, sizeof lengths);
    check = fingerprint(std::string_view(bytes).substr(first + sizeof check));
    std::memcpy(bytes.data() + first, &check, sizeof check);
    return bytes;
}

std::optional<ArchivedProgram> unarchive(std::string_view bytes, const FlatIdentity* now,
                                         std::size_t most_changed) {
    using archiving::Reader;
    Reader a(bytes);
    Fingerprint check;
    for (std::uint64_t* head : {&check.high, &check.low}) a.bytes(head, sizeof *head);
    if (!a.good() || fingerprint(bytes.substr(bytes.size() - a.left())) != check) return std::nullopt;
    std::uint64_t lengths[2] = {0, 0};
    a.bytes(lengths, sizeof lengths);
    if (!a.good() || lengths[0] > a.left() || lengths[1] > a.left() - lengths[0]) return std::nullopt;
    const std::string_view rest = bytes.substr(bytes.size() - a.left());

    ArchivedProgram result;
    Reader others(rest.substr(lengths[0], lengths[1]));
    std::optional<PlaceMap> moved;
    if (now) {
        std::vector<std::uint64_t> equations;
        std::vector<Span> places;
        all(others, equations, places, result.parameters, result.starts);
        if (!others.good() || equations.size() != now->equations.size() ||
            places.size() != now->places.size() ||
            result.parameters.size() != now->parameters.values.size() ||
            result.starts.size() != now->starts.values.size())
            return std::nullopt;
        for (EquationIndex e(0); e.value < equations.size(); ++e.value)
            if (equations[e.value] != now->equations[e.value]) result.changed.push_back(e);
        if (result.changed.size() > most_changed) return std::nullopt;
        if (places != now->places) moved.emplace(places, now->places);
    }
    Reader nodes(rest.substr(lengths[0] + lengths[1]));
    nodes.pool = std::make_shared<Pool>();
    if (now)
        for (const Unaged& leaf : now->leaves) nodes.pool->restore(leaf.op, leaf.index, leaf.order);
    take_nodes(nodes);
    if (!nodes.good() || nodes.left() != 0) return std::nullopt;
    a = Reader(rest.substr(0, lengths[0]));
    a.pool = nodes.pool;
    a.nodes = std::move(nodes.nodes);
    a.moved = moved ? &*moved : nullptr;
    result.partition = std::make_shared<Partition>();
    put(a, *result.partition);
    a.partition = result.partition.get();
    if (result.changed.empty()) {
        all(a, result.program, result.messages);
        if (a.left() != 0) return std::nullopt;
    }
    if (!a.good()) return std::nullopt;
    if (now) {
        others.nodes = std::move(a.nodes);
        put(others, result.partition->decisions);
        if (!others.good() || others.left() != 0) return std::nullopt;
    }
    result.program.partition = result.partition;
    return result;
}

std::string archive(const ServedText& text) {
    std::string bytes;
    archiving::Writer a(bytes, std::string::npos);
    Fingerprint check;
    for (std::uint64_t* head : {&check.high, &check.low}) a.bytes(head, sizeof *head);
    put(a, const_cast<ServedText&>(text));
    a.flush();
    check = fingerprint(std::string_view(bytes).substr(sizeof check));
    std::memcpy(bytes.data(), &check, sizeof check);
    return bytes;
}

std::optional<ServedText> unarchive_text(std::string_view bytes) {
    archiving::Reader a(bytes);
    Fingerprint check;
    for (std::uint64_t* head : {&check.high, &check.low}) a.bytes(head, sizeof *head);
    if (!a.good() || fingerprint(bytes.substr(bytes.size() - a.left())) != check) return std::nullopt;
    ServedText text;
    put(a, text);
    return a.good() && a.left() == 0 ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace cutset
