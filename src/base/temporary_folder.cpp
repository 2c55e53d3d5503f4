#include "base/temporary_folder.hpp"

#include "base/errors.hpp"

#include <cstdlib>
#include <system_error>
#include <unistd.h>

namespace rubato {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(const std::string& purpose)
{
    std::error_code error;
    const fs::path base = fs::temp_directory_path(error);
    if (error) throw WriteError("the folder for temporary files", error.message());
    std::string name = (base / ("rubato-" + purpose + "-XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr) throw WriteError(name, "cannot be made");
    path_ = name;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

} // namespace rubato
