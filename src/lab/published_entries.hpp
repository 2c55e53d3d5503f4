#pragma once

#include "lab/published.hpp"

/// The reproductions behind the catalog, with what a quick look may cut short.
namespace rubato {

/// `finest`: of the steps 1/30, 1/300, 1/3000, 1/30000 s, how many are run.
Reproduced table_2(int finest = 4);
Reproduced alpha_range();
Reproduced appendix_c();
Reproduced appendix_d();
Reproduced appendix_e(int phases = 1000);
Reproduced decoupled_order_two(int starts = 20); ///< of the search, for each number of stages
Reproduced spring_001();
Reproduced two_springs_001(int runs = 1000); ///< of 100 steps each

} // namespace rubato
