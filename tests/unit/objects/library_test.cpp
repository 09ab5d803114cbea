// Libraries of classes on disk: directories, files, versions; only what is asked for is read.
#include "objects/library.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace cutset {
namespace {

namespace fs = std::filesystem;

class Libraries : public testing::Test {
  protected:
    Libraries() : folder_(fs::temp_directory_path() / ("cutset-library-test-" + std::to_string(getpid()))) {
        fs::remove_all(folder_);
        library_.attach(sources_, diagnostics_);
    }
    ~Libraries() override { fs::remove_all(folder_); }
    void put(const std::string& path, const std::string& text) {
        fs::create_directories((folder_ / path).parent_path());
        std::ofstream(folder_ / path) << text;
    }
    std::string path_of(const std::string& name) {
        const object::Class* c = library_.find(name);
        return c ? ClassLibrary::path(*c) : "";
    }

    fs::path folder_;
    Sources sources_;
    Diagnostics diagnostics_;
    ClassLibrary library_;
};

TEST_F(Libraries, ClassesInFilesAndDirectories) {
    put("L/package.mo", "package L constant Real c = 1; model Own end Own; end L;");
    put("L/package.order", "c\nOwn\nZ\nA\n");
    put("L/A.mo", "within L; model A end A;");
    put("L/Z/package.mo", "within L; package Z end Z;");
    put("L/Z/B.mo", "within L.Z; model B model Inner end Inner; end B;");
    library_.add_directory(folder_.string());
    EXPECT_EQ(path_of("L.Z.B.Inner"), "L.Z.B.Inner");
    EXPECT_EQ(library_.looked().files.size(), 3u);  // A was not read
    EXPECT_EQ(library_.stored_members(*library_.find("L")), (std::vector<std::string>{"Z", "A"}));
    EXPECT_EQ(path_of("L.A"), "L.A");
    EXPECT_EQ(path_of("L.Own"), "L.Own");
    EXPECT_EQ(path_of("L.Nix"), "");
    EXPECT_EQ(library_.resource("modelica://L.Z/Resources/t.txt"),
              (folder_ / "L/Z/Resources/t.txt").string());
    EXPECT_FALSE(diagnostics_.has_errors());
}

TEST_F(Libraries, TheNewestVersionUnlessAnotherIsNamed) {
    put("L 1.9/package.mo", "package L model Old end Old; end L;");
    put("L 1.10/package.mo", "package L model New end New; end L;");
    library_.add_directory(folder_.string());
    EXPECT_EQ(path_of("L.New"), "L.New");

    ClassLibrary other;
    other.attach(sources_, diagnostics_);
    put("User.mo", "model User annotation(uses(L(version = \"1.9\"))); end User;");
    other.add_directory(folder_.string());
    EXPECT_TRUE(other.find("User"));
    EXPECT_TRUE(other.find("L.New"));  // the directory was listed before the file was read
}

TEST_F(Libraries, WhatIsWrongOnDisk) {
    put("L/package.mo", "package L end L;");
    put("L/A.mo", "within L; model Other end Other;");
    put("L/Broken.mo", "within L; model Broken Real x = ; end Broken;");
    ASSERT_EQ(mkfifo((folder_ / "L/Pipe.mo").c_str(), 0600), 0);
    fs::create_directory_symlink(folder_, folder_ / "L/Loop");
    library_.add_directory(folder_.string());
    EXPECT_EQ(path_of("L.A"), "");
    EXPECT_EQ(path_of("L.Pipe"), "");
    EXPECT_EQ(path_of("L.Loop"), "");
    EXPECT_EQ(path_of("L.Broken"), "");
    put("P/package.mo", "package P model A Real x = ; Real y = ; end A; model B end B; end P;");
    ClassLibrary other;
    Diagnostics more;
    other.attach(sources_, more);
    other.add_directory(folder_.string());
    EXPECT_FALSE(other.find("P.A"));  // nothing of it is used
    EXPECT_TRUE(other.find("P.B"));
    EXPECT_EQ(more.all().size(), 1u);
    EXPECT_EQ(diagnostics_.all().size(), 3u);
}

}  // namespace
}  // namespace cutset
