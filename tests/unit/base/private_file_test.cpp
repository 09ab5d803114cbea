// Files that are used, and those that are not.
#include "base/private_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/source.h"

namespace cutset {
namespace {

namespace fs = std::filesystem;

class PrivateFiles : public testing::Test {
  protected:
    PrivateFiles() {
        char name[] = "/tmp/cutset-private-XXXXXX";
        folder = mkdtemp(name);
    }
    ~PrivateFiles() override { fs::remove_all(folder); }
    std::string file(const std::string& name) const { return folder + "/" + name; }
    static mode_t mode(const std::string& path) {
        struct stat status {};
        stat(path.c_str(), &status);
        return status.st_mode & 0777;
    }
    std::string folder;
};

TEST_F(PrivateFiles, are_read_back) {
    ASSERT_TRUE(make_private_folder(file("a/b")));
    EXPECT_EQ(mode(file("a/b")), 0700u);
    EXPECT_TRUE(is_private_folder(file("a/b")));
    ASSERT_TRUE(write_private_file(file("a/b/x"), "content"));
    EXPECT_EQ(mode(file("a/b/x")), 0600u);
    EXPECT_EQ(read_private_file(file("a/b/x"), 100), "content");
    EXPECT_FALSE(read_private_file(file("a/b/x"), 6));  // too large
    EXPECT_FALSE(read_private_file(file("a/b/y"), 100));
}

TEST_F(PrivateFiles, others_may_not_even_read_them) {
    for (mode_t more : {040, 04, 020, 02}) {
        ASSERT_TRUE(write_private_file(file("x"), "content"));
        chmod(file("x").c_str(), 0600 | more);
        EXPECT_FALSE(read_private_file(file("x"), 100)) << more;
    }
    chmod(folder.c_str(), 0777);
    EXPECT_FALSE(is_private_folder(folder));
}

TEST_F(PrivateFiles, links_and_pipes_are_not_followed_nor_waited_for) {
    ASSERT_TRUE(write_private_file(file("x"), "content"));
    fs::create_symlink(file("x"), file("link"));
    EXPECT_FALSE(read_private_file(file("link"), 100));
    ASSERT_EQ(mkfifo(file("fifo").c_str(), 0600), 0);
    EXPECT_FALSE(read_private_file(file("fifo"), 100));
    EXPECT_FALSE(read_private_file(folder, 100));
}

TEST_F(PrivateFiles, of_another_user_are_not_used) {
    ASSERT_TRUE(write_private_file(file("x"), "content"));
    if (chown(file("x").c_str(), 65534, 65534) != 0) GTEST_SKIP() << "only root can give a file away";
    EXPECT_FALSE(read_private_file(file("x"), 100));
}

TEST_F(PrivateFiles, other_files_keep_their_permissions_and_respect_the_mask) {
    std::string problem;
    const mode_t mask = umask(077);
    EXPECT_TRUE(write_file(file("new"), "1", problem));
    umask(022);
    EXPECT_TRUE(write_file(file("usual"), "1", problem));
    chmod(file("usual").c_str(), 0640);
    EXPECT_TRUE(write_file(file("usual"), "2", problem));
    umask(mask);
    EXPECT_EQ(mode(file("new")), 0600u);
    EXPECT_EQ(mode(file("usual")), 0640u);
    EXPECT_FALSE(write_file(file("no/such/place"), "1", problem));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2);  // nothing is left over
}

TEST_F(PrivateFiles, inputs_that_models_name_are_files) {
    std::string problem;
    ASSERT_EQ(mkfifo(file("fifo").c_str(), 0600), 0);
    EXPECT_FALSE(read_file(file("fifo"), problem, InputKind::FileOnly));
    EXPECT_NE(problem.find("not a file"), std::string::npos);
    EXPECT_FALSE(read_file("/dev/zero", problem, InputKind::FileOnly));
    EXPECT_FALSE(read_file("/dev/zero", problem));
    EXPECT_EQ(read_file("/dev/null", problem), "");
    EXPECT_FALSE(read_file(folder, problem));
    EXPECT_EQ(problem, "is a directory");
}

}  // namespace
}  // namespace cutset
