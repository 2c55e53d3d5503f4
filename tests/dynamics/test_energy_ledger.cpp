#include "dynamics/energy_ledger.hpp"

#include <gtest/gtest.h>

/// What a ledger lets a step book as dissipated.
namespace rubato {
namespace {

EnergyLedger ledger_with(double balance, double target)
{
    EnergyLedger ledger = EnergyLedger::opened(balance);
    ledger.target = target;
    return ledger;
}

TEST(Bookable, IsWhatTheMethodSaysWhereItIsThere)
{
    const Dissipated booked = ledger_with(10, 10).bookable({3, 0}, 0, 6);
    EXPECT_EQ(booked.free, 3);
    EXPECT_EQ(booked.driven, 0);
}

TEST(Bookable, TakesTheBalanceNoLowerThanThePotentialEnergy)
{
    EXPECT_EQ(ledger_with(10, 10).bookable({30, 0}, 0, 6).free, 4);
    EXPECT_EQ(ledger_with(10, 10).bookable({30, 0}, 2, 6).free, 6) << "what comes in is there, too";
    EXPECT_EQ(ledger_with(10, 10).bookable({30, 0}, 0, 11).free, 0) << "it is lower already";
    EXPECT_EQ(ledger_with(-20, -20).bookable({30, 0}, 0, -24).free, 4) << "energies have any zero";
}

TEST(Bookable, GoesByTheTargetWhereThatIsHigher)
{
    EXPECT_EQ(ledger_with(10, 15).bookable({30, 0}, 0, 6).free, 9);
    EXPECT_EQ(ledger_with(10, 1).bookable({30, 0}, 0, 6).free, 4) << "a target that a rule lowered does not count";
}

TEST(Bookable, IsNeverNegative) { EXPECT_EQ(ledger_with(10, 10).bookable({-3, 0}, 0, 6).free, 0); }

/// On a moving obstacle bodies gain what scripts put in, less the heat.
TEST(Bookable, HeatsWhereScriptsDrive)
{
    const Dissipated carried = ledger_with(10, 10).bookable({-3, 5}, 0, 6);
    EXPECT_EQ(carried.free, -3);
    EXPECT_EQ(carried.driven, 5);
    const Dissipated cold = ledger_with(10, 10).bookable({-5, 3}, 0, 6);
    EXPECT_EQ(cold.free, -3) << "bodies get no more than scripts give";
    EXPECT_EQ(cold.driven, 3);
    const Dissipated braked = ledger_with(10, 10).bookable({2, -5}, 0, 6);
    EXPECT_EQ(braked.free + braked.driven, 0) << "nor scripts more than bodies lose";
    EXPECT_GE(braked.free, 2);
}

} // namespace
} // namespace rubato
