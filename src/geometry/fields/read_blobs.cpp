#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "geometry/fields/blobs.hpp"
#include "geometry/files/mesh_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace rubato {

namespace {

constexpr double largest = 1e9; ///< [m]

class BlobsReader {
public:
    BlobsReader(std::string_view bytes, const std::string& file)
        : bytes_(bytes)
        , file_(file)
    {
    }

    BlobField field()
    {
        while (!bytes_.empty()) {
            ++line_;
            const std::string_view text = next_line();
            MeshSource words(file_, text.substr(0, text.find('#')), line_);
            if (!words.at_end()) read(words);
        }
        finish_tube();
        if (blobs_.empty()) fail(0, "blobs", "none", "at least one shape is needed (ellipsoid, capsule, box or tube)");
        BlobField body(std::move(blobs_));
        if (body.bounds().diagonal() == 0) fail(0, "body", "empty", "carve and keep leave nothing of it");
        return body;
    }

private:
    [[noreturn]] void fail(int line, const char* key, const std::string& found, const std::string& allowed) const
    {
        throw InputError(Mistake{.file = file_, .line = line, .key = key, .value = found, .message = allowed});
    }

    std::string_view next_line()
    {
        const std::size_t end = std::min(bytes_.find('\n'), bytes_.size());
        const std::string_view line = bytes_.substr(0, end);
        bytes_.remove_prefix(std::min(end + 1, bytes_.size()));
        return line;
    }

    void read(MeshSource& words)
    {
        words.begin_record("");
        std::string_view keyword = words.word("keyword");
        if (keyword == "point") return read_point(words);
        finish_tube();
        Blob::Role role = Blob::Role::add;
        if (keyword == "carve" || keyword == "keep") {
            role = keyword == "carve" ? Blob::Role::carve : Blob::Role::keep;
            keyword = words.word("shape");
        }
        if (role != Blob::Role::add && blobs_.empty()) {
            words.fail(
                "first shape", std::string(keyword), "the first shape cannot be carved or kept: there is no body yet");
        }
        if (keyword == "ellipsoid") {
            words.begin_record("ellipsoid");
            const Vec3 center = vector(words, "center");
            expect(words, "radii");
            const Vec3 radii{length(words, "radii"), length(words, "radii"), length(words, "radii")};
            add(words, role, Ellipsoid{center, radii});
        } else if (keyword == "capsule") {
            words.begin_record("capsule");
            const Vec3 from = vector(words, "from");
            const Vec3 to = vector(words, "to");
            expect(words, "radii");
            const double first = length(words, "radii");
            add(words, role, TaperedCapsule{from, to, first, length(words, "radii")});
        } else if (keyword == "box") {
            read_box(words, role);
        } else if (keyword == "half-space") {
            read_half_space(words, role);
        } else if (keyword == "tube") {
            tube_ = Tube{.role = role, .blend = blend(words), .line = line_};
        } else {
            words.fail("keyword", std::string(keyword),
                "unknown; allowed are ellipsoid, capsule, box, half-space, tube and point, and carve or keep before a "
                "shape");
        }
    }

    void read_box(MeshSource& words, Blob::Role role)
    {
        words.begin_record("box");
        const Vec3 center = vector(words, "center");
        expect(words, "half");
        const Vec3 half{length(words, "half"), length(words, "half"), length(words, "half")};
        double round = 0;
        if (next_is(words, "round")) {
            round = number(words, "round");
            if (round < 0 || round > half.minCoeff()) {
                words.fail("round", fmt::format("{}", round),
                    fmt::format("must be between 0 and the smallest half side, {} [m]", half.minCoeff()));
            }
        }
        add(words, role, BlobBox{center, half, round});
    }

    void read_half_space(MeshSource& words, Blob::Role role)
    {
        words.begin_record("half-space");
        if (role == Blob::Role::add) {
            words.fail("half-space", "added", "has no end; write keep or carve before it");
        }
        const Vec3 normal = vector(words, "normal");
        const double norm = normal.norm();
        if (!(norm > 1e-9)) words.fail("normal", "0 0 0", "must have a direction");
        expect(words, "offset");
        add(words, role, BlobHalfSpace{normal / norm, number(words, "offset")});
    }

    void read_point(MeshSource& words)
    {
        words.begin_record("point");
        if (!tube_) words.fail("point", "alone", "points belong to a tube: a line with tube comes first");
        const Vec3 p{number(words, "x"), number(words, "y"), number(words, "z")};
        expect(words, "radius");
        const double radius = length(words, "radius");
        end_line(words);
        if (tube_->points > 0) {
            blobs_.push_back({tube_->role, TaperedCapsule{tube_->last, p, tube_->last_radius, radius}, tube_->blend});
        }
        ++tube_->points;
        tube_->last = p;
        tube_->last_radius = radius;
    }

    /// A tube ends where something else begins.
    void finish_tube()
    {
        if (tube_ && tube_->points < 2) {
            fail(tube_->line, "points of tube", fmt::format("{}", tube_->points), "must be at least 2");
        }
        tube_.reset();
    }

    void add(MeshSource& words, Blob::Role role, const BlobShape& shape)
    {
        const double width = blend(words); // before the push: it may fail
        blobs_.push_back({role, shape, width});
    }

    /// The end of a line: "blend k", or nothing.
    double blend(MeshSource& words)
    {
        double width = 0;
        if (next_is(words, "blend")) {
            width = number(words, "blend");
            if (width < 0) words.fail("blend", fmt::format("{}", width), "must be >= 0 [m]");
        }
        end_line(words);
        return width;
    }

    /// Moves over the keyword if it comes next.
    static bool next_is(MeshSource& words, std::string_view keyword)
    {
        MeshSource ahead = words;
        if (ahead.at_end() || ahead.word("keyword") != keyword) return false;
        words = ahead;
        return true;
    }

    static void end_line(MeshSource& words)
    {
        if (words.at_end()) return;
        const std::string rest(words.rest_of_line());
        words.fail("end of line", rest, "nothing may follow here");
    }

    /// Moves over a word that must come next.
    static void expect(MeshSource& words, const char* name)
    {
        const std::string found(words.word(name));
        if (found != name) words.fail(name, found, fmt::format("the word {} must stand here", name));
    }

    static Vec3 vector(MeshSource& words, const char* name)
    {
        expect(words, name);
        const double x = number(words, name);
        const double y = number(words, name);
        return {x, y, number(words, name)};
    }

    static double number(MeshSource& words, const char* name)
    {
        const double value = words.text_real(name);
        if (std::abs(value) > largest) {
            words.fail(name, fmt::format("{}", value), fmt::format("must lie between -{} and {}", largest, largest));
        }
        return value;
    }

    static double length(MeshSource& words, const char* name)
    {
        const double value = number(words, name);
        if (!(value >= 1e-9)) words.fail(name, fmt::format("{}", value), "must be at least 1e-9 [m]");
        return value;
    }

    struct Tube {
        Blob::Role role = Blob::Role::add;
        double blend = 0;
        int line = 0;
        int points = 0;
        Vec3 last = Vec3::Zero();
        double last_radius = 0;
    };

    std::string_view bytes_; ///< what is left
    std::string file_;
    int line_ = 0;
    std::vector<Blob> blobs_;
    std::optional<Tube> tube_; ///< the one whose points are being read
};

} // namespace

BlobField blobs_from_bytes(std::string_view bytes, const std::string& file) { return BlobsReader(bytes, file).field(); }

BlobField read_blobs(const std::filesystem::path& path) { return blobs_from_bytes(file_bytes(path), path.string()); }

} // namespace rubato
