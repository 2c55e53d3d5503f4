#include "base/archive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace rubato;

namespace {

enum class Colour { red, green };

struct Sample {
    double h = 0;
    int count = 0;
    bool on = false;
    Colour colour = Colour::red;
    Vector x;
    std::string name;
    std::vector<double> weights;

    void serialize(Archive& a)
    {
        a("h", h);
        a("count", count);
        a("on", on);
        a("colour", colour);
        a("x", x);
        a("name", name);
        a("weights", weights);
    }
};

std::vector<std::uint8_t> saved(Sample s)
{
    Archive archive;
    s.serialize(archive);
    return archive.bytes();
}

const Sample full{0.1, -3, true, Colour::green, Vector::LinSpaced(5, 0, 1), std::string("a\0b", 3), {1, 2, 3}};

template <class Load>
std::string complaint(const std::vector<std::uint8_t>& bytes, Load load)
{
    Archive archive(bytes);
    try {
        load(archive);
    } catch (const Archive::Mismatch& m) {
        return m.what();
    }
    return "";
}

template <class T>
std::vector<std::uint8_t> one_field(const char* name, T value)
{
    Archive archive;
    archive(name, value);
    return archive.bytes();
}

} // namespace

TEST(Archive, LoadsWhatItSaved)
{
    Sample s;
    Archive archive(saved(full));
    EXPECT_TRUE(archive.loading());
    s.serialize(archive);
    EXPECT_TRUE(archive.at_end());
    EXPECT_EQ(s.h, full.h);
    EXPECT_EQ(s.count, full.count);
    EXPECT_EQ(s.on, full.on);
    EXPECT_EQ(s.colour, full.colour);
    EXPECT_EQ(s.x, full.x);
    EXPECT_EQ(s.name, full.name);
    EXPECT_EQ(s.weights, full.weights);
}

TEST(Archive, KeepsEveryBitOfANumber)
{
    const double denormal = std::numeric_limits<double>::denorm_min();
    for (double value : {1.0 / 3, -0.0, denormal, std::numeric_limits<double>::infinity()}) {
        double back = 7;
        Archive archive(one_field("value", value));
        archive("value", back);
        EXPECT_EQ(back, value);
        EXPECT_EQ(std::signbit(back), std::signbit(value));
    }
    double back = 7;
    Archive archive(one_field("value", std::nan("")));
    archive("value", back);
    EXPECT_TRUE(std::isnan(back));
}

TEST(Archive, ReplacesVectorsOfAnotherLengthAndKeepsEmptyOnes)
{
    Sample s = full;
    s.x.setZero(99);
    s.weights.assign(99, 1);
    Archive archive(saved(Sample{}));
    s.serialize(archive);
    EXPECT_EQ(s.x.size(), 0);
    EXPECT_TRUE(s.weights.empty());
    EXPECT_TRUE(s.name.empty());
}

TEST(Archive, AnotherFieldIsNamedBesideTheExpectedOne)
{
    double h = 0;
    EXPECT_EQ(complaint(one_field("h_old", 0.1), [&](Archive& a) { a("h", h); }),
        "holds 'h_old' where this version expects 'h'");
}

TEST(Archive, AFieldOfAnotherSizeIsNamed)
{
    double h = 0;
    EXPECT_EQ(complaint(one_field("h", 7), [&](Archive& a) { a("h", h); }), "field 'h' has another size");
    EXPECT_EQ(h, 0);
}

TEST(Archive, EveryTruncationIsNoticed)
{
    const std::vector<std::uint8_t> whole = saved(full);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const std::vector<std::uint8_t> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        Sample s;
        EXPECT_EQ(complaint(cut, [&](Archive& a) { s.serialize(a); }), "ends too early") << size << " bytes";
    }
}

TEST(Archive, ALengthBeyondTheEndIsRefusedBeforeMemoryIsTaken)
{
    std::vector<std::uint8_t> bytes = one_field("x", Vector(Vector::Ones(2)));
    for (std::size_t i = 2; i < 9; ++i) bytes[i] = 0xff; // the eight bytes of the length follow "\1x"
    Vector x;
    EXPECT_EQ(complaint(bytes, [&](Archive& a) { a("x", x); }), "ends too early");
    EXPECT_EQ(x.size(), 0);
}

TEST(Archive, RestIsVisible)
{
    Archive archive(saved(full));
    double h = 0;
    archive("h", h);
    EXPECT_FALSE(archive.at_end());
}

TEST(Archive, AVectorOfAnotherSizeThanTheSystemIsRefused)
{
    Vector x = Vector::Zero(2);
    const auto bytes = one_field("x", Vector(Vector::Ones(5)));
    EXPECT_EQ(complaint(bytes,
                  [&](Archive& a) {
                      a.expect_vectors_of(6);
                      a("x", x);
                  }),
        "field 'x' has 5 entries where 6 are needed");
    EXPECT_EQ(x.size(), 2);

    Archive fits(bytes);
    fits.expect_vectors_of(5);
    fits("x", x);
    EXPECT_EQ(x.size(), 5);
    Archive empty(one_field("x", Vector())); // a history that has not begun
    empty.expect_vectors_of(5);
    empty("x", x);
    EXPECT_EQ(x.size(), 0);
}

TEST(Archive, ALengthThatIsNoWholeNumberOfDoublesIsRefused)
{
    const auto bytes = one_field("x", std::string(19, 'a'));
    Vector x;
    std::vector<double> list;
    EXPECT_EQ(complaint(bytes, [&](Archive& a) { a("x", x); }), "field 'x' is not made of numbers");
    EXPECT_EQ(complaint(bytes, [&](Archive& a) { a("x", list); }), "field 'x' is not made of numbers");
}
