// Machine code kept on disk: found again, by content, and never used when it is damaged.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "../generate/sample_model.h"
#include "base/load_module.h"
#include "native/code_store.h"
#include "native/compiler.h"
#include "native/engine.h"
#include "native/units.h"
#include "random_program.h"

namespace cutset {
namespace {

namespace fs = std::filesystem;

// A folder of its own, removed at the end.
struct Folder {
    Folder() {
        static int number = 0;
        path =
            testing::TempDir() + "cutset_store_" + std::to_string(getpid()) + "_" + std::to_string(number++);
    }
    ~Folder() { fs::remove_all(path); }
    std::shared_ptr<CodeStore> store() const {
        return std::make_shared<CodeStore>(path, module_path(native::module_file));
    }
    std::vector<std::string> files(const std::string& ending) const {
        std::vector<std::string> out;
        for (const auto& entry : fs::recursive_directory_iterator(path))
            if (entry.path().extension() == ending) out.push_back(entry.path());
        return out;
    }
    std::string path;
};

// Runs a Program on both engines; the numbers are the same to the bit. What the engine had to do.
NativeStatistics run_both(const Program& program, std::shared_ptr<CodeStore> store, Engine engine_kind,
                          unsigned seed) {
    std::mt19937 random(seed);
    std::string problem;
    const auto engine = NativeEngine::make(program, engine_kind, problem, std::move(store));
    EXPECT_TRUE(engine) << problem;
    FewSteps loops_a, loops_b;
    LinearDelays delays;
    Interpreter interpreted(program, {&loops_a, &delays, false});
    for (std::size_t slot = 0; slot < program.layout.constants; ++slot)
        interpreted[static_cast<Slot>(slot)] = std::uniform_real_distribution<double>(-2, 2)(random);
    Interpreter native = interpreted;
    native.set_hooks({&loops_b, &delays, false});
    native.set_machine_code(engine);
    for (int run = 0; run < 2; ++run) {
        EXPECT_EQ(interpreted.run(program.continuous), native.run(program.continuous));
        for (std::size_t slot = 0; slot < program.layout.constants + program.constants.size(); ++slot) {
            const double a = interpreted[static_cast<Slot>(slot)], b = native[static_cast<Slot>(slot)];
            EXPECT_TRUE(std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
                        (std::isnan(a) && std::isnan(b)))
                << "slot " << slot << " of program " << seed << ": " << a << " and " << b;
        }
        if (testing::Test::HasFailure()) break;
    }
    return engine->statistics();
}

TEST(CodeStore, ASecondStartCompilesNothing) {
    const Folder folder;
    for (unsigned seed = 0; seed < 15; ++seed) {
        const RandomProgram random(seed);
        const NativeStatistics first = run_both(random.program, folder.store(), Engine::Native, seed);
        EXPECT_GT(first.units_compiled, 0u) << "program " << seed;
        const NativeStatistics second = run_both(random.program, folder.store(), Engine::Native, seed);
        EXPECT_EQ(second.units_compiled, 0u) << "program " << seed;
        EXPECT_GT(second.units_found, 0u) << "program " << seed;
        EXPECT_EQ(second.load_seconds, 0) << "LLVM was loaded";
        ASSERT_FALSE(testing::Test::HasFailure());
    }
}

// n equations of different forms, each of a state and its neighbour; `edited` is another equation, and one
// more variable comes before all others when `longer`.
Program irregular(SampleModel& s, int n, int edited, bool longer) {
    std::vector<VariableIndex> x;
    if (longer) s.assign(s.variable("extra"), s.n(0.25));
    for (int i = 0; i < n; ++i) x.push_back(s.state("x" + std::to_string(i)));
    std::mt19937 random(7);
    static const Op functions[] = {Op::Sin, Op::Cos, Op::Exp, Op::Tanh, Op::Atan, Op::Abs};
    for (int i = 0; i < n; ++i) {
        Expr e = s.at(x[std::size_t(i)]);
        const int terms = 2 + static_cast<int>(random() % 6);
        for (int t = 0; t < terms; ++t) {
            const Expr other = s.at(x[random() % std::size_t(n)]);
            const Op f = functions[random() % 6];
            e = random() % 2 ? s.add(e, s.call(f, other)) : s.mul(s.call(f, e), other);
        }
        if (i == edited) e = s.sub(s.call(Op::Sin, e), s.n(3));
        s.assign(x[std::size_t(i)], e, 1);
    }
    return s.program();
}

TEST(CodeStore, AnEditCompilesOnlyWhatItTouches) {
    const Folder folder;
    SampleModel before, changed, longer;
    const NativeStatistics first =
        run_both(irregular(before, 2000, -1, false), folder.store(), Engine::Native, 1);
    EXPECT_GT(first.units_compiled, 30u);
    const NativeStatistics edit =
        run_both(irregular(changed, 2000, 1000, false), folder.store(), Engine::Native, 1);
    EXPECT_GE(edit.units_compiled, 1u);
    EXPECT_LE(edit.units_compiled, 4u);
    EXPECT_GT(edit.units_found, 30u);
    // All places are other ones.
    const NativeStatistics insertion =
        run_both(irregular(longer, 2000, -1, true), folder.store(), Engine::Native, 1);
    EXPECT_LE(insertion.units_compiled, 4u);
    EXPECT_GT(insertion.units_found, 30u);
}

TEST(CodeStore, DamagedAndForeignFilesAreAsGoodAsNone) {
    const Folder folder;
    const RandomProgram random(3);
    run_both(random.program, folder.store(), Engine::Native, 3);
    const auto units = folder.files(".unit"), records = folder.files(".code");
    ASSERT_FALSE(units.empty());
    ASSERT_EQ(records.size(), 1u);
    const auto read = [](const std::string& file) {
        std::ifstream in(file, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    const auto write = [](const std::string& file, const std::string& bytes) {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    };
    for (const int damage : {0, 1, 2, 3, 4, 5, 6})
        for (const bool units_too : {true, false}) {
            std::vector<std::string> files = records;
            if (units_too) files.insert(files.end(), units.begin(), units.end());
            for (const std::string& file : files) {
                std::string bytes = read(file);
                ASSERT_FALSE(bytes.empty()) << file << ", damage " << damage << units_too;
                switch (damage) {
                    case 0:
                        bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
                        break;
                    case 1:
                        bytes.resize(bytes.size() / 2);
                        break;
                    case 2:
                        bytes.clear();
                        break;
                    case 3:
                        bytes = read(module_path(native::module_file)).substr(0, 5000);  // some other file
                        break;
                    case 4:
                        bytes = read(files.front() == file ? files.back() : files.front());  // of another key
                        break;
                    case 5:
                        fs::remove(file);
                        fs::create_directory(file);
                        continue;
                    default:
                        chmod(file.c_str(), 0666);  // any user may have changed it
                        continue;
                }
                write(file, bytes);
            }
            const NativeStatistics s = run_both(random.program, folder.store(), Engine::Native, 3);
            // In case 4 there may be one file only.
            if (units_too && damage != 4) {
                EXPECT_GT(s.units_compiled, 0u) << "damage " << damage;
            }
            ASSERT_FALSE(testing::Test::HasFailure()) << "damage " << damage;
            if (damage == 5)
                for (const std::string& file : files) fs::remove_all(file);
            for (const std::string& file : files) {
                if (damage == 6) chmod(file.c_str(), 0644);
            }
            run_both(random.program, folder.store(), Engine::Native, 3);
        }
    const NativeStatistics healed = run_both(random.program, folder.store(), Engine::Native, 3);
    EXPECT_EQ(healed.units_compiled, 0u);
}

TEST(CodeStore, AFolderThatCannotBeWrittenDoesNoHarm) {
    const RandomProgram random(5);
    for (const char* folder : {"/proc/cutset", "/dev/null/cutset", ""}) {
        const auto store = std::make_shared<CodeStore>(folder, module_path(native::module_file));
        for (int start = 0; start < 2; ++start) {
            const NativeStatistics s = run_both(random.program, store, Engine::Native, 5);
            EXPECT_GT(s.units_compiled, 0u) << folder;
        }
    }
}

TEST(CodeStore, SeveralProgramsAtOnce) {
    const Folder folder;
    std::vector<std::thread> threads;
    for (unsigned k = 0; k < 4; ++k)
        threads.emplace_back([&, k] {
            for (unsigned round = 0; round < 3; ++round) {
                const RandomProgram random(k % 2 + round);
                run_both(random.program, folder.store(), Engine::Native, k);
            }
        });
    for (std::thread& thread : threads) thread.join();
}

TEST(CodeStore, DrawersAreBounded) {
    const Folder folder;
    CodeStore store(folder.path, module_path(native::module_file));
    store.compiler_is(module_path(native::module_file));
    ASSERT_TRUE(store.ready());
    store.set_limit(30'000);
    for (std::uint64_t k = 0; k < 300; ++k)
        store.keep({{Fingerprint{(k % 3) << 58, k}, std::string(1000, static_cast<char>(k))}});
    std::size_t bytes = 0;
    for (const std::string& file : folder.files(".unit")) bytes += fs::file_size(file);
    EXPECT_LE(bytes, 90'000u);
    EXPECT_GT(bytes, 60'000u);
    EXPECT_TRUE(store.find({2ull << 58, 299}));  // the last one
    store.keep({{Fingerprint{1, 1}, std::string(2'000'000, 'x')}});
    EXPECT_FALSE(store.find({1, 1}));  // too large
}

TEST(CodeImage, BytesThatAreNoImageGiveNone) {
    native::CodeImage image;
    image.bytes = "\x90\x90\x90\x90\x90\x90\xC3";
    image.places = {{1, 0, 0}};
    image.calls = {{2, native::memcpy_target}};
    const std::string bytes = image.archive();
    const auto back = native::CodeImage::unarchive(bytes);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->bytes, image.bytes);
    EXPECT_EQ(back->calls[0].target, image.calls[0].target);
    for (std::size_t n = 0; n < bytes.size(); ++n)
        EXPECT_FALSE(native::CodeImage::unarchive(std::string_view(bytes).substr(0, n)));
    image.places[0].at = 4;  // reaches beyond the end
    EXPECT_FALSE(native::CodeImage::unarchive(image.archive()));
    image.places[0].at = 0;
    image.calls[0].target = 400;  // a function that does not exist
    EXPECT_FALSE(native::CodeImage::unarchive(image.archive()));
}

// Where LLVM puts code into memory itself, as on other processors.
TEST(CodeUnits, WithoutImages) {
    using namespace native;
    CodeUnits with(nullptr), without(nullptr, false);
    std::size_t compared = 0;
    for (unsigned seed = 0; seed < 6; ++seed) {
        const RandomProgram random(seed);
        const Program& program = random.program;
        SlotWork work(program.layout.slots);
        const auto plan = Plan::make(program, program.continuous, work);
        ASSERT_TRUE(plan);
        for (const PieceOutline& outline : plan->pieces()) {
            std::vector<Piece> pieces;
            pieces.push_back(plan->build(outline, work));
            if (pieces[0].shape.calls_back()) continue;
            std::vector<double> values[2], scratch[2];
            for (int k = 0; k < 2; ++k) {
                std::vector<CodeUnits::Unit> units;
                std::string problem;
                ASSERT_TRUE((k ? with : without).make(pieces, outline.is_kernel(), units, problem))
                    << problem;
                for (std::size_t s = 0; s < program.layout.slots; ++s)
                    values[k].push_back(0.1 + 0.01 * double(s % 97));
                scratch[k].assign(plan->scratch() + 1, 0.75);
                EXPECT_EQ(units[0].function(values[k].data(), scratch[k].data(), nullptr,
                                            pieces[0].table.data(), pieces[0].rows),
                          1);
            }
            for (std::size_t s = 0; s < values[0].size(); ++s)
                EXPECT_TRUE(values[0][s] == values[1][s] ||
                            (std::isnan(values[0][s]) && std::isnan(values[1][s])));
            ++compared;
        }
    }
    EXPECT_GT(compared, 2u);
}

}  // namespace
}  // namespace cutset
