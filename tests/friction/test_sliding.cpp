#include "friction/flat_block.hpp"

/// Coulomb's law, as a block shows it: what slides is held back by mu N whatever its speed, what is pushed by less
/// stays. Distances and times are those of a mass point; the block is stiff and flat enough to move like one.
namespace rubato {
namespace {

using test::FlatBlock;
using test::g;
using test::Track;

constexpr double coefficients[] = {0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0};
constexpr double v0 = 1; // [m/s]

/// Launched on level ground and followed a little beyond its stop.
FlatBlock launched(double mu, const std::string& integrator)
{
    const double stops_after = v0 / (mu * g);
    return {
        .friction = mu, .speed = v0, .h = stops_after / 100, .duration = 1.2 * stops_after, .integrator = integrator};
}

/// It gets as far as v0^2/(2 mu g).
void expect_distance(const FlatBlock& block, const Track& track)
{
    const double expected = v0 * v0 / (2 * block.friction * g);
    EXPECT_NEAR(track.distance(), expected, 0.03 * expected) << block.integrator << ", mu = " << block.friction;
}

/// What is booked to friction is mu N times the way.
void expect_work(const FlatBlock& block, const Track& track)
{
    const double expected = block.friction * block.normal_force() * track.distance();
    EXPECT_NEAR(track.dissipated, expected, 0.05 * expected) << block.integrator << ", mu = " << block.friction;
}

TEST(LaunchedBlock, StopsWhereCoulombSaysAndBooksWhatFrictionTook)
{
    for (const char* integrator : {"implicit-euler", "bdf2"}) {
        for (const double mu : coefficients) {
            const FlatBlock block = launched(mu, integrator);
            const Track track(block);
            expect_distance(block, track);
            expect_work(block, track);
            EXPECT_LT(std::abs(track.speed.back()), block.friction_speed) << integrator << ", mu = " << mu;
        }
    }
}

TEST(LaunchedBlock, StopsThereAlsoIfTheEnergyOfVibrationsIsKept)
{
    // At mu = 1 so much goes into vibrations that friction alone does not take what Coulomb's law says
    // (docs/contact/friction.md).
    for (const double mu : coefficients) {
        const FlatBlock block = launched(mu, "a-search");
        const Track track(block);
        expect_distance(block, track);
        if (mu <= 0.8) expect_work(block, track);
    }
}

TEST(LaunchedBlock, StopsThereOnABoxAsWell)
{
    for (const double mu : {0.1, 0.3, 0.8}) {
        FlatBlock block = launched(mu, "bdf2");
        block.ground = R"({"type": "box", "center": [0.3, -0.5, 0.1], "size": [3, 1, 1.5]})";
        const Track track(block);
        expect_distance(block, track);
        expect_work(block, track);
    }
}

TEST(LaunchedBlock, GoesFartherBySmoothingAsTheFormulaSays)
{
    // Below eps the force is mu N (2 y - y^2), y = v/eps: the way there is ln 2 instead of 1/2 times eps^2/(mu g).
    for (const double eps : {0.1, 0.3}) {
        FlatBlock block = launched(0.3, "bdf2");
        block.friction_speed = eps;
        block.duration *= 3;
        const double expected = v0 * v0 / (2 * block.friction * g);
        const double extra = (2 * std::numbers::ln2 - 1) * eps * eps;
        EXPECT_NEAR(Track(block).distance() / expected - 1, extra, 0.002) << eps;
    }
}

/// Left on a slope whose tangent is this many times mu. Whether it creeps or slides is decided at speeds below eps,
/// which Newton's method must be told to see: it takes what is slower than its tolerance for rest.
FlatBlock left(double mu, double times, const std::string& integrator)
{
    FlatBlock block{
        .friction = mu, .slope = std::atan(times * mu), .h = 0.01, .duration = 0.5, .integrator = integrator};
    block.tolerance = 0.1 * block.friction_speed;
    return block;
}

TEST(BlockOnASlope, CreepsBelowTheFrictionAngleAndSlidesAboveIt)
{
    for (const char* integrator : {"implicit-euler", "bdf2", "a-search"}) {
        for (const double mu : {0.2, 0.5}) {
            const FlatBlock held = left(mu, 0.98, integrator), freed = left(mu, 1.02, integrator);
            const Track creeping(held), sliding(freed);
            EXPECT_LT(creeping.speed.back(), held.friction_speed) << integrator << mu;
            EXPECT_GT(creeping.speed.back(), 0.5 * held.friction_speed) << integrator << mu;
            EXPECT_LT(creeping.distance(), held.friction_speed * held.duration) << integrator << mu;
            EXPECT_GT(sliding.speed.back(), 2 * freed.friction_speed) << integrator << mu;
        }
    }
}

TEST(BlockOnASlope, IsPulledBackByMuTimesTheNormalForce)
{
    for (const char* integrator : {"implicit-euler", "bdf2", "a-search"}) {
        for (const bool tilted : {true, false}) {
            FlatBlock block = left(0.3, 2, integrator);
            block.gravity_is_tilted = tilted;
            const Track track(block);
            const double expected = g * (std::sin(block.slope) - block.friction * std::cos(block.slope));
            EXPECT_NEAR(track.speed.back() / track.time.back(), expected, 0.03 * expected) << integrator << tilted;
            expect_work(block, track);
        }
    }
}

} // namespace
} // namespace rubato
