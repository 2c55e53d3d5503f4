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
    std::string s = file; // appended to piece by piece: g++ 12 warns of overlaps in sums that are not there
    if (line > 0) s.append(":").append(std::to_string(line));
    const auto add = [&](const char* between, const std::string& piece) {
        if (!s.empty()) s.append(between);
        s.append(piece);
    };
    if (!key.empty()) add(": ", key);
    if (!value.empty()) add(key.empty() ? ": " : " = ", value);
    add(": ", message);
    return s;
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
