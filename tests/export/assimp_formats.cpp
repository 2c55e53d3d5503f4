#include "export/readers.hpp"

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

/// What the Open Asset Import Library finds in OBJ, PLY and glTF files. Compiled only where it is installed.
namespace rubato::test {

namespace {

/// Whether a point is one of a body's.
double distance_to(const aiVector3D& p, const std::vector<float>& points)
{
    double least = 1e30;
    for (std::size_t i = 0; i < points.size(); i += 3) {
        const Vec3 d(p.x - points[i], p.y - points[i + 1], p.z - points[i + 2]);
        least = std::min(least, d.norm());
    }
    return least;
}

/// Each of the vertices is a point of the body and each point of the body is one of the vertices.
void expect_same_points(const aiVector3D* vertices, unsigned count, const std::vector<float>& points)
{
    for (unsigned i = 0; i < count; ++i) EXPECT_LT(distance_to(vertices[i], points), 1e-6 * sample_size);
    std::vector<float> found;
    for (unsigned i = 0; i < count; ++i) found.insert(found.end(), {vertices[i].x, vertices[i].y, vertices[i].z});
    for (std::size_t i = 0; i < points.size(); i += 3) {
        const aiVector3D p(points[i], points[i + 1], points[i + 2]);
        EXPECT_LT(distance_to(p, found), 1e-6 * sample_size);
    }
}

std::vector<const aiMesh*> meshes_of(const aiScene& scene, const aiNode& node)
{
    std::vector<const aiMesh*> meshes;
    for (unsigned m = 0; m < node.mNumMeshes; ++m) meshes.push_back(scene.mMeshes[node.mMeshes[m]]);
    return meshes;
}

} // namespace

TEST_F(ExportTest, obj_is_read_by_assimp)
{
    const auto files = exported("obj");
    ASSERT_EQ(files.size(), sample_times.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
        Assimp::Importer importer;
        const aiScene* scene = importer.ReadFile(files[i].string(), 0);
        ASSERT_NE(scene, nullptr) << importer.GetErrorString();
        for (std::size_t b = 0; b < 3; ++b) {
            const std::string all = reader.header().bodies[b].name;
            const std::string name = all.substr(0, all.find(' ')); // what assimp keeps of a name in an OBJ file
            const aiNode* node = scene->mRootNode->FindNode(name.c_str());
            ASSERT_NE(node, nullptr) << name;
            std::vector<aiVector3D> vertices;
            unsigned quads = 0;
            bool textured = false;
            for (const aiMesh* mesh : meshes_of(*scene, *node)) {
                vertices.insert(vertices.end(), mesh->mVertices, mesh->mVertices + mesh->mNumVertices);
                for (unsigned f = 0; f < mesh->mNumFaces; ++f) quads += mesh->mFaces[f].mNumIndices == 4 ? 1 : 0;
                textured = textured || mesh->HasTextureCoords(0);
            }
            // Polygons of the cube in a group of their own are a node of their own here.
            if (const aiNode* sides = b == 0 ? scene->mRootNode->FindNode("sides") : nullptr) {
                for (const aiMesh* mesh : meshes_of(*scene, *sides)) {
                    vertices.insert(vertices.end(), mesh->mVertices, mesh->mVertices + mesh->mNumVertices);
                    for (unsigned f = 0; f < mesh->mNumFaces; ++f) quads += mesh->mFaces[f].mNumIndices == 4 ? 1 : 0;
                }
            }
            expect_same_points(vertices.data(), static_cast<unsigned>(vertices.size()), positions(i, b));
            EXPECT_EQ(quads, b == 0 ? 6U : b == 2 ? 1U : 0U) << name;
            EXPECT_EQ(textured, b == 0) << name;
        }
    }
}

TEST_F(ExportTest, ply_is_read_by_assimp)
{
    const auto files = exported("ply");
    for (std::size_t i = 0; i < files.size(); ++i) {
        Assimp::Importer importer;
        const aiScene* scene = importer.ReadFile(files[i].string(), 0);
        ASSERT_NE(scene, nullptr) << importer.GetErrorString();
        ASSERT_EQ(scene->mNumMeshes, 1U);
        expect_same_points(scene->mMeshes[0]->mVertices, scene->mMeshes[0]->mNumVertices, field(i, "position"));
        EXPECT_EQ(scene->mMeshes[0]->mNumFaces, 18U);
    }
}

TEST_F(ExportTest, gltf_is_read_by_assimp_with_every_frame_and_time)
{
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFile(exported("gltf").at(0).string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    for (std::size_t b = 0; b < 3; ++b) {
        const std::string name = reader.header().bodies[b].name;
        const aiNode* node = scene->mRootNode->FindNode(name.c_str());
        ASSERT_NE(node, nullptr) << name;
        std::size_t faces = 0;
        for (const aiMesh* mesh : meshes_of(*scene, *node)) {
            faces += mesh->mNumFaces;
            EXPECT_TRUE(mesh->HasNormals());
            EXPECT_EQ(mesh->HasTextureCoords(0), b == 0);
            ASSERT_EQ(mesh->mNumAnimMeshes, b == 2 ? 0 : sample_times.size() - 1);
            for (unsigned v = 0; v < mesh->mNumVertices; ++v) {
                // The vertex is some point of the body, and the same one at every time.
                const std::vector<float> first = positions(0, b);
                std::size_t point = 0;
                double least = 1e30;
                for (std::size_t p = 0; p < first.size() / 3; ++p) {
                    const double d
                        = distance_to(mesh->mVertices[v], {first[3 * p], first[3 * p + 1], first[3 * p + 2]});
                    if (d < least) least = d, point = p;
                }
                EXPECT_LT(least, 1e-6 * sample_size);
                for (unsigned k = 0; k < mesh->mNumAnimMeshes; ++k) {
                    const std::vector<float> x = positions(k + 1, b);
                    const std::vector<float> here{x[3 * point], x[3 * point + 1], x[3 * point + 2]};
                    EXPECT_LT(distance_to(mesh->mAnimMeshes[k]->mVertices[v], here), 1e-6 * sample_size);
                    EXPECT_NEAR(mesh->mAnimMeshes[k]->mNormals[v].Length(), 1, 1e-5);
                }
            }
        }
        EXPECT_EQ(faces, static_cast<std::size_t>(reader.header().bodies[b].triangles)) << name;
    }
    ASSERT_EQ(scene->mNumAnimations, 1U);
    const aiAnimation* motion = scene->mAnimations[0];
    ASSERT_EQ(motion->mNumMorphMeshChannels, 2U);
    for (unsigned c = 0; c < 2; ++c) {
        const aiMeshMorphAnim* channel = motion->mMorphMeshChannels[c];
        ASSERT_EQ(channel->mNumKeys, sample_times.size());
        for (unsigned i = 0; i < channel->mNumKeys; ++i) {
            const aiMeshMorphKey& key = channel->mKeys[i];
            EXPECT_NEAR(key.mTime / motion->mTicksPerSecond, sample_times[i], 1e-7);
            for (unsigned w = 0; w < key.mNumValuesAndWeights; ++w)
                EXPECT_EQ(key.mWeights[w], key.mValues[w] + 1 == i ? 1.0 : 0.0) << "key " << i;
        }
    }
}

TEST_F(ExportTest, gltf_keeps_objects_apart_that_share_points)
{
    const Folder other;
    Surface surface = sample_surface();
    surface.parts.at(0).object = "lid"; // two of the six sides of the cube
    FrameFileParts parts = sample_parts();
    parts.surface = obj_bytes("surface", surface, coordinates(surface.vertices));
    FrameReader lidded(sample_file(other.path(), parts));
    const auto file = export_named("gltf")->write(lidded, {.folder = other.path()}).at(0);
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFile(file.string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    const aiNode *cube = scene->mRootNode->FindNode(cube_name), *lid = scene->mRootNode->FindNode("lid");
    ASSERT_TRUE(cube != nullptr && lid != nullptr);
    EXPECT_EQ(lid->mParent, cube);
    for (const auto& [node, triangles] : {std::pair{lid, 4U}, std::pair{cube, 8U}}) {
        ASSERT_EQ(node->mNumMeshes, 1U);
        const aiMesh& mesh = *scene->mMeshes[node->mMeshes[0]];
        EXPECT_EQ(mesh.mNumFaces, triangles);
        EXPECT_EQ(mesh.mNumVertices, 2 * triangles) << "four corners to each side";
        ASSERT_EQ(mesh.mNumAnimMeshes, sample_times.size() - 1);
        expect_same_points(mesh.mVertices, mesh.mNumVertices, positions(0, 0)); // both reach all corners of the cube
        for (unsigned k = 0; k < mesh.mNumAnimMeshes; ++k)
            expect_same_points(mesh.mAnimMeshes[k]->mVertices, mesh.mNumVertices, positions(k + 1, 0));
    }
    EXPECT_EQ(scene->mAnimations[0]->mNumMorphMeshChannels, 3U);
}

} // namespace rubato::test
