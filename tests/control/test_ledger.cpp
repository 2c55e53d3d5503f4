#include "dynamics/energy_ledger.hpp"

#include <gtest/gtest.h>

namespace rubato {
namespace {

class Half final : public EnergyTarget {
public:
    double first(double H_0) const override { return 0.5 * H_0; }
    double next(double E, double t, double t_next, double gained) const override
    {
        return E + gained - 3 * (t_next - t);
    }
};

TEST(EnergyLedger, WithoutARuleTheTargetIsTheBalance)
{
    EnergyLedger ledger = EnergyLedger::opened(10);
    EXPECT_EQ(ledger.target, 10);
    EXPECT_EQ(ledger.target_after(0, 1, 4, 1), 13);
    ledger.book(0, 1, 4, 1);
    ledger.book(1, 2, 0, 2);
    EXPECT_EQ(ledger.target, 11);
    EXPECT_EQ(ledger.balance(), 11);
}

TEST(EnergyLedger, AsksItsRuleAndMovesOnlyWhenBooked)
{
    const Half rule;
    EnergyLedger ledger = EnergyLedger::opened(10, &rule);
    EXPECT_EQ(ledger.target, 5);
    EXPECT_EQ(ledger.target_after(1, 2, 1, 0), 3);
    EXPECT_EQ(ledger.target, 5);
    ledger.book(1, 2, 1, 0);
    EXPECT_EQ(ledger.target, 3);
    EXPECT_EQ(ledger.balance(), 11);
}

} // namespace
} // namespace rubato
