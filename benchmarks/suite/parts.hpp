#pragma once

#include "suite/findings.hpp"

#include <string>
#include <vector>

/// The parts of the suite. A new one is a source file and a line in parts.cpp.
namespace rubato {

struct Part {
    std::string name, summary;
    void (*measure)(Findings&);
};

const std::vector<Part>& suite_parts();

void measure_elements(Findings& findings);
void measure_decompositions(Findings& findings);
void measure_distances(Findings& findings);
void measure_assembly(Findings& findings);
void measure_linear(Findings& findings);
void measure_preconditioners(Findings& findings);
void measure_roofline(Findings& findings);
void measure_scenes(Findings& findings);
void measure_scaling(Findings& findings);
void measure_threads(Findings& findings);

} // namespace rubato
