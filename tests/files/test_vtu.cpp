#include "base/errors.hpp"
#include "files/sample_surface.hpp"
#include "files/vtu_variants.hpp"
#include "geometry/files/read_vtu.hpp"
#include "geometry/files/write_vtu.hpp"
#include "geometry/generators.hpp"

#include <gtest/gtest.h>

namespace rubato {
namespace {

TetMesh sample_tets()
{
    TetMesh mesh = box_mesh(Vec3(1, 2, 3), {1, 1, 1});
    mesh.groups = {{"lid", {0, 3, 4}}};
    return mesh;
}

class Vtu : public testing::TestWithParam<VtuVariant> { };

TEST_P(Vtu, IsReadHoweverItsArraysAreStored)
{
    const TetMesh mesh = sample_tets();
    const auto back = std::get<TetMesh>(vtu_from_bytes(vtu_variant(GetParam(), mesh), "m.vtu"));
    EXPECT_EQ(back.nodes, mesh.nodes);
    EXPECT_EQ(back.tets, mesh.tets);
    EXPECT_EQ(back.groups, mesh.groups);
}

INSTANTIATE_TEST_SUITE_P(
    AllVariants, Vtu, testing::ValuesIn(vtu_variants()), [](const auto& p) { return p.param.name; });

std::string vtu_refusal(const std::string& bytes)
{
    try {
        vtu_from_bytes(bytes, "m.vtu");
    } catch (const InputError& e) {
        return e.what();
    }
    return "accepted";
}

std::string replaced(std::string text, const std::string& old, const std::string& by)
{
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return at == std::string::npos ? text : text.replace(at, old.size(), by);
}

TEST(ReadVtu, RefusesMistakesWithTheirPlace)
{
    const std::string good = vtu_variant(vtu_variants().front(), sample_tets());
    ASSERT_EQ(vtu_refusal(good), "accepted");
    const auto refused
        = [&](const std::string& old, const std::string& by) { return vtu_refusal(replaced(good, old, by)); };
    EXPECT_EQ(refused("VTKFile type=\"UnstructuredGrid\"", "VTKFile type=\"PolyData\""),
        "m.vtu:3: type = PolyData: must be UnstructuredGrid");
    EXPECT_EQ(refused("LittleEndian", "MiddleEndian"),
        "m.vtu:3: byte_order = MiddleEndian: must be LittleEndian or BigEndian");
    EXPECT_EQ(refused("version=\"0.1\"", "compressor=\"vtkLZ4DataCompressor\""),
        "m.vtu:3: compressor = vtkLZ4DataCompressor: only vtkZLibDataCompressor is read; save with zlib or "
        "uncompressed");
    EXPECT_EQ(refused("NumberOfPoints=\"9\"", "NumberOfPoints=\"9000000000\""),
        "m.vtu:5: NumberOfPoints = 9000000000: must be an integer from 0 to 700000000");
    EXPECT_NE(refused("NumberOfPoints=\"9\"", "NumberOfPoints=\"90000000\"").find("the file is too short for so many"),
        std::string::npos);
    EXPECT_NE(refused("<CellData/>", "</CellData>").find("XML = </CellData>: expected </Piece>"), std::string::npos);
    EXPECT_NE(refused("9 9 9", "9 nan 9").find("number of Points 2 = nan: must be a finite number"), std::string::npos);
    EXPECT_NE(refused("\n1 2 3", "\n1 2 99").find("array 'connectivity' = 99: must be from 0 to 8"), std::string::npos);
    EXPECT_NE(refused("5 10 10", "5 12 10").find("12 of cell 1: only points, lines"), std::string::npos);
    EXPECT_NE(refused("\n3 7 11", "\n3 2 11").find("offsets must ascend"), std::string::npos);
    EXPECT_NE(refused("\n3 7 11", "\n3 6 11").find("3 corners of cell 1: a cell of type 10 has 4"), std::string::npos);
    EXPECT_NE(refused("Name=\"types\"", "Name=\"kinds\"").find("there is no array types"), std::string::npos);
    EXPECT_NE(refused("</Piece>", "</Piece><Piece NumberOfPoints=\"0\" NumberOfCells=\"0\"/>").find("a second one"),
        std::string::npos);
    EXPECT_NE(refused("</VTKFile>", "").find("<VTKFile> is not closed"), std::string::npos);
    EXPECT_NE(vtu_refusal("").find("must be VTKFile"), std::string::npos);
}

TEST(ReadVtu, RefusesDamagedBinaryData)
{
    for (const VtuVariant& v : vtu_variants()) {
        if (!v.compressed || v.place != VtuVariant::appended_raw) continue;
        const std::string good = vtu_variant(v, sample_tets());
        const std::size_t data = good.find("\n  _") + 4;
        std::string bad = good;
        bad[data + (v.long_header ? 40 : 20)] ^= 0x55; // in the first compressed block
        EXPECT_NE(vtu_refusal(bad).find("group:lid"), std::string::npos) << v.name << vtu_refusal(bad);
        bad = good;
        bad[data + (v.big_endian ? 3 : 0)] = 9; // number of blocks
        EXPECT_NE(vtu_refusal(bad).find("array 'group:lid'"), std::string::npos) << v.name << vtu_refusal(bad);
    }
}

TEST(WriteVtu, GivesBackSurfacesWithNamesAndTexture)
{
    for (const Surface& s : {sample_surface(), rich_surface(), vertex_textured_surface()}) {
        const auto back = std::get<Surface>(vtu_from_bytes(vtu_bytes("m.vtu", s), "m.vtu"));
        EXPECT_EQ(back.vertices, s.vertices);
        EXPECT_EQ(back.corners, s.corners);
        EXPECT_EQ(back.polygons, s.polygons);
        EXPECT_EQ(back.texture, s.texture);
        EXPECT_EQ(back.corner_texture, s.corner_texture);
        EXPECT_EQ(back.parts, s.parts);
        EXPECT_EQ(back.material_files, s.material_files);
    }
}

} // namespace
} // namespace rubato
