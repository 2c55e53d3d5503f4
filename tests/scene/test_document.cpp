#include "scene/document.hpp"
#include "scene/sample.hpp"

namespace rubato {

TEST(Document, EveryValueKnowsItsLine)
{
    const Document d = parsed_document("// a comment\n{\n  \"a\": 1,\n  \"b\": [\n    2.5\n    ,true],\n"
                                       "  /* two\n lines */ \"c\": {\"d\": \"x\"}, \"e\": null\n}\n",
        "f.json");
    EXPECT_EQ(d.root.line, 2);
    EXPECT_EQ(d.root.find("a")->line, 3);
    EXPECT_EQ(d.root.find("b")->line, 4);
    EXPECT_EQ(d.root.find("b")->items[0].line, 5);
    EXPECT_EQ(d.root.find("b")->items[1].line, 6);
    EXPECT_EQ(d.root.find("c")->find("d")->line, 8);
    EXPECT_EQ(d.root.find("e")->line, 8);
    EXPECT_EQ(d.root.find("a")->number, 1);
    EXPECT_TRUE(d.root.find("b")->items[1].flag);
}

TEST(Document, BadSyntaxNamesFileAndLine)
{
    const struct {
        const char* text;
        int line;
        const char* says;
    } cases[] = {
        {"{\n  \"a\": 1\n  \"b\": 2\n}", 3, "not valid JSON"},
        {"{\n\n  \"a\": nan\n}", 3, "not valid JSON"},
        {"{\n  \"a\": 1", 2, "not valid JSON"},
        {"", 0, "is empty"},
        {" \n\t\n", 0, "is empty"},
        {"{\n \"a\": 1,\n}", 3, "perhaps a comma too many"},
        {"{\n \"a\": [1,\n 2,]\n}", 3, "perhaps a comma too many"},
        {"{\"a\": 1,, \"b\": 2}", 1, "perhaps a comma too many"},
        {"{\"a\": 1} x", 1, "not valid JSON"},
        {"{\n \"a\": 1e999\n}", 2, "double precision"},
        {"{\n \"a\": 1,\n \"a\": 2\n}", 3, "twice"},
        {"{\"a\": \"\xff\"}", 1, "not valid JSON"},
    };
    for (const auto& c : cases) {
        const auto mistakes = mistakes_of([&] { parsed_document(c.text, "f.json"); });
        ASSERT_EQ(mistakes.size(), 1u) << c.text;
        EXPECT_EQ(mistakes[0].file, "f.json");
        EXPECT_EQ(mistakes[0].line, c.line) << c.text;
        EXPECT_NE(mistakes[0].message.find(c.says), std::string::npos) << mistakes[0].text();
        EXPECT_EQ(mistakes[0].message.find("json.exception"), std::string::npos) << mistakes[0].text();
    }
}

TEST(Document, OnlyACommaIsTakenForAComma)
{
    for (const char* text : {"{\"a\": }", "{\"a\": ]}", "[1 2]", "]", ",", "{1}"}) {
        const auto mistakes = mistakes_of([&] { parsed_document(text, "f.json"); });
        ASSERT_EQ(mistakes.size(), 1u) << text;
        EXPECT_EQ(mistakes[0].message.find("comma too many"), std::string::npos) << mistakes[0].text();
    }
}

TEST(Document, DeepNestingIsNotACrash)
{
    const std::string deep = std::string(1000000, '[') + std::string(1000000, ']');
    const auto mistakes = mistakes_of([&] { parsed_document(deep, "f.json"); });
    ASSERT_EQ(mistakes.size(), 1u);
    EXPECT_NE(mistakes[0].message.find("nested too deeply"), std::string::npos);
}

TEST(SetValue, ReplacesAndCreatesOnTheWay)
{
    Document d = parsed_document(R"({"a": {"b": [{"c": 1}]}, "m": "newmark"})", "f.json");
    set_value(d, "a.b[0].c", "[1, 2]", "--set");
    set_value(d, "x.y", "1/30", "--set");
    set_value(d, "m.beta", "0.3", "--set");
    const Value& c = *d.root.find("a")->find("b")->items[0].find("c");
    EXPECT_EQ(c.items.size(), 2u);
    EXPECT_EQ(c.origin, "--set");
    EXPECT_EQ(c.items[1].origin, "--set");
    EXPECT_EQ(d.root.find("x")->find("y")->text, "1/30");
    EXPECT_EQ(d.root.find("m")->find("type")->text, "newmark");
    EXPECT_EQ(d.root.find("m")->find("beta")->number, 0.3);
}

TEST(SetValue, RefusesPathsThatLeadNowhere)
{
    for (const char* path : {"", "a.", ".a", "a..b", "b[1]", "b[x]", "b[0", "[0]", "a[0]", "a.b.c", "b.c", "b[-1]"}) {
        Document d = parsed_document(R"({"a": 1, "b": [2]})", "f.json");
        const auto mistakes = mistakes_of([&] { set_value(d, path, "3", "--set"); });
        ASSERT_EQ(mistakes.size(), 1u) << path;
        EXPECT_EQ(mistakes[0].file, "--set") << path;
    }
}

} // namespace rubato
