#pragma once

#include <filesystem>
#include <string_view>

namespace rubato {

/// Writes a file that is there whole or not at all: the bytes go to a temporary name in the same folder, which is then
/// renamed. With `sync` the file and its folder are flushed to the disk first, so that this holds after a power cut
/// too. A file of that name is replaced; a folder or a device is refused. Throws WriteError; then no temporary remains.
void write_atomically(const std::filesystem::path& path, std::string_view bytes, bool sync = false);

} // namespace rubato
