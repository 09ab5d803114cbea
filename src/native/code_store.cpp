#include "native/code_store.h"

#include <cstring>
#include <map>

#include "base/cache_folder.h"
#include "base/load_module.h"
#include "base/private_file.h"
#include "native/compiler.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace cutset {

namespace {

constexpr std::uintmax_t most_record_bytes = 1'000'000'000;  // with the translations
constexpr std::uintmax_t most_drawer_bytes = 4'000'000;      // of 64 drawers
constexpr std::uintmax_t most_note_bytes = 10'000;
constexpr std::size_t largest_unit = 1'000'000, largest_record = 50'000'000;
constexpr char magic[8] = {'c', 'u', 't', 's', 'e', 't', 'C', '1'};

// The processor, as far as code depends on it: its model, and what it and the system can do.
std::string processor() {
    std::string out;
#if defined(__x86_64__)
    for (const unsigned leaf : {0u, 1u, 7u, 0xDu, 0x14u, 0x19u, 0x24u, 0x80000001u, 0x80000008u}) {
        unsigned r[4] = {};
        if (!__get_cpuid_count(leaf, leaf == 0xDu ? 1 : 0, &r[0], &r[1], &r[2], &r[3])) continue;
        if (leaf == 1) r[1] = 0;  // the number of this core
        if (leaf == 1 && (r[2] & (1u << 27))) {
            unsigned low = 0, high = 0;  // registers that the system saves
            __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
            out.append(reinterpret_cast<const char*>(&low), sizeof low);
        }
        if (leaf == 0xDu) r[1] = r[2] = 0;  // sizes at the moment
        out.append(reinterpret_cast<const char*>(r), sizeof r);
    }
    unsigned r[4] = {};
    if (__get_cpuid_count(7, 1, &r[0], &r[1], &r[2], &r[3]))
        out.append(reinterpret_cast<const char*>(r), sizeof r);
#endif
    return out;
}

// A file of ours, whole; nothing when it is not exactly what was written under this key.
std::optional<std::string> read_checked(const std::string& path, const Fingerprint& key,
                                        std::size_t largest) {
    auto bytes = read_private_file(path, largest + 64);
    constexpr std::size_t head = sizeof magic + 2 * sizeof(Fingerprint);
    if (!bytes || bytes->size() < head || std::memcmp(bytes->data(), magic, sizeof magic) != 0)
        return std::nullopt;
    Fingerprint found[2];
    std::memcpy(found, bytes->data() + sizeof magic, sizeof found);
    if (found[0] != key || found[1] != fingerprint(std::string_view(*bytes).substr(head)))
        return std::nullopt;
    bytes->erase(0, head);
    return bytes;
}

bool write_checked(const std::string& path, const Fingerprint& key, std::string_view bytes) {
    std::string whole(magic, sizeof magic);
    const Fingerprint heads[2] = {key, fingerprint(bytes)};
    whole.append(reinterpret_cast<const char*>(heads), sizeof heads);
    whole.append(bytes);
    return write_private_file(path, whole);
}

}  // namespace

std::shared_ptr<CodeStore> CodeStore::open() {
    std::string folder = cache_folder();
    if (folder.empty()) return nullptr;
    return std::make_shared<CodeStore>(std::move(folder), module_path(native::module_file));
}

CodeStore::CodeStore(std::string folder, const std::string& module)
    : folder_(std::move(folder)), drawer_limit_(most_drawer_bytes) {
    const std::string program = file_version("/proc/self/exe"), compiler = file_version(module),
                      on = processor();
    if (folder_.empty() || program.empty() || compiler.empty() || on.empty()) return;
    maker_ = program + "/" + compiler + "/" + on;
    const auto library = read_private_file(note_path(), most_note_bytes);
    if (!library) return;
    const std::string found = file_version(*library);
    if (!found.empty()) identity_ = maker_ + "/" + *library + "/" + found;
}

void CodeStore::compiler_is(const std::string& library) {
    const std::string found = file_version(library);
    if (maker_.empty() || found.empty()) return;
    const std::string identity = maker_ + "/" + library + "/" + found;
    if (identity == identity_) return;
    identity_ = identity;
    make_private_folder(folder_ + "/code");
    if (write_private_file(note_path(), library))
        remove_oldest(folder_ + "/code", {".compiler"}, most_note_bytes, note_path());
}

std::string CodeStore::note_path() const {
    return folder_ + "/code/" + fingerprint(maker_).text() + ".compiler";
}

std::string CodeStore::drawer(const Fingerprint& key) const {
    static const char digits[] = "0123456789abcdef";
    const auto number = static_cast<std::size_t>(key.high >> 58);  // 64 of them
    return folder_ + "/code/" + digits[number / 16] + digits[number % 16];
}

std::string CodeStore::record_path(const Fingerprint& key) const {
    return folder_ + "/" + key.text() + ".code";
}

std::optional<std::string> CodeStore::find(const Fingerprint& key) const {
    if (!ready()) return std::nullopt;
    return read_checked(drawer(key) + "/" + key.text() + ".unit", key, largest_unit);
}

void CodeStore::keep(const std::vector<std::pair<Fingerprint, std::string>>& units) const {
    if (!ready()) return;
    std::map<std::string, std::string> written;  // by drawer: the last file
    for (const auto& [key, bytes] : units) {
        if (bytes.size() > largest_unit) continue;
        const std::string in = drawer(key), file = in + "/" + key.text() + ".unit";
        if (!written.contains(in)) make_private_folder(in);
        if (!write_checked(file, key, bytes)) return;  // no room, or no right to write: nor will the next
        written[in] = file;
    }
    // All files there, also what a program that was killed has left half written.
    for (const auto& [in, file] : written) remove_oldest(in, {}, drawer_limit_, file);
}

std::optional<std::string> CodeStore::find_record(const Fingerprint& key) const {
    if (!ready()) return std::nullopt;
    return read_checked(record_path(key), key, largest_record);
}

void CodeStore::keep_record(const Fingerprint& key, std::string_view bytes) const {
    if (!ready() || bytes.size() > largest_record) return;
    const std::string file = record_path(key);
    make_private_folder(folder_);
    if (write_checked(file, key, bytes))
        remove_oldest(folder_, {".program", ".code"}, most_record_bytes, file);
}

}  // namespace cutset
