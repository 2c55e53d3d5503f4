#pragma once

#include "record/export/catalog.hpp"

namespace rubato {

/// One ASCII stage, NAME.usda. docs/export.md says what is in it.
std::vector<std::filesystem::path> export_usd(const FrameSelection& frames, const ExportOptions& options);

} // namespace rubato
