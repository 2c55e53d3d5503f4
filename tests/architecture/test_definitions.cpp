#include "architecture/one_definition.hpp"

#include <gtest/gtest.h>

using namespace rubato::rules;

namespace {

std::vector<Definition> read(const std::string& text, const std::string& path = "src/math/a.hpp")
{
    const DefinitionReader reader({path, text});
    EXPECT_TRUE(reader.understood()) << text;
    return reader.definitions();
}

/// Names of what the text defines; "-" before what it only declares, "~" before what is in an unnamed namespace.
std::vector<std::string> names(const std::string& text)
{
    std::vector<std::string> all;
    for (const Definition& d : read(text))
        all.push_back((d.defines ? "" : "-") + std::string(d.unnamed ? "~" : "") + d.full_name());
    return all;
}

using Names = std::vector<std::string>;

/// All complaints of a rule about two files, src/a/<first> and src/b/<second>.
template <class Rule>
Complaints about(Rule rule, const std::string& first, const std::string& one, const std::string& second = "b.cpp",
    const std::string& two = "")
{
    std::vector<Definition> all = read(one, "src/a/" + first);
    const std::vector<Definition> more = read(two, "src/b/" + second);
    all.insert(all.end(), more.begin(), more.end());
    return rule(all);
}

} // namespace

TEST(Definitions, TypesOfEveryKindAreRead)
{
    EXPECT_EQ(
        names("struct A { int x; struct Inner { int y; } inner; }; class B final : public A { };"), (Names{"A", "B"}));
    EXPECT_EQ(names("enum class E { a, b }; enum F : int { c }; union U { int a; };"), (Names{"E", "F", "U"}));
    EXPECT_EQ(
        names("using I = int; template <class T> using V = std::vector<T>; typedef double D;"), (Names{"I", "V", "D"}));
    EXPECT_EQ(names("typedef double Two __attribute__((vector_size(16)));"), (Names{"Two"}));
    EXPECT_EQ(names("template <class T> concept C = requires(T t) { t.x(); };"), (Names{"C"}));
    EXPECT_EQ(names("struct [[nodiscard]] alignas(16) A { };"), (Names{"A"}));
    EXPECT_EQ(names("template <> struct formatter<A> { };"), (Names{"formatter < A >"}));
    EXPECT_EQ(names("struct A; enum class E : int;"), (Names{"-A", "-E"}));
    EXPECT_EQ(names("struct A::Part { };"), (Names{"A :: Part"}));
    EXPECT_EQ(names("struct A { } only{1};"), (Names{"A"}));
}

TEST(Definitions, NamespacesAreFollowed)
{
    EXPECT_EQ(
        names("namespace a::b { struct S { }; } namespace { struct T { }; namespace c { int f() { return 1; } } }"),
        (Names{"a::b::S", "~T", "~c::f()"}));
    EXPECT_EQ(names("inline namespace v { struct S { }; } struct T { };"), (Names{"v::S", "T"}));
    EXPECT_TRUE(names("namespace fs = std::filesystem; using namespace std; using std::string;").empty());
    EXPECT_FALSE(DefinitionReader({"a.cpp", "namespace a { struct S { };"}).understood());
    EXPECT_FALSE(DefinitionReader({"a.cpp", "struct S { }; }"}).understood());
}

TEST(Definitions, FunctionsAreKnownByTheTypesOfTheirParameters)
{
    EXPECT_EQ(
        names("inline double f(const Vec3& p, const double x = g(1, 2), std::pair<int, int> c = {}) { return x; }"),
        (Names{"f(const Vec3 &, double, std :: pair < int , int >)"}));
    EXPECT_EQ(names("int f(int);"), (Names{"-f(int)"}));
    EXPECT_EQ(names("int f(int n) { struct Local { int m; }; return n; }"), (Names{"f(int)"}));
    EXPECT_EQ(names("auto f(unsigned long, char** argv) -> std::vector<int> { return {}; }"),
        (Names{"f(unsigned long, char * *)"}));
    EXPECT_EQ(names("bool operator<(const A& a, const A& b) { return a.x < b.x; }"),
        (Names{"operator <(const A &, const A &)"}));
    EXPECT_EQ(names("double A::operator()(double x) const { return x; }"), (Names{"A :: operator ( )(double)"}));
    EXPECT_EQ(names("A::A(int n) : n_{n}, v_(n), w_{} { go(); } struct B { };"), (Names{"A :: A(int)", "B"}));
    EXPECT_EQ(names("A::B::~B() { go(); }"), (Names{"A :: B :: ~ B()"}));
}

TEST(Definitions, NamesOfTemplateParametersDoNotMatter)
{
    const Names first = names("template <class T, int n> T sum(const Array<T, n>& a) { return a; }");
    const Names again
        = names("template <typename Number, int count> Number sum(const Array<Number, count>& b) { return b; }");
    ASSERT_EQ(first.size(), 1u);
    EXPECT_EQ(first, again);
    EXPECT_NE(first, names("template <class T, int n> T sum(const Array<T, 3>& a) { return a; }"));
    EXPECT_NE(names("template <class T> requires Big<T> void f(T t) { }"),
        names("template <class T> requires Small<T> void f(T t) { }"));
}

TEST(Definitions, VariablesTellWhetherEachFileHasItsOwn)
{
    const auto all
        = read("constexpr double a = 1, b = 2; inline constexpr int c{3}; const char* const d = \"x\"; int e;\n"
               "extern int f; std::vector<int> g = {1, 2}; static const std::regex h(R\"(a\")}{)\"); auto i = []() { "
               "return 1; };");
    Names internal, shared, declared;
    for (const Definition& d : all) {
        if (d.kind == Kind::function) continue; // h(...) may as well be a function
        (d.internal ? internal : d.defines ? shared : declared).push_back(d.name);
    }
    EXPECT_EQ(internal, (Names{"a", "b", "d"}));
    EXPECT_EQ(shared, (Names{"c", "e", "g", "i"}));
    EXPECT_EQ(declared, (Names{"f"}));
}

TEST(Definitions, CommentsDirectivesStringsAndMacrosAreNoDefinitions)
{
    EXPECT_EQ(names("// struct A { };\n/* struct B { }; */\n#define C struct C { };\nconst char* s = R\"(\" struct D { "
                    "})\";\n"),
        (Names{"s"}));
    EXPECT_EQ(names("TEST(Scene, Falls) { struct A { }; }\nTEST_F(Fixture, Falls) { }\nstruct B { };"), (Names{"B"}));
    EXPECT_EQ(names("#if X\nstruct A { int a; };\n#else\nstruct A { };\n#endif\nstruct B { };"), (Names{"A", "B"}));
    EXPECT_EQ(names("/// a body's name\nstruct A { }; // the other's\nstruct B { };"), (Names{"A", "B"}));
}

TEST(OneDefinition, TwoTypesOfOneNameClash)
{
    const std::string one = "namespace r {\nstruct Stage { int a; };\n}\n";
    EXPECT_EQ(about(name_clashes, "a.hpp", one, "b.hpp", "namespace r { class Stage { double b; }; }"),
        (Complaints{"src/b/b.hpp:1: type r::Stage is also defined at src/a/a.hpp:2"}));
    for (const char* other : {"namespace r { enum class Stage { a }; }", "namespace r { using Stage = int; }",
             "namespace r { template <class T> struct Stage { }; }",
             "namespace r { template <class T> concept Stage = true; }"}) {
        EXPECT_EQ(about(name_clashes, "a.hpp", one, "b.cpp", other).size(), 1u) << other;
    }
    for (const char* other :
        {"namespace r { struct Stage; }", "namespace s { struct Stage { }; }",
            "namespace r { namespace { struct Stage { }; } }", "namespace r { struct Frame { struct Stage { }; }; }"}) {
        EXPECT_TRUE(about(name_clashes, "a.hpp", one, "b.cpp", other).empty()) << other;
    }
}

TEST(OneDefinition, TwoFunctionsOfOneSignatureClash)
{
    const std::string one = "namespace r { inline double area(const Vec3& a, int n) { return n; } }";
    const auto clashes
        = [&](const std::string& other) { return about(name_clashes, "a.hpp", one, "b.hpp", other).size(); };
    EXPECT_EQ(clashes("namespace r { inline float area(const Vec3& other, const int) { return 0; } }"), 1u);
    EXPECT_EQ(clashes("namespace r { double area(const Vec3& b, int m) { return 2 * m; } }"), 1u);
    EXPECT_EQ(clashes("namespace r { double area(const Vec3& a, int n); }"), 0u);
    EXPECT_EQ(clashes("namespace r { inline double area(const Vec2& a, int n) { return n; } }"), 0u);
    EXPECT_EQ(clashes("namespace s { inline double area(const Vec3& a, int n) { return n; } }"), 0u);
}

TEST(OneDefinition, WhatNoHeaderDeclaresBelongsIntoTheUnnamedNamespace)
{
    const std::string header = "namespace r { struct Known; void known(int); extern int count; }";
    const auto complaints = [&](const std::string& source) {
        return about(local_outside, "a.hpp", header, "b.cpp", "namespace r {\n" + source + "\n}\n").size();
    };
    for (const char* bad :
        {"struct Own { };", "void own() { }", "static void own() { }", "inline int own() { return 1; }",
            "template <class T> void own(T) { }", "using Own = int;", "constexpr int own = 1;", "int own = 1;"})
        EXPECT_EQ(complaints(bad), 1u) << bad;
    for (const char* good : {"struct Known { int n; };", "void known(int n) { }", "int count = 3;",
             "void Known::go() { }", "struct Known::Part { };", "namespace { struct Own { }; int own = 1; }"})
        EXPECT_EQ(complaints(good), 0u) << good;
    EXPECT_TRUE(about(local_outside, "a.hpp", "", "main.cpp",
        "int main(int, char**) { }\nextern \"C\" { void* malloc(size_t n) { return 0; } }\nvoid* operator new(size_t "
        "n) { }")
                    .empty());
}

TEST(OneDefinition, WhatAHeaderDefinesIsOneThingInEveryFile)
{
    for (const char* bad : {"namespace { struct A { }; }", "static int f() { return 1; }", "constexpr int n = 1;",
             "const double x = 1;", "namespace { int f() { return 1; } }"})
        EXPECT_EQ(about(local_in_header, "a.hpp", bad).size(), 1u) << bad;
    for (const char* good : {"struct A { static constexpr int n = 1; };", "inline int f() { return 1; }",
             "inline constexpr int n = 1;", "inline const double x = 1;", "extern const int n;"})
        EXPECT_TRUE(about(local_in_header, "a.hpp", good).empty()) << good;
}

TEST(OneDefinition, AnUnnamedTypeTakesNoNameThatItsCodeCouldMean)
{
    const std::string header = "namespace r { struct Stage { }; }";
    const auto complaints
        = [&](const std::string& source) { return about(hidden_types, "a.hpp", header, "b.cpp", source).size(); };
    EXPECT_EQ(complaints("namespace r { namespace { struct Stage { }; } }"), 1u);
    EXPECT_EQ(complaints("namespace r::cli { namespace { using Stage = int; } }"), 1u);
    EXPECT_EQ(complaints("namespace r { namespace { struct Frame { }; } }"), 0u);
    EXPECT_EQ(complaints("namespace s { namespace { struct Stage { }; } }"), 0u);
    EXPECT_TRUE(about(hidden_types, "a.cpp", "namespace r { namespace { struct Stage { }; } }", "b.cpp",
        "namespace r { namespace { struct Stage { int n; }; } }")
                    .empty());
}
