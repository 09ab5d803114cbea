#include "native/llvm/object_image.h"

#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Object/ELFObjectFile.h>

#include <map>
#include <unordered_map>

#include "native/llvm/operations.h"

namespace cutset::native {

namespace {

using llvm::object::ELF64LEObjectFile;
using llvm::object::SectionRef;

std::optional<std::uint32_t> number_after(llvm::StringRef name, llvm::StringRef prefix) {
    std::uint32_t number = 0;
    if (!name.consume_front(prefix) || name.getAsInteger(10, number)) return std::nullopt;
    return number;
}

std::optional<std::uint32_t> target_of(llvm::StringRef name) {
    static const std::map<std::string, std::uint32_t> named = {
        {"cutset_call", call_target},     {"cutset_solve", solve_target},      {"cutset_delay", delay_target},
        {"cutset_callee", callee_target}, {"cutset_power", power_target},      {"cutset_pow", pow_target},
        {"memcpy", memcpy_target},        {"cutset_call_all", call_all_target}};
    if (const auto found = named.find(name.str()); found != named.end()) return found->second;
    if (const auto op = number_after(name, "cutset_function_"); op && *op < 256) return *op;
    if (const auto site = number_after(name, "site_"); site && is_site(*site)) return *site;
    return std::nullopt;
}

class ImageMaker {
  public:
    explicit ImageMaker(const ELF64LEObjectFile& object) : object_(object) {
        for (const SectionRef& section : object.sections()) {
            auto relocated = section.getRelocatedSection();
            if (!relocated) {
                llvm::consumeError(relocated.takeError());
                continue;
            }
            if (*relocated != object.section_end()) relocations_[(*relocated)->getIndex()].push_back(section);
        }
    }

    bool make(const llvm::object::SymbolRef& symbol, CodeImage& image, std::string& problem) {
        problem = "the code has a form that cannot be kept";
        auto section = symbol.getSection();
        auto address = symbol.getAddress();
        if (!section || !address || *section == object_.section_end()) {
            if (!section) llvm::consumeError(section.takeError());
            if (!address) llvm::consumeError(address.takeError());
            return false;
        }
        auto code = (*section)->getContents();
        if (!code) {
            llvm::consumeError(code.takeError());
            return false;
        }
        if (*address != 0) return false;  // not at the beginning of a section of its own
        image = {};
        image.bytes = code->str();
        constants_.clear();
        cells_.clear();
        for (const SectionRef& list : relocations_[(*section)->getIndex()])
            for (const auto& relocation : list.relocations())
                if (!relocate(relocation, image)) return false;
        problem.clear();
        return true;
    }

  private:
    bool relocate(const llvm::object::ELFRelocationRef& relocation, CodeImage& image) {
        const std::uint64_t at = relocation.getOffset();
        auto addend = relocation.getAddend();
        if (!addend) {
            llvm::consumeError(addend.takeError());
            return false;
        }
        if (at + 4 > image.bytes.size() || relocation.getSymbol() == object_.symbol_end()) return false;
        const llvm::object::ELFSymbolRef symbol = *relocation.getSymbol();
        auto name = symbol.getName();
        auto section = symbol.getSection();
        if (!name || !section) {
            if (!name) llvm::consumeError(name.takeError());
            if (!section) llvm::consumeError(section.takeError());
            return false;
        }
        const bool is_defined = *section != object_.section_end();
        const auto place = static_cast<std::uint32_t>(at);
        switch (relocation.getType()) {
            case llvm::ELF::R_X86_64_32S: {
                const auto column = is_defined ? std::nullopt : number_after(*name, "column_");
                if (!column) return false;
                image.places.push_back({place, *column, static_cast<std::int32_t>(*addend)});
                return true;
            }
            case llvm::ELF::R_X86_64_PLT32:
            case llvm::ELF::R_X86_64_PC32: {
                if (is_defined) return constant(symbol, **section, *addend, place, image);
                if (const auto column = number_after(*name, "cell_"))
                    return cell(*column, *addend, place, image);
                const auto target = target_of(*name);
                if (!target || *addend != -4) return false;
                image.calls.push_back({place, *target});
                return true;
            }
            default:
                return false;
        }
    }

    // Constants are copied behind the code: of lists of numbers of one size only those that are used.
    bool constant(const llvm::object::ELFSymbolRef& symbol, const SectionRef& section, std::int64_t addend,
                  std::uint32_t place, CodeImage& image) {
        const llvm::object::ELFSectionRef elf = section;
        if ((elf.getFlags() & (llvm::ELF::SHF_WRITE | llvm::ELF::SHF_EXECINSTR)) != 0 || section.isBSS() ||
            !relocations_[section.getIndex()].empty())
            return false;
        auto contents = section.getContents();
        auto address = symbol.getAddress();
        if (!contents || !address) {
            if (!contents) llvm::consumeError(contents.takeError());
            if (!address) llvm::consumeError(address.takeError());
            return false;
        }
        const std::uint64_t entry = object_.getSection(section.getRawDataRefImpl())->sh_entsize;
        std::uint64_t first = 0, length = contents->size();
        const bool one_of_many = (elf.getFlags() & llvm::ELF::SHF_MERGE) != 0 && entry > 0 &&
                                 symbol.getELFType() != llvm::ELF::STT_SECTION && *address % entry == 0;
        if (one_of_many) {
            first = *address;
            length = entry;
        }
        if (first + length > contents->size() || section.getAlignment().value() > 64) return false;
        const auto [known, is_new] = constants_.try_emplace({section.getIndex(), first}, 0);
        if (is_new) {
            const std::size_t alignment = std::max<std::size_t>(16, section.getAlignment().value());
            image.bytes.resize((image.bytes.size() + alignment - 1) / alignment * alignment, '\0');
            known->second = image.bytes.size();
            image.bytes += contents->substr(first, length).str();
        }
        const std::int64_t way = std::int64_t(known->second + (*address - first)) + addend - place;
        const auto value = static_cast<std::int32_t>(way);
        std::memcpy(image.bytes.data() + place, &value, sizeof value);
        return true;
    }

    bool cell(std::uint32_t column, std::int64_t addend, std::uint32_t place, CodeImage& image) {
        const auto [known, is_new] = cells_.try_emplace(column, 0);
        if (is_new) {
            image.bytes.resize((image.bytes.size() + 7) / 8 * 8, '\0');
            known->second = image.bytes.size();
            image.bytes.append(8, '\0');
            image.places.push_back({static_cast<std::uint32_t>(known->second), column, 0});
        }
        const auto value = static_cast<std::int32_t>(std::int64_t(known->second) + addend - place);
        std::memcpy(image.bytes.data() + place, &value, sizeof value);
        return true;
    }

    const ELF64LEObjectFile& object_;
    std::map<std::uint32_t, std::size_t> cells_;                                // by column: where it is
    std::unordered_map<std::uint64_t, std::vector<SectionRef>> relocations_;    // by section that they change
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> constants_;  // copied: where to
};

}  // namespace

std::string column_name(std::size_t column) {
    return "column_" + std::to_string(column);
}

std::string cell_name(std::size_t column) {
    return "cell_" + std::to_string(column);
}

std::string site_name(std::size_t site, FunctionKind kind) {
    return "site_" + std::to_string(site_target(site, kind));
}

bool make_images(llvm::MemoryBufferRef buffer, const std::vector<std::string>& names, CodeImage* images,
                 std::string& problem) {
    auto object = llvm::object::ObjectFile::createELFObjectFile(buffer);
    if (!object) {
        problem = llvm::toString(object.takeError());
        return false;
    }
    const auto* elf = llvm::dyn_cast<ELF64LEObjectFile>(object->get());
    if (!elf || elf->getArch() != llvm::Triple::x86_64) {
        problem = "the code is not for this processor";
        return false;
    }
    std::unordered_map<std::string, llvm::object::SymbolRef> symbols;
    for (const auto& symbol : elf->symbols()) {
        auto name = symbol.getName();
        if (name)
            symbols.emplace(name->str(), symbol);
        else
            llvm::consumeError(name.takeError());
    }
    ImageMaker maker(*elf);
    for (std::size_t k = 0; k < names.size(); ++k) {
        const auto found = symbols.find(names[k]);
        if (found == symbols.end()) {
            problem = "a function is missing in the code";
            return false;
        }
        if (!maker.make(found->second, images[k], problem)) return false;
    }
    return true;
}

}  // namespace cutset::native
