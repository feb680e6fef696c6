#include "abut/load/mesh/assimp_file.h"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <assimp/Importer.hpp>
#include <cmath>

namespace abut {
namespace {

[[noreturn]] void bad_file(const std::filesystem::path& path, const std::string& message) {
  throw WorldError(Source{std::make_shared<const std::string>(path.lexically_normal().string()), 0},
                   message);
}

using Mat4 = Eigen::Matrix<double, 4, 4, Eigen::DontAlign>;

Mat4 to_matrix(const aiMatrix4x4& m) {
  Mat4 out;
  for (unsigned r = 0; r < 4; ++r)
    for (unsigned c = 0; c < 4; ++c) out(r, c) = static_cast<double>(m[r][c]);
  return out;
}

void add(const aiMesh& part, const Mat4& X, TriangleMesh& out) {
  const int first = static_cast<int>(out.vertices.size());
  for (unsigned i = 0; i < part.mNumVertices; ++i) {
    const aiVector3D& v = part.mVertices[i];
    const Vec3 p = (X * Eigen::Vector4d(v.x, v.y, v.z, 1)).head<3>();
    out.vertices.push_back(p.cast<float>().cast<double>());  // as every mesh file
  }
  const bool mirrored = X.topLeftCorner<3, 3>().determinant() < 0;
  for (unsigned i = 0; i < part.mNumFaces; ++i) {
    const aiFace& face = part.mFaces[i];
    if (face.mNumIndices != 3) continue;  // points and lines have no inside
    const auto corner = [&](int k) { return first + static_cast<int>(face.mIndices[k]); };
    out.triangles.push_back({corner(0), corner(mirrored ? 2 : 1), corner(mirrored ? 1 : 2)});
  }
}

void add_node(const aiScene& scene, const aiNode& node, const Mat4& above, TriangleMesh& out) {
  const Mat4 X = above * to_matrix(node.mTransformation);
  for (unsigned i = 0; i < node.mNumMeshes; ++i) add(*scene.mMeshes[node.mMeshes[i]], X, out);
  for (unsigned i = 0; i < node.mNumChildren; ++i) add_node(scene, *node.mChildren[i], X, out);
}

}  // namespace

TriangleMesh read_with_assimp(const std::filesystem::path& path) {
  Assimp::Importer importer;
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  const aiScene* scene =
      importer.ReadFile(path.string(), aiProcess_Triangulate | aiProcess_JoinIdenticalVertices);
  if (!scene || !scene->mRootNode)
    bad_file(path, fmt::format("assimp cannot read it ({}); write it as STL or OBJ",
                               importer.GetErrorString()));
  TriangleMesh mesh;
  add_node(*scene, *scene->mRootNode, Mat4::Identity(), mesh);
  if (mesh.triangles.empty())
    bad_file(path, "there are no triangles in it; write it as STL or OBJ");
  for (const Vec3& v : mesh.vertices)
    if (!v.allFinite()) bad_file(path, "a vertex is not a number; repair the file");
  return mesh;
}

}  // namespace abut
