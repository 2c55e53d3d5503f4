#include "base/errors.hpp"

#include <gtest/gtest.h>

using namespace rubato;

TEST(Mistake, NamesFileLineKeyValueAndWhatIsAllowed)
{
    const Mistake m{"scene.json", 12, "bodies[0].density", "-5", "must be > 0 [kg/m^3]"};
    EXPECT_EQ(m.text(), "scene.json:12: bodies[0].density = -5: must be > 0 [kg/m^3]");
}

TEST(Mistake, LeavesOutWhatIsNotKnown)
{
    EXPECT_EQ((Mistake{.message = "no scene given"}.text()), "no scene given");
    EXPECT_EQ((Mistake{.file = "a.msh", .message = "cannot be read"}.text()), "a.msh: cannot be read");
    EXPECT_EQ((Mistake{.file = "a.msh", .line = 3, .message = "ends too early"}.text()), "a.msh:3: ends too early");
    EXPECT_EQ((Mistake{.file = "a.json", .key = "step", .message = "is missing"}.text()), "a.json: step: is missing");
    EXPECT_EQ((Mistake{.key = "step", .value = "0", .message = "must be > 0"}.text()), "step = 0: must be > 0");
    EXPECT_EQ((Mistake{.value = "--fast", .message = "is no option"}.text()), "--fast: is no option");
    EXPECT_EQ((Mistake{.file = "a.obj", .value = "f 1 2", .message = "too short"}.text()), "a.obj: f 1 2: too short");
}

TEST(Printable, LeavesTextAndEscapesWhatATerminalObeys)
{
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"bar 2/3 \\ [m^3] ~", "bar 2/3 \\ [m^3] ~"},
        {"K\xc3\xb6rper \xe2\x82\xac \xf0\x9f\x90\xb0", "K\xc3\xb6rper \xe2\x82\xac \xf0\x9f\x90\xb0"},
        {"\x1b[2J\x1b]0;x\x07", "\\x1b[2J\\x1b]0;x\\x07"},
        {"a\nrubato: b\r\t", "a\\nrubato: b\\r\\t"},
        {"\x7f", "\\x7f"},
        {"\xc2\x9b"
         "2J",
            "\\u009b2J"}, // C1: CSI as one character
        {"\x9b"
         "2J",
            "\\x9b2J"}, // a byte that is no UTF-8
        {"\xe2\x80\xae"
         "txt",
            "\\u202etxt"}, // right to left from here
        {"\xe2\x80\xa8", "\\u2028"}, // line separator
        {"\xc0\x9b", "\\xc0\\x9b"}, // longer than need be
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"}, // half a surrogate pair
        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, // beyond the last character
        {"end \xe2\x82", "end \\xe2\\x82"},
        {std::string_view("a\0b", 3), "a\\x00b"},
    };
    for (const auto& [text, shown] : cases) {
        EXPECT_EQ(printable(text), shown);
        EXPECT_EQ(
            (Mistake{.value = std::string(text), .message = "is wrong"}.text()), std::string(shown) + ": is wrong");
    }
    EXPECT_TRUE(is_utf8("K\xc3\xb6rper"));
    EXPECT_FALSE(is_utf8("K\xf6rper"));
    EXPECT_STREQ(WriteError("a\x1b", "why\n").what(), "a\\x1b: cannot be written: why\\n");
}

TEST(InputError, CarriesEveryMistakeInOrderOnePerLine)
{
    const InputError error({Mistake{.key = "a", .message = "first"}, Mistake{.key = "b", .message = "second"}});
    ASSERT_EQ(error.mistakes().size(), 2u);
    EXPECT_EQ(error.mistakes()[1].key, "b");
    EXPECT_STREQ(error.what(), "a: first\nb: second");
}

TEST(InputError, OfOneMistakeSaysJustThat)
{
    const InputError error(Mistake{.message = "only"});
    ASSERT_EQ(error.mistakes().size(), 1u);
    EXPECT_STREQ(error.what(), "only");
}
