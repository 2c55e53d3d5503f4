#pragma once

#include "record/export/catalog.hpp"

namespace rubato {

/// frame_000000.obj, ...
std::vector<std::filesystem::path> export_obj(const FrameSelection& frames, const ExportOptions& options);

} // namespace rubato
