#include "base/errors.hpp"

namespace rubato {

namespace {

std::string joined(const std::vector<Mistake>& mistakes)
{
    std::string text;
    for (const Mistake& m : mistakes) {
        if (!text.empty()) text += '\n';
        text += m.text();
    }
    return text;
}

} // namespace

std::string Mistake::text() const
{
    std::string s = file;
    if (line > 0) s += ":" + std::to_string(line);
    if (!key.empty()) s += (s.empty() ? "" : ": ") + key;
    if (!value.empty()) s += (key.empty() ? (s.empty() ? "" : ": ") : std::string(" = ")) + value;
    return s.empty() ? message : s + ": " + message;
}

InputError::InputError(std::vector<Mistake> mistakes)
    : std::runtime_error(joined(mistakes))
    , mistakes_(std::move(mistakes))
{
}

InputError::InputError(Mistake mistake)
    : InputError(std::vector<Mistake>{std::move(mistake)})
{
}

WriteError::WriteError(std::string path, const std::string& reason)
    : std::runtime_error(path + ": cannot be written: " + reason)
    , path_(std::move(path))
{
}

} // namespace rubato
