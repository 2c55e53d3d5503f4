#pragma once

#include "record/export/catalog.hpp"

namespace rubato {

/// frame_000000.ply, ...
std::vector<std::filesystem::path> export_ply(const FrameSelection& frames, const ExportOptions& options);

} // namespace rubato
