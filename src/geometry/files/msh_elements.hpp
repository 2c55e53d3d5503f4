#pragma once

#include <array>

namespace rubato {

/// The element types of the Gmsh format that occur in practice.
struct MshElement {
    int type; ///< number in the file
    int dimension;
    int nodes;
    const char* name;
    bool readable; ///< tetrahedra, and simple elements of lower dimension, whose nodes may form a group
};

inline constexpr int most_element_nodes = 4; ///< of a readable element
inline constexpr int msh_tet = 4;
inline constexpr int msh_point = 15;

inline constexpr std::array<MshElement, 22> msh_elements = {{
    {1, 1, 2, "2-node line", true},
    {2, 2, 3, "3-node triangle", true},
    {3, 2, 4, "4-node quadrangle", true},
    {4, 3, 4, "4-node tetrahedron", true},
    {5, 3, 8, "8-node hexahedron", false},
    {6, 3, 6, "6-node prism", false},
    {7, 3, 5, "5-node pyramid", false},
    {8, 1, 3, "3-node line", false},
    {9, 2, 6, "6-node triangle", false},
    {10, 2, 9, "9-node quadrangle", false},
    {11, 3, 10, "10-node tetrahedron", false},
    {12, 3, 27, "27-node hexahedron", false},
    {13, 3, 18, "18-node prism", false},
    {14, 3, 14, "14-node pyramid", false},
    {15, 0, 1, "point", true},
    {16, 2, 8, "8-node quadrangle", false},
    {17, 3, 20, "20-node hexahedron", false},
    {18, 3, 15, "15-node prism", false},
    {19, 3, 13, "13-node pyramid", false},
    {29, 3, 20, "20-node tetrahedron", false},
    {30, 3, 35, "35-node tetrahedron", false},
    {31, 3, 56, "56-node tetrahedron", false},
}};

} // namespace rubato
