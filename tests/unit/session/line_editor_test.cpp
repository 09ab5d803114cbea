#include "session/line_editor.h"

#include <gtest/gtest.h>

#include <sstream>

#include "session/edit_file.h"

namespace cutset {
namespace {

struct Dialogue {
    explicit Dialogue(const std::string& text, bool exists = true)
        : editor(lines_of(text), [this](const std::string& line) { out += line + "\n"; }) {
        if (exists)
            editor.start_editing();
        else
            editor.start_input();
    }
    std::string answer(const std::string& text) {
        out.clear();
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);) state = editor.line(line);
        return out;
    }
    std::string out;
    LineEditor editor;
    LineEditor::State state = LineEditor::State::Open;
};

const char* test_file =
    "TEST FILE\n-----\nTHE PURPOSE IS TO ILLUSTRATE\nTHE USE OF THE EDITOR\nTO CORRCT A FILE.\n";

// The example at the end of chapter 7.
TEST(LineEditor, TheManualsExample) {
    Dialogue d(test_file);
    EXPECT_EQ(d.out, "EDIT\n");
    EXPECT_EQ(d.answer("P 6 \" PRINT THE FILE"), test_file);
    EXPECT_EQ(d.answer("T \" TOP - GO TO THE BEGINNING OF THE FILE"), "EDIT\n");
    EXPECT_EQ(d.answer("N 2\n\" INSERT A LINE\nI THIS FILE CONTAINS SYMBOLIC TEXT\nA .\nP"),
              "THIS FILE CONTAINS SYMBOLIC TEXT.\n");
    EXPECT_EQ(d.answer("N\nP"), "THE PURPOSE IS TO ILLUSTRATE\n");
    EXPECT_EQ(d.answer("D \" DELETE CURRENT LINE\nP"), "THE USE OF THE EDITOR\n");
    EXPECT_EQ(d.answer("R THE EDITOR\n\nCAN BE USED TO\nCREATE OR\n\nN\nP"),
              "INPUT\nEDIT\nTO CORRCT A FILE.\n");
    EXPECT_EQ(d.answer("C /RC/REC/"), "TO CORRECT A FILE.\n");
    const std::string result =
        "TEST FILE\n-----\nTHIS FILE CONTAINS SYMBOLIC TEXT.\nTHE EDITOR\nCAN BE USED TO\nCREATE OR\n"
        "TO CORRECT A FILE.\n";
    EXPECT_EQ(d.answer("T\nP 8"), "EDIT\n" + result);
    d.answer("E \" EXIT FROM THE EDITOR");
    EXPECT_EQ(d.state, LineEditor::State::Exit);
    EXPECT_EQ(text_of(d.editor.lines()), result);
}

TEST(LineEditor, SearchesDownAndSaysWhenThereIsNothing) {
    Dialogue d("A = 1\nB = A+1\nA = 2\n");
    EXPECT_EQ(d.answer("L +1"), "B = A+1\n");
    EXPECT_EQ(d.answer("T\nFIND A ="), "EDIT\nA = 1\n");
    EXPECT_EQ(d.answer("F A ="), "A = 2\n");
    EXPECT_EQ(d.answer("LOC XYZ"), "END OF FILE: \"XYZ\" WAS NOT FOUND BELOW\n");
    EXPECT_EQ(d.answer("N"), "END OF FILE\n");
}

TEST(LineEditor, AnyCharacterQuotesAChange) {
    Dialogue d("A/B\n");
    EXPECT_EQ(d.answer("N\nC ./.*."), "A*B\n");
    EXPECT_EQ(d.answer("CHANG /*//"), "AB\n");
    EXPECT_EQ(d.answer("C //\"/"), "\"AB\n");
    EXPECT_EQ(d.answer("C /X/Y/"), "NOT IN THE CURRENT LINE: X\n");
    EXPECT_EQ(d.answer("C"), "C NEEDS TWO STRINGS: C /OLD/NEW/\n");
    EXPECT_EQ(d.answer("c /AB/CD"), "\"CD\n");
}

TEST(LineEditor, OverlayTypesInsteadOfLines) {
    Dialogue d("1\n2\n3\n4\n");
    EXPECT_EQ(d.answer("N 2\nO 2\nX\nY\n\n"), "INPUT\nEDIT\n");
    EXPECT_EQ(text_of(d.editor.lines()), "1\nX\nY\n4\n");
}

TEST(LineEditor, NothingHappensWithoutACurrentLine) {
    Dialogue d("1\n");
    EXPECT_NE(d.answer("D").find("NO CURRENT LINE"), std::string::npos);
    EXPECT_NE(d.answer("R X").find("NO CURRENT LINE"), std::string::npos);
    EXPECT_NE(d.answer("N\nD\nA X").find("NO CURRENT LINE"), std::string::npos);
    EXPECT_EQ(d.answer("I 2\nP"), "2\n");
    EXPECT_NE(d.answer("N 0").find("NOT A POSITIVE INTEGER"), std::string::npos);
    EXPECT_NE(d.answer("WHAT").find("NO COMMAND OF THE EDITOR: WHAT"), std::string::npos);
}

TEST(LineEditor, LeaveKeepsWhatTheLastTopSaw) {
    Dialogue d("1\n");
    d.answer("N\nR 2\nT\nN\nR 3\nLEAVE");
    EXPECT_EQ(d.state, LineEditor::State::Leave);
    EXPECT_EQ(text_of(d.editor.kept()), "2\n");
}

TEST(LineEditor, DisplayShowsWhatIsPassed) {
    Dialogue d("1\n2\n3\n");
    EXPECT_EQ(d.answer("DIS ON\nB"), "1\n2\n3\n");
    EXPECT_EQ(d.answer("T\nDIS OFF\nB\nP"), "EDIT\n3\n");
}

TEST(LineEditor, AWrongLineChangesToEditMode) {
    std::string out;
    LineEditor editor(
        {}, [&](const std::string& line) { out += line + "\n"; },
        [](const std::vector<std::string>& lines, std::size_t count, bool) -> std::optional<std::size_t> {
            for (std::size_t k = 0; k < count; ++k)
                if (lines[k] == "BAD") return k + 1;
            return std::nullopt;
        });
    editor.start_input();
    editor.line("GOOD");
    editor.line("BAD");
    EXPECT_EQ(out, "INPUT\nEDIT\n");
    EXPECT_EQ(editor.line("E"), LineEditor::State::Open);
    editor.line("R BETTER");
    EXPECT_EQ(editor.line("E"), LineEditor::State::Exit);
    EXPECT_EQ(text_of(editor.lines()), "GOOD\nBETTER\n");
}

TEST(LineEditor, APasteIsTextToItsEnd) {
    Dialogue d("ONE\nTWO\n");
    d.answer("N\n\n");
    ASSERT_TRUE(d.editor.input_mode());
    d.editor.paste({"R = 5", "", "E", ""});
    EXPECT_EQ(text_of(d.editor.lines()), "ONE\nR = 5\n\nE\nTWO\n");
    EXPECT_TRUE(d.editor.input_mode());
    EXPECT_EQ(d.editor.current(), 4u);
}

TEST(LineEditor, WordsAfterCommandsThatTakeNone) {
    Dialogue d("ONE\n");
    EXPECT_EQ(d.answer("LEAVE X"), "LEAVE TAKES NOTHING AFTER IT\n");
    EXPECT_EQ(d.state, LineEditor::State::Open);
    d.answer("E OTHER.t");
    EXPECT_EQ(d.state, LineEditor::State::Exit);
    EXPECT_EQ(d.editor.other_file(), "OTHER.t");
}

}  // namespace
}  // namespace cutset
