#include "export_scenes/judges.hpp"

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

/// The Open Asset Import Library among the judges. Compiled only where it is installed.
namespace rubato::test {

namespace {

Eigen::Vector3f place(const aiVector3D& p) { return {p.x, p.y, p.z}; }

std::vector<const aiMesh*> meshes_below(const aiScene& scene, const aiNode& node)
{
    std::vector<const aiMesh*> meshes;
    for (unsigned m = 0; m < node.mNumMeshes; ++m) meshes.push_back(scene.mMeshes[node.mMeshes[m]]);
    for (unsigned c = 0; c < node.mNumChildren; ++c) {
        const auto more = meshes_below(scene, *node.mChildren[c]);
        meshes.insert(meshes.end(), more.begin(), more.end());
    }
    return meshes;
}

} // namespace

void ask_assimp_about_gltf(const ExportedRun& run)
{
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFile(run.files.at(0).string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    const aiNode& root = *scene->mRootNode;
    ASSERT_EQ(root.mNumChildren, run.bodies().size());
    for (std::size_t b = 0; b < run.bodies().size(); ++b) {
        const FrameBody& body = run.bodies()[b];
        EXPECT_STREQ(root.mChildren[b]->mName.C_Str(), body.name.c_str());
        Ways found(run.x.size());
        Index faces = 0;
        for (const aiMesh* mesh : meshes_below(*scene, *root.mChildren[b])) {
            faces += static_cast<Index>(mesh->mNumFaces);
            const bool moves = mesh->mNumAnimMeshes > 0;
            ASSERT_EQ(mesh->mNumAnimMeshes, moves ? run.x.size() - 1 : 0) << body.name;
            for (unsigned v = 0; v < mesh->mNumVertices; ++v) {
                std::vector<Eigen::Vector3f> way{place(mesh->mVertices[v])};
                for (unsigned i = 1; i < run.x.size(); ++i)
                    way.push_back(moves ? place(mesh->mAnimMeshes[i - 1]->mVertices[v]) : way[0]);
                found.add(way);
            }
        }
        EXPECT_EQ(faces, body.triangles) << body.name;
        expect_same(
            found, shown_ways(run, 0, run.x.size(), body.first_triangle, body.triangles), run.tolerance, body.name);
    }
}

void ask_assimp_about_frames(const ExportedRun& run)
{
    ASSERT_EQ(run.files.size(), run.x.size());
    for (std::size_t i = 0; i < run.files.size(); ++i) {
        Assimp::Importer importer;
        const aiScene* scene = importer.ReadFile(run.files[i].string(), aiProcess_Triangulate);
        ASSERT_NE(scene, nullptr) << importer.GetErrorString();
        Ways found(1);
        Index faces = 0;
        for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
            faces += static_cast<Index>(scene->mMeshes[m]->mNumFaces);
            for (unsigned v = 0; v < scene->mMeshes[m]->mNumVertices; ++v)
                found.add({place(scene->mMeshes[m]->mVertices[v])});
        }
        const Index triangles = run.reader.header().triangles;
        EXPECT_EQ(faces, triangles);
        expect_same(found, shown_ways(run, i, 1, 0, triangles), run.tolerance, run.files[i].string());
    }
}

} // namespace rubato::test
