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
