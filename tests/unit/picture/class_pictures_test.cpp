#include "picture/class_pictures.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "languages/dymola/parse.h"
#include "picture/draw_picture.h"
#include "picture/formula.h"
#include "picture/picture_json.h"
#include "picture/site.h"

namespace cutset::picture {

namespace {

struct Read {
    Sources sources;
    ClassTree classes;
    Diagnostics said;
    std::unique_ptr<ClassPictures> pictures;

    explicit Read(std::string text, const std::string& name = "m.dym") {
        const SourceId id = sources.add(name, std::move(text));
        if (name.ends_with(".dym")) {
            auto file = dymola::parse_file(sources, id, said);
            file->source = id;
            classes.files.push_back(std::move(file));
        }
        pictures = std::make_unique<ClassPictures>(sources, classes, said);
    }
    const ClassPicture& operator[](const std::string& key) {
        const ClassPicture* p = pictures->picture(key);
        if (!p) throw std::runtime_error("no picture of " + key);
        return *p;
    }
};

std::string end_text(const ClassPicture& p, const LineEnd& e) {
    return (e.block ? p.blocks[*e.block].name + ":" : std::string()) + e.port;
}
std::vector<std::string> joined(const ClassPicture& p) {
    std::vector<std::string> out;
    for (const Line& l : p.lines)
        out.push_back(end_text(p, l.from) + (l.kind == LineKind::Signal ? " > " : " - ") + end_text(p, l.to));
    return out;
}

constexpr const char* parts = R"(
model type T
  cut a(V / I) b(W / -I)
  main path p(a - b)
  V = W
end
model type H
  cut x(V / I), y(W / J)
  cut all(x, y)
  V = W
end
)";

}  // namespace

TEST(ClassPictures, ChainsAreLines) {
    Read r(std::string(parts) + "model m\n submodel (T) t1 t2 t3\n connect t1 to t2 to t3\nend\n");
    EXPECT_EQ(joined(r["m"]), (std::vector<std::string>{"t1:b - t2:a", "t2:b - t3:a"}));
}

TEST(ClassPictures, LoopsParallelsAndListsAreLines) {
    Read r(std::string(parts) +
           "model m\n submodel (T) t1 t2\n submodel (H) h\n connect t1 loop t2\n connect h:all at (t1:a, "
           "t2:a)\nend\n");
    EXPECT_EQ(joined(r["m"]),
              (std::vector<std::string>{"t1:b - t2:a", "t2:b - t1:a", "h:all.x - t1:a", "h:all.y - t2:a"}));
}

TEST(ClassPictures, EquationsBetweenSubmodelsAreSignals) {
    Read r(
        "model type S\n input u\n output y\n y = u\nend\nmodel m\n submodel (S) a b\n input r\n"
        " a.u = r\n b.u = a.y\nend\nmodel n\n submodel (S) a b\n b.u = 2*a.y\n a.u = sin(time)\nend\n");
    EXPECT_EQ(joined(r["m"]), (std::vector<std::string>{"r > a:u", "a:y > b:u"}));
    const ClassPicture& n = r["n"];
    EXPECT_EQ(joined(n), (std::vector<std::string>{"a:y > b.u.1:1", "b.u.1:y > b:u", "a.u.1:y > a:u"}));
    EXPECT_EQ(n.blocks[2].kind, BlockKind::Expression);
    EXPECT_EQ(n.blocks[3].kind, BlockKind::Generator);
    EXPECT_EQ(n.blocks[3].text, "sin(time)");
}

// What is not known or not finished is drawn as far as it is there.
TEST(ClassPictures, UnfinishedModels) {
    Read r("model m\n submodel (Nowhere) a b\n connect a to b\n x = = 3\n submodel\n");
    const ClassPicture& m = r["m"];
    ASSERT_EQ(m.blocks.size(), 2u);
    EXPECT_TRUE(m.blocks[0].key.empty());
    EXPECT_EQ(m.lines.size(), 1u);
    EXPECT_FALSE(m.diagnostics.empty());
    EXPECT_FALSE(to_svg(draw_picture(*r.pictures, m, {3, 0, true})).empty());
}

TEST(ClassPictures, LayoutOfTheText) {
    Read r(
        std::string(parts) +
        "model m\n submodel (T) t1 t2\n connect t1 to t2\n --@ frame 200 100\n --@ t1 at 40 50 size 40 20\n"
        " --@ t2 at 150 50 turn 90\n --@ line t1:b t2:a via 100,80\n --@ show text below 60 \"two\"\n --@ "
        "nonsense 3\n"
        " --@ t4 at 3 3\nend\n");
    const ClassPicture& m = r["m"];
    EXPECT_EQ(m.frame, (Box{0, 0, 200, 100}));
    EXPECT_EQ(m.blocks[0].at, (Spot{40, 50}));
    EXPECT_EQ(m.blocks[0].width, 40);
    EXPECT_EQ(m.blocks[1].turn, 90);
    EXPECT_EQ(m.blocks[1].terminals[0].side, Side::Bottom);  // left, turned to the left
    ASSERT_EQ(m.breakpoints.size(), 1u);
    EXPECT_EQ(m.breakpoints[0].text, "two");
    EXPECT_EQ(m.lines[0].via, (std::vector<Spot>{{100, 80}}));
    std::vector<std::string> codes;
    for (const Diagnostic& d : m.diagnostics) codes.push_back(d.code);
    EXPECT_EQ(codes, (std::vector<std::string>{"unknown-layout", "layout-without-submodel"}));
}

// One block that is dragged: the others stay where they are.
TEST(ClassPictures, OneWrittenPlaceMovesNoOther) {
    const std::string body = " submodel (T) t1 t2 t3\n connect t1 to t2 to t3\n";
    Read before(std::string(parts) + "model m\n" + body + "end\n");
    Read after(std::string(parts) + "model m\n" + body + " --@ t2 at 60 -90\nend\n");
    EXPECT_EQ(before["m"].blocks[0].at, after["m"].blocks[0].at);
    EXPECT_EQ(before["m"].blocks[2].at, after["m"].blocks[2].at);
    EXPECT_EQ(after["m"].blocks[1].at, (Spot{60, -90}));
}

TEST(ClassPictures, LayoutInsideAnotherCommentIsNone) {
    Read r(std::string(parts) + "model m\n { as in\n --@ t1 at 3 3\n }\n submodel (T) t1\nend\n");
    EXPECT_FALSE(r["m"].blocks[0].placed);
}

TEST(ClassPictures, InnerClassesHaveTheirOwnLayout) {
    Read r(
        "model m\n model type Inner\n  cut a(V / I)\n  V = I\n  --@ port a right 60\n end\n submodel (Inner) "
        "i\nend\n");
    EXPECT_EQ(r["m"].blocks[0].key, "m.Inner");
    EXPECT_EQ(r["m"].blocks[0].terminals[0].side, Side::Right);
    EXPECT_TRUE(r["m"].diagnostics.empty());
}

// The hash tells whether a picture must be drawn anew.
TEST(ClassPictures, HashFollowsWhatIsSeen) {
    const std::string one = std::string(parts) + "model m\n submodel (T) t1\nend\n";
    Read a(one), b(one), c(std::string(parts) + "model m\n submodel (T) t2\nend\n");
    EXPECT_EQ(a["m"].hash, b["m"].hash);
    EXPECT_NE(a["m"].hash, c["m"].hash);
}

TEST(ClassPictures, SimnonExpressionsAreSymbols) {
    Read r(
        "CONTINUOUS SYSTEM A\nINPUT u\nOUTPUT y\ny = u\nEND\n"
        "CONNECTING SYSTEM C\nTIME t\nu[A] = 1 - y[A]*sin(t)\n\"@ A at 30 40\nEND\n",
        "c.t");
    const ClassPicture& c = r["C"];
    ASSERT_EQ(c.blocks.size(), 5u);
    EXPECT_EQ(c.blocks[0].at, (Spot{30, 40}));
    EXPECT_EQ(c.blocks[1].kind, BlockKind::Sum);
    EXPECT_EQ(c.blocks[1].text, "+-");
    EXPECT_EQ(c.blocks[2].kind, BlockKind::Generator);
    EXPECT_EQ(c.blocks[3].kind, BlockKind::Product);
    EXPECT_EQ(c.blocks[4].text, "sin(t)");
    EXPECT_EQ(r.pictures->default_key(), "C");
}

TEST(ClassPictures, ClassesThatHoldThemselvesAreDrawn) {
    Read r(
        "model type A\n submodel (A) a b\n --@ frame 30 20\n --@ a at 15 10 size 30 20\n --@ b at 15 10 size "
        "30 20\nend\n");
    EXPECT_FALSE(to_svg(draw_picture(*r.pictures, r["A"], {4, 600, false})).empty());
}

TEST(Formula, IsWellFormed) {
    Read r(
        "model m\n parameter k=1\n local x y\n der(x) = -(x - y)**2/(k*y) + (if x < 0 then 1 else sqrt(y))\n "
        "y = x\nend\n");
    const auto formulas = r.pictures->formulas("m");
    ASSERT_EQ(formulas.size(), 2u);
    const std::string& f = formulas.begin()->second;
    EXPECT_NE(f.find("<mfrac>"), std::string::npos);
    EXPECT_NE(f.find("<msqrt>"), std::string::npos);
    EXPECT_EQ(f.find("<mo><</mo>"), std::string::npos);
    EXPECT_EQ(std::count(f.begin(), f.end(), '<'), std::count(f.begin(), f.end(), '>'));
}

TEST(Site, EscapesWhatModelsSay) {
    Read r(
        "{ <script>alert(1)</script> & more. }\nmodel m\n parameter p=1 \"<b>bold</b>\"\n local x\n x = "
        "p\nend\n");
    Site site("<i>");
    site.add(*r.pictures);
    for (const SitePage& page : site.finish()) {
        EXPECT_EQ(page.text.find("<script>"), std::string::npos) << page.path;
        EXPECT_EQ(page.text.find("<b>"), std::string::npos) << page.path;
        EXPECT_EQ(page.text.find("<i>"), std::string::npos) << page.path;
    }
}

}  // namespace cutset::picture
