#include "base/options.hpp"
#include "geometry/fields/solid_catalog.hpp"
#include "geometry/mesher/meshed_body.hpp"
#include "geometry/mesher/surface_distance.hpp"
#include "scene/mesh_catalog.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

/// Every body that comes with the program gives good tetrahedra at three sizes.
namespace rubato {

namespace {

struct NamedBody {
    std::string name;
    std::unique_ptr<SignedField> (*make)(const std::string& name);
};

std::unique_ptr<SignedField> solid_field(const std::string& name)
{
    for (const SolidEntry& solid : solid_catalog()) {
        if (solid.name == name) return solid.make(defaults(solid.options));
    }
    return nullptr;
}

/// Exact where there is a formula, else of a mesh of far shorter edges.
double true_volume(const std::string& name, const SignedField& field, double finest_edge)
{
    for (const SolidEntry& solid : solid_catalog()) {
        if (solid.name == name) return solid.volume(defaults(solid.options));
    }
    return mesh_quality(stuffed(field, {.edge = finest_edge / 3, .improved = false})).volume;
}

std::vector<NamedBody> all_bodies()
{
    std::vector<NamedBody> all;
    for (const SolidEntry& solid : solid_catalog()) all.push_back({solid.name, solid_field});
    for (const BuiltinBody& body : builtin_bodies()) all.push_back({std::string(body.name), builtin_field});
    return all;
}

std::ostream& operator<<(std::ostream& out, const NamedBody& body) { return out << body.name; }

class BodyTest : public testing::TestWithParam<NamedBody> { };

std::string body_name(const testing::TestParamInfo<NamedBody>& test)
{
    std::string name = test.param.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

} // namespace

TEST_P(BodyTest, HasGoodTetrahedraAtThreeSizes)
{
    const std::string& name = GetParam().name;
    const std::unique_ptr<SignedField> field = GetParam().make(name);
    const double length = field->bounds().size().maxCoeff();
    const double least_angle = name == "ball" || name == "torus" ? 20 : 15;
    // Wires and tentacles are many times thinner than the body is long.
    const bool thin = name == "chain-link" || name == "octopus" || name == "jellyfish";
    const int finest = thin ? 96 : 48;
    for (const int division : {finest / 4, finest / 2, finest}) {
        const double edge = length / division;
        const MeshedBody body = meshed(*field, {.edge = edge});
        SCOPED_TRACE(name + ", edge " + std::to_string(edge));
        EXPECT_GE(body.quality.smallest_dihedral, least_angle);
        EXPECT_LE(body.quality.largest_dihedral, 155);
        EXPECT_TRUE(body.quality.boundary_closed && body.quality.boundary_manifold);
        EXPECT_EQ(body.quality.components, 1);
        const SurfaceDistance distance
            = surface_distance(body.tets, *field, surface_points(*field, edge / 5), edge / 2);
        EXPECT_LT(distance.mesh_to_surface, edge / 2);
        EXPECT_LT(distance.surface_to_mesh, edge / 2);
        const double volume = division == finest ? true_volume(name, *field, edge) : 0;
        if (division == finest) {
            EXPECT_NEAR(body.quality.volume, volume, 0.01 * volume);
        }
        std::printf("%-13s edge %.4f nodes %6d tets %7d angles %5.1f %6.1f volume %+.2f%% distances %.2f %.2f edges\n",
            name.c_str(), edge, body.quality.nodes, body.quality.tets, body.quality.smallest_dihedral,
            body.quality.largest_dihedral, volume > 0 ? 100 * (body.quality.volume / volume - 1) : 0,
            distance.mesh_to_surface / edge, distance.surface_to_mesh / edge);
    }
}

INSTANTIATE_TEST_SUITE_P(All, BodyTest, testing::ValuesIn(all_bodies()), body_name);

} // namespace rubato
