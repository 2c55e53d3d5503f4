#pragma once

#include "record/export/catalog.hpp"

namespace rubato {

/// BODY.pc2 and BODY.obj for each body: little-endian, samples at equal distances of time.
std::vector<std::filesystem::path> export_pc2(const FrameSelection& frames, const ExportOptions& options);

/// BODY.mdd and BODY.obj for each body: big-endian, a sample for each frame, with its time.
std::vector<std::filesystem::path> export_mdd(const FrameSelection& frames, const ExportOptions& options);

} // namespace rubato
