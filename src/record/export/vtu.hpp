#pragma once

#include "record/export/catalog.hpp"

namespace rubato {

/// surface_000000.vtu, ... with surface.pvd; and frame_000000.vtu, ... with tetrahedra.pvd where the file has
/// tetrahedra.
std::vector<std::filesystem::path> export_vtu(const FrameSelection& frames, const ExportOptions& options);

} // namespace rubato
