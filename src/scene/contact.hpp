#pragma once

#include "contact/contact.hpp"
#include "scene/build.hpp"

#include <optional>
#include <string>
#include <vector>

/// Contact of a scene: who touches whom, with which numbers, and whether everything is apart at the start.
namespace rubato {

/// Bodies and obstacles start in each other. Holds the triangles concerned, for a file that can be looked at.
class IntersectionError final : public InputError {
public:
    IntersectionError(std::vector<Mistake> mistakes, TriangleMesh offending, std::string scene_name)
        : InputError(std::move(mistakes))
        , where(std::move(offending))
        , scene(std::move(scene_name))
    {
    }

    TriangleMesh where; ///< [m]; empty where nothing concerned has triangles
    std::string scene; ///< its name
};

/// What touches in a scene. Parts are its bodies, then its obstacles.
struct SceneContact {
    CollisionSurface surface;
    PairRules rules{0};
    ContactOptions options;
    bool automatic_dhat = false, automatic_stiffness = false;
};

/// The surface of a body in its own numbering of nodes: what it costs grows with their number.
std::vector<Triangle> boundary_in_body(const PlacedBody& body, const std::vector<Tet>& tets);

/// Nothing for a scene with neither a "contact" block nor an obstacle. `script`: which nodes are held.
std::optional<SceneContact> scene_contact(
    const Scene& scene, const Bodies& bodies, const Prescription& script, std::vector<Mistake>& mistakes);

/// Throws IntersectionError if bodies start inside of themselves, of each other or of obstacles.
void require_apart(const Scene& scene, const Bodies& bodies, const SceneContact& contact);

/// The numbers of a contact block; those that it does not give are chosen from the bodies.
ContactOptions contact_numbers(const Scene& scene, const Options& given, const Bodies& bodies);

/// What the barrier holds at the start would throw bodies that start within dhat of each other: makes an automatic dhat
/// smaller until it is little, and says so. Of a dhat that was given it only tells. `elastic`: energy of all bodies at
/// the start [J].
std::vector<std::string> choose_dhat_for_start(
    const Scene& scene, const Bodies& bodies, double elastic, SceneContact& contact);

/// A sentence if surfaces are so fine that neighbours would repel each other at rest; else nothing.
std::vector<std::string> contact_notes(const SceneContact& contact);

/// "dhat 1 mm (automatic), stiffness 1e+05 N/m (automatic), friction 0.3 on 2 pairs"
std::string contact_line(const SceneContact& contact);

/// Writes the numbers in use to the "contact" block of a scene, which gets one if it has none.
void write_contact_numbers(Scene& scene, const ContactOptions& options);

} // namespace rubato
