#pragma once

#include "base/archive.hpp"

#include <functional>
#include <string>
#include <vector>

namespace rubato {

/// Another value for a parameter, under the path that scenes have for it: gravity[1], springs[0].stiffness.
struct Edit {
    std::string path;
    double value = 0;

    friend bool operator==(const Edit&, const Edit&) = default;
};

/// Gives the parameter this value and returns the one that it had. Whoever builds a system provides it. Throws
/// InputError if there is no such parameter, or none that can have this value, and leaves everything as it was.
using SetParameter = std::function<double(const Edit&)>;

/// What was changed between steps, and when: a system is the one that was built and these changes.
class Journal {
public:
    struct Entry {
        long step = 0; ///< after so many steps
        Edit edit;
        double before = 0; ///< the value that it had

        friend bool operator==(const Entry&, const Entry&) = default;
    };
    const std::vector<Entry>& entries() const { return entries_; }
    void add(Entry entry) { entries_.push_back(std::move(entry)); }

    /// Writes nothing where nothing was changed. On loading it takes back what is not in the archive and makes the
    /// changes that are. Throws Archive::Mismatch if `set` cannot.
    void serialize(Archive& archive, const SetParameter& set);

private:
    std::vector<Entry> entries_;
};

} // namespace rubato
