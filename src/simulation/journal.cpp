#include "simulation/journal.hpp"

#include "base/errors.hpp"

#include <algorithm>

namespace rubato {

namespace {

constexpr std::string_view count_name = "changes";

/// Whether the next field of an archive that is loaded is the number of changes.
bool holds_changes(const Archive& archive)
{
    if (archive.at_end()) return false;
    Archive ahead = archive;
    try {
        std::size_t count = 0;
        ahead(count_name, count);
        return true;
    } catch (const Archive::Mismatch&) {
        return false;
    }
}

void serialize_entry(Archive& archive, Journal::Entry& entry)
{
    archive("change.step", entry.step);
    archive("change.path", entry.edit.path);
    archive("change.value", entry.edit.value);
    archive("change.before", entry.before);
}

} // namespace

void Journal::serialize(Archive& archive, const SetParameter& set)
{
    std::vector<Entry> wanted;
    if (!archive.loading() ? !entries_.empty() : holds_changes(archive)) {
        std::size_t count = entries_.size();
        archive(count_name, count);
        for (std::size_t i = 0; i < count; ++i) {
            Entry entry = archive.loading() ? Entry{} : entries_[i];
            serialize_entry(archive, entry);
            wanted.push_back(std::move(entry));
        }
    }
    if (!archive.loading() || wanted == entries_) return;

    if (!set) throw Archive::Mismatch("holds changed parameters, but nothing can be changed here");
    const auto [own, other] = std::mismatch(entries_.begin(), entries_.end(), wanted.begin(), wanted.end());
    try {
        for (auto undone = entries_.end(); undone != own;) {
            --undone;
            set({undone->edit.path, undone->before});
        }
        for (auto made = other; made != wanted.end(); ++made) set(made->edit);
    } catch (const InputError& error) {
        throw Archive::Mismatch(std::string("holds a changed parameter that does not fit: ") + error.what());
    }
    entries_ = std::move(wanted);
}

} // namespace rubato
