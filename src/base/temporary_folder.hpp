#pragma once

#include <filesystem>
#include <string>

namespace rubato {

/// A folder for files that go to and from another program; it goes with the object.
class TemporaryFolder {
public:
    explicit TemporaryFolder(const std::string& purpose); ///< becomes part of its name. Throws WriteError
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path operator/(const char* name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

} // namespace rubato
