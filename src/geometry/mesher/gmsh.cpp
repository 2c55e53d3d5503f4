#include "geometry/mesher/gmsh.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "base/temporary_folder.hpp"
#include "geometry/files/atomic_file.hpp"
#include "geometry/files/read_msh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <iterator>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace rubato {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const std::string& file, const std::string& why)
{
    throw InputError(Mistake{.file = file, .message = why});
}

/// The surface as one discrete face, in the oldest dialect that every gmsh reads.
std::string surface_text(const TriangleMesh& surface)
{
    std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n";
    auto out = std::back_inserter(text);
    fmt::format_to(out, "{}\n", surface.nodes.size());
    for (std::size_t i = 0; i < surface.nodes.size(); ++i) {
        const Vec3& x = surface.nodes[i];
        fmt::format_to(out, "{} {} {} {}\n", i + 1, x[0], x[1], x[2]);
    }
    fmt::format_to(out, "$EndNodes\n$Elements\n{}\n", surface.triangles.size());
    for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
        const Triangle& t = surface.triangles[i];
        fmt::format_to(out, "{} 2 2 0 1 {} {} {}\n", i + 1, t[0] + 1, t[1] + 1, t[2] + 1);
    }
    return text + "$EndElements\n";
}

std::string script(double longest_edge)
{
    std::string text = "Merge \"surface.msh\";\nSurface Loop(1) = {1};\nVolume(1) = {1};\n";
    if (longest_edge > 0) text += fmt::format("Mesh.CharacteristicLengthMax = {};\n", longest_edge);
    return text;
}

/// Runs a program to its end, what it says going to a file. Its exit status, or -1.
int finished(const fs::path& program, const std::vector<std::string>& arguments, const fs::path& log)
{
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    pid_t child = 0;
    const int started = posix_spawn(&child, program.c_str(), &files, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (started != 0) return -1;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) { }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The first line of the log that tells of an error, or the last line.
std::string reason(const fs::path& log)
{
    std::istringstream in(file_bytes(log));
    std::string line, last;
    while (std::getline(in, line)) {
        if (line.starts_with("Error")) return line;
        if (!line.empty()) last = line;
    }
    return last;
}

std::vector<Vec3> sorted(std::vector<Vec3> points)
{
    std::sort(points.begin(), points.end(), [](const Vec3& a, const Vec3& b) {
        return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
    });
    return points;
}

/// The same triangles: as many, and on the same places to the last bit.
bool same_boundary(const TetMesh& mesh, const TriangleMesh& surface)
{
    const BoundarySurface boundary = boundary_surface(mesh.tets);
    if (boundary.triangles.size() != surface.triangles.size()) return false;
    std::vector<Vec3> found;
    for (const Index i : boundary.nodes) found.push_back(mesh.nodes[static_cast<std::size_t>(i)]);
    return sorted(found) == sorted(surface.nodes);
}

} // namespace

std::optional<fs::path> gmsh_program()
{
    const auto runs = [](const fs::path& p) { return ::access(p.c_str(), X_OK) == 0 && !fs::is_directory(p); };
    if (const char* named = std::getenv("RUBATO_GMSH")) {
        return runs(named) ? std::optional<fs::path>(named) : std::nullopt;
    }
    const char* const search = std::getenv("PATH");
    std::istringstream folders(search ? search : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (!folder.empty() && runs(fs::path(folder) / "gmsh")) return fs::path(folder) / "gmsh";
    }
    return std::nullopt;
}

TetMesh filled_by_gmsh(const TriangleMesh& surface, const std::string& file, double longest_edge)
{
    const std::optional<fs::path> program = gmsh_program();
    if (!program) {
        fail(file,
            "keeping the surface needs the external program gmsh, which was not found; install it (Debian: apt "
            "install gmsh), name it in RUBATO_GMSH, or leave the surface to the built-in mesher");
    }
    const TemporaryFolder folder("gmsh");
    write_atomically(folder / "surface.msh", surface_text(surface));
    write_atomically(folder / "fill.geo", script(longest_edge));
    const fs::path result = folder / "tetrahedra.msh", log = folder / "log";
    // Binary, because its text rounds to 16 digits.
    const int status = finished(*program,
        {"-3", "-bin", (folder / "fill.geo").string(), "-o", result.string(), "-format", "msh41", "-algo", "hxt",
            "-nopopup"},
        log);
    std::error_code ignored;
    if (status != 0 || !fs::exists(result, ignored)) {
        fail(file,
            fmt::format("gmsh could not fill the surface (\"{}\"); is it closed and free of self-intersections? "
                        "The built-in mesher takes surfaces that are not",
                reason(log)));
    }
    TetMesh mesh = msh_from_bytes(file_bytes(result), "the mesh that gmsh made of " + file);
    mesh.groups.clear();
    if (!same_boundary(mesh, surface)) {
        fail(file,
            "gmsh did not keep the surface; is it closed and free of self-intersections? The built-in mesher "
            "takes surfaces that are not");
    }
    mesh.groups["surface"] = boundary_surface(mesh.tets).nodes;
    return mesh;
}

} // namespace rubato
