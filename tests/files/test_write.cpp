#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "files/scratch_folder.hpp"
#include "geometry/files/atomic_file.hpp"
#include "geometry/files/write_msh.hpp"
#include "geometry/files/write_vtu.hpp"
#include "geometry/generators.hpp"

#include <csignal>
#include <cstring>
#include <limits>
#include <regex>
#include <sys/resource.h>

namespace rubato {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();
const double inf = std::numeric_limits<double>::infinity();

/// What a VTU file holds, found through the offsets in its XML.
struct WrittenVtu {
    explicit WrittenVtu(const std::string& bytes)
    {
        const std::string opening = "<AppendedData encoding=\"raw\">\n_";
        const std::size_t at = bytes.find(opening);
        EXPECT_NE(at, std::string::npos);
        xml = bytes.substr(0, at);
        const std::size_t data = at + opening.size();
        points = std::stoul(attribute("NumberOfPoints"));
        cells = std::stoul(attribute("NumberOfCells"));
        const std::regex element("<DataArray type=\"(\\w+)\" Name=\"([^\"]*)\" NumberOfComponents=\"(\\d)\" "
                                 "format=\"appended\" offset=\"(\\d+)\"/>");
        std::size_t end = data;
        for (std::sregex_iterator i(xml.begin(), xml.end(), element), none; i != none; ++i) {
            const std::smatch& m = *i;
            EXPECT_EQ(data + std::stoul(m[4]), end); // arrays follow each other without gaps
            std::uint64_t size = 0;
            std::memcpy(&size, &bytes.at(end), 8);
            arrays[m[2]] = {m[1], std::stoi(m[3]), bytes.substr(end + 8, size)};
            end += 8 + size;
        }
        EXPECT_EQ(bytes.substr(end), "\n</AppendedData>\n</VTKFile>\n");
    }

    std::string attribute(const std::string& name) const
    {
        std::smatch m;
        EXPECT_TRUE(std::regex_search(xml, m, std::regex(name + "=\"([^\"]*)\"")));
        return m[1];
    }

    struct Array {
        std::string type;
        int components;
        std::string bytes;
    };
    template <class T>
    std::vector<T> values(const std::string& name) const
    {
        const std::string& bytes = arrays.at(name).bytes;
        std::vector<T> v(bytes.size() / sizeof(T));
        std::memcpy(v.data(), bytes.data(), bytes.size());
        return v;
    }

    std::string xml;
    std::size_t points = 0, cells = 0;
    std::map<std::string, Array> arrays;
};

class Written : public ScratchFolder {
protected:
    TetMesh mesh = box_mesh(Vec3(1, 2, 3), {2, 3, 1});
};

TEST_F(Written, VtuHoldsPositionsCellsAndFieldsAtItsOffsets)
{
    std::vector<double> heat(mesh.nodes.size());
    Vector velocity(3 * mesh.nodes.size());
    for (std::size_t i = 0; i < heat.size(); ++i) heat[i] = 0.1 * static_cast<double>(i);
    for (Eigen::Index i = 0; i < velocity.size(); ++i) velocity[i] = 1.0 / static_cast<double>(i + 1);
    write_vtu(folder / "f.vtu", mesh.nodes, mesh.tets,
        {scalar_field("heat", heat), vector_field("velocity", velocity), vector_field("a<b&\"c\"", mesh.nodes)});

    const WrittenVtu vtu(file_bytes(folder / "f.vtu"));
    EXPECT_EQ(vtu.attribute("header_type"), "UInt64");
    EXPECT_EQ(vtu.points, mesh.nodes.size());
    EXPECT_EQ(vtu.cells, mesh.tets.size());
    EXPECT_EQ(vtu.arrays.size(), 7u);
    EXPECT_EQ(vtu.values<double>("heat"), heat);
    EXPECT_EQ(vtu.arrays.at("velocity").components, 3);
    EXPECT_EQ(vtu.values<double>("velocity"), std::vector<double>(velocity.begin(), velocity.end()));
    EXPECT_TRUE(vtu.arrays.contains("a&lt;b&amp;&quot;c&quot;"));
    const std::vector<double> x = vtu.values<double>("position");
    ASSERT_EQ(x.size(), 3 * mesh.nodes.size());
    EXPECT_EQ(Vec3(x[9], x[10], x[11]), mesh.nodes[3]);
    EXPECT_EQ(vtu.arrays.at("connectivity").type, "Int32");
    const std::vector<std::int32_t> corners = vtu.values<std::int32_t>("connectivity");
    ASSERT_EQ(corners.size(), 4 * mesh.tets.size());
    EXPECT_EQ((Tet{corners[4], corners[5], corners[6], corners[7]}), mesh.tets[1]);
    EXPECT_EQ(vtu.values<std::int64_t>("offsets").back(), static_cast<std::int64_t>(4 * mesh.tets.size()));
    EXPECT_EQ(vtu.values<std::int64_t>("offsets").front(), 4);
    EXPECT_EQ(vtu.values<std::uint8_t>("types"), std::vector<std::uint8_t>(mesh.tets.size(), 10));
}

TEST_F(Written, VtuOfASurfaceHoldsTriangles)
{
    const Vector x = Vector::LinSpaced(9, 0, 1);
    write_vtu(folder / "f.vtu", x, std::vector<Triangle>{{0, 1, 2}});
    const WrittenVtu vtu(file_bytes(folder / "f.vtu"));
    EXPECT_EQ(vtu.points, 3u);
    EXPECT_EQ(vtu.values<std::uint8_t>("types"), std::vector<std::uint8_t>{5});
    EXPECT_EQ(vtu.values<std::int32_t>("connectivity"), (std::vector<std::int32_t>{0, 1, 2}));
}

TEST_F(Written, PvdNamesTimesAndFiles)
{
    write_pvd(folder / "f.pvd", {{0, "frames/0.vtu"}, {1.0 / 3, "frames/a&b.vtu"}});
    const std::string xml = file_bytes(folder / "f.pvd");
    EXPECT_NE(xml.find("<DataSet timestep=\"0\" part=\"0\" file=\"frames/0.vtu\"/>"), std::string::npos) << xml;
    EXPECT_NE(xml.find("<DataSet timestep=\"0.3333333333333333\" part=\"0\" file=\"frames/a&amp;b.vtu\"/>"),
        std::string::npos)
        << xml;
    EXPECT_THROW(write_pvd(folder / "g.pvd", {{nan, "x"}}), WriteError);
}

TEST_F(Written, NoFileEverHoldsNumbersThatAreNotFinite)
{
    std::vector<double> heat(mesh.nodes.size(), 1.0);
    heat[5] = inf;
    try {
        write_vtu(folder / "f.vtu", mesh.nodes, mesh.tets, {scalar_field("heat", heat)});
        FAIL();
    } catch (const WriteError& e) {
        EXPECT_EQ(e.what(), (folder / "f.vtu").string() + ": cannot be written: heat of node 5 is not finite");
        EXPECT_EQ(e.path(), (folder / "f.vtu").string());
    }
    mesh.nodes[4][2] = nan;
    EXPECT_THROW(write_vtu(folder / "f.vtu", mesh.nodes, mesh.tets), WriteError);
    EXPECT_THROW(write_msh(folder / "f.msh", mesh), WriteError);
    EXPECT_EQ(file_count(), 0u);
}

TEST_F(Written, FieldsAndCornersThatDoNotFitTheNodesAreRefused)
{
    const std::vector<double> heat(mesh.nodes.size() - 1, 1.0);
    EXPECT_THROW(write_vtu(folder / "f.vtu", mesh.nodes, mesh.tets, {scalar_field("heat", heat)}), WriteError);
    mesh.tets[0][0] = 1000;
    EXPECT_THROW(write_vtu(folder / "f.vtu", mesh.nodes, mesh.tets), WriteError);
    EXPECT_THROW(write_msh(folder / "f.msh", mesh), WriteError);
    mesh = box_mesh(Vec3::Ones(), {1, 1, 1});
    mesh.groups["two\nlines"] = {0};
    EXPECT_THROW(write_msh(folder / "f.msh", mesh), WriteError);
    EXPECT_EQ(file_count(), 0u);
}

TEST_F(Written, AFileIsReplacedAndNothingElseIsLeft)
{
    const std::string bytes("a\0b", 3);
    write_atomically(folder / "f", "old and longer");
    write_atomically(folder / "f", bytes, true);
    EXPECT_EQ(file_bytes(folder / "f"), bytes);
    EXPECT_EQ(file_count(), 1u);
}

TEST_F(Written, AnErrorNamesThePathAndTheReason)
{
    try {
        write_atomically(folder / "none" / "f", "x");
        FAIL();
    } catch (const WriteError& e) {
        EXPECT_EQ(e.what(), (folder / "none" / "f").string() + ": cannot be written: No such file or directory");
    }
    EXPECT_THROW(write_atomically(folder, "x"), WriteError);
    EXPECT_THROW(write_atomically(folder / "", "x"), WriteError);
    EXPECT_THROW(write_atomically("/dev/full", "x"), WriteError);
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/full")); // not replaced by a file
}

TEST_F(Written, AFullDiskLeavesTheOldFileWhole)
{
    write_atomically(folder / "f", "old");
    // A limit on file sizes stands in for the full disk.
    struct ::rlimit before = {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    struct ::rlimit small = before;
    small.rlim_cur = 1000;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    std::string message;
    try {
        write_atomically(folder / "f", std::string(100000, 'x'));
    } catch (const WriteError& e) {
        message = e.what();
    }
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(message, (folder / "f").string() + ": cannot be written: File too large");
    EXPECT_EQ(file_bytes(folder / "f"), "old");
    EXPECT_EQ(file_count(), 1u);
}

} // namespace
} // namespace rubato
