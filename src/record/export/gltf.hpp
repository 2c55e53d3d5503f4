#pragma once

#include "record/export/catalog.hpp"

namespace rubato {

/// One binary glTF 2.0 file, NAME.glb. docs/export.md says what is in it.
std::vector<std::filesystem::path> export_gltf(const FrameSelection& frames, const ExportOptions& options);

} // namespace rubato
