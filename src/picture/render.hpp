#pragma once

#include "picture/body.hpp"
#include "picture/camera.hpp"
#include "picture/image.hpp"

#include <optional>
#include <string>
#include <vector>

/// Shaded pictures of bodies, drawn in software: the same bytes on every run and for any number of threads.
namespace rubato {

struct PictureOptions {
    int width = 1280; ///< [px], 16 to 8192
    int height = 960; ///< [px], 16 to 8192
    int samples = 3; ///< along each side of a pixel, 1 to 8
    CameraOptions camera = {}; ///< its aspect is that of the picture
    std::optional<Camera> fixed_camera = {}; ///< taken as it is, instead of framing what is drawn
    bool ground = true; ///< a shadow under the bodies
    std::optional<double> ground_height = {}; ///< along `camera.up` [m]; none: the lowest point that is drawn
    std::string caption = {}; ///< a line below the bodies
    std::string value_name = {}; ///< heading of the colour scale, where bodies have values
    std::optional<double> value_low = {}, value_high = {}; ///< ends of the colour scale; none: least and largest value

    // For pictures of tetrahedral meshes:
    bool edges = true; ///< show the elements
    bool cut_open = false; ///< cut through the middle, toward the eye
    std::optional<CutPlane> cut = {}; ///< cut here
    std::vector<double> tet_values = {}; ///< one per tetrahedron, e.g. its quality
    std::optional<Rgb> color = {};
};

/// The bodies on a light ground. No bodies, or such without extent: the empty ground. A coordinate that is not finite,
/// a triangle over positions that are not there or an option out of range is an InputError.
Image picture_of(const std::vector<PictureBody>& bodies, const PictureOptions& options = {});
Image picture_of(const TetMesh& mesh, const PictureOptions& options = {});
Image picture_of(const TriangleMesh& mesh, const PictureOptions& options = {});

/// The camera that picture_of would take, for pictures that are to share one: over all positions that triangles use.
Camera picture_camera(const std::vector<PictureBody>& bodies, const PictureOptions& options);

} // namespace rubato
