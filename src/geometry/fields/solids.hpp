#pragma once

#include "geometry/signed_field.hpp"

/// Solids with a closed formula: plain parameters in metres, y up, the bounding box centred at the origin. Every value
/// is the exact signed distance to the surface, inside and outside. The formulas fold a point by the solid's
/// symmetries into a plane or an octant and measure there (I. Quilez, "Distance functions").
namespace rubato {

struct Ball {
    double radius = 0.5; ///< [m]

    void check() const; ///< InputError that names the field and what is allowed; the same for all solids
    double value(const Vec3& p) const;
    Vec3 half_size() const { return Vec3::Constant(radius); } ///< of the bounding box [m]
    double volume() const; ///< [m^3]
};

/// Upright, with sharp rims.
struct Cylinder {
    double radius = 0.5; ///< [m]
    double height = 1; ///< [m]

    void check() const;
    double value(const Vec3& p) const;
    Vec3 half_size() const { return {radius, height / 2, radius}; }
    double volume() const;
};

/// A ring that lies flat.
struct Torus {
    double radius = 0.35; ///< from the axis to the middle of the tube [m]
    double tube = 0.15; ///< radius of the tube [m]

    void check() const;
    double value(const Vec3& p) const;
    Vec3 half_size() const { return {radius + tube, tube, radius + tube}; }
    double volume() const;
};

/// A box whose edges and corners are rounded.
struct RoundedBox {
    Vec3 size = Vec3::Ones(); ///< [m]
    double edge_radius = 0.12; ///< [m]; 0: sharp

    void check() const;
    double value(const Vec3& p) const;
    Vec3 half_size() const { return size / 2; }
    double volume() const;
};

/// A round wire along a stadium in the plane z = 0: two half circles joined by straight pieces along y.
struct ChainLink {
    double bend_radius = 0.4; ///< of the middle of the wire in the bends [m]
    double straight = 0.5; ///< length of each straight piece [m]
    double wire = 0.1; ///< radius of the wire [m]

    void check() const;
    double value(const Vec3& p) const;
    Vec3 half_size() const { return {bend_radius + wire, straight / 2 + bend_radius + wire, wire}; }
    double volume() const;
};

/// Solid stairs that climb along +x, with sharp edges; a step is as wide as z.
struct Stairs {
    int steps = 4;
    double rise = 0.25; ///< height of a step [m]
    double run = 0.25; ///< depth of a step [m]
    double width = 1; ///< [m]

    void check() const;
    double value(const Vec3& p) const;
    Vec3 half_size() const { return {steps * run / 2, steps * rise / 2, width / 2}; }
    double volume() const;
};

/// The lower half of a spherical shell, open upwards.
struct Bowl {
    double radius = 0.5; ///< outer [m]
    double thickness = 0.08; ///< [m]
    bool round_rim = true; ///< otherwise the rim is flat, with sharp edges

    void check() const;
    double value(const Vec3& p) const;
    Vec3 half_size() const { return {radius, (radius + rim_height()) / 2, radius}; }
    double volume() const;

    double rim_height() const { return round_rim ? thickness / 2 : 0; } ///< above the centre of the sphere [m]
};

/// One of the solids above as a field.
template <class Shape>
class SolidField final : public SignedField {
public:
    explicit SolidField(const Shape& shape)
        : shape_(shape)
    {
        shape_.check();
    }
    double value(const Vec3& p) const override { return shape_.value(p); }
    Bounds bounds() const override { return {-shape_.half_size(), shape_.half_size()}; }

private:
    Shape shape_;
};

} // namespace rubato
