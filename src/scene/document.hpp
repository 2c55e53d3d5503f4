#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rubato {

/// A JSON value that knows where it was written, so that a mistake can name its line.
struct Value {
    enum class Kind { null, flag, number, text, list, object };

    Kind kind = Kind::null;
    bool flag = false;
    double number = 0;
    std::string text = {};
    std::vector<Value> items = {}; ///< of a list
    std::vector<std::pair<std::string, Value>> members = {}; ///< of an object, in the order of the file

    int line = 0; ///< 1-based; 0 when it was not written in a file
    std::string origin = ""; ///< the command-line option it came from; empty when it stands in the file

    const Value* find(std::string_view key) const; ///< a member, or null
    std::string brief() const; ///< as JSON, cut after 60 characters
};

/// A scene file before anyone asked what it means.
struct Document {
    std::string file; ///< as messages name it
    Value root;
};

/// Parses JSON in which // and /* */ comments are allowed. Throws InputError with the line on bad syntax, on a key
/// that occurs twice in one object, and on a number outside the range of double precision.
Document parsed_document(const std::string& text, const std::string& file);

/// Reads and parses a file. Throws InputError when it cannot be read, or is far larger than a scene.
Document document_from_file(const std::string& path);

/// Puts `value` (JSON, or plain text when it is not JSON) at a dotted path such as bodies[0].material.young. `origin`
/// is the command-line option that mistakes in this value will name. Objects on the way are made when absent.
/// Throws InputError when the path leads through something that is no object, or to a list entry that is not there.
void set_value(Document& document, const std::string& path, const std::string& value, const std::string& origin);

} // namespace rubato
