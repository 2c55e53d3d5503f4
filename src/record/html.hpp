#pragma once

#include <string>
#include <string_view>

/// Pieces of a page that needs no other file.
namespace rubato {

/// Text that stands in a page or an attribute as it is.
std::string html_text(std::string_view text);

/// Bytes as letters, for data: addresses.
std::string base64(std::string_view bytes);

} // namespace rubato
