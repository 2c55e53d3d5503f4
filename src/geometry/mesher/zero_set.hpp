#pragma once

#include "geometry/signed_field.hpp"

#include <optional>

namespace rubato::mesher {

/// The surface of a signed field: where its sign changes. Everything here trusts the sign first, so that it holds for
/// fields that jump.
class ZeroSet {
public:
    /// `length` is the edge length of the mesh in the making; tolerances are parts of it [m].
    ZeroSet(const SignedField& field, double length)
        : field_(field)
        , length_(length)
    {
    }

    /// The field's value, with values that are not finite as an InputError.
    double value(const Vec3& p) const;

    /// The place between a (value fa) and b (value fb, of the other sign) where the sign changes.
    Vec3 between(const Vec3& a, double fa, const Vec3& b, double fb) const;

    /// The nearest place on the line p + t n, |t| <= reach, where the sign changes as along an outward normal n.
    std::optional<Vec3> along(const Vec3& p, const Vec3& n, double reach) const;

    /// Unit outward normal by differences over a thousandth of the edge length; zero where the field is flat.
    Vec3 normal(const Vec3& p) const;

    const SignedField& field() const { return field_; }
    double length() const { return length_; }

private:
    const SignedField& field_;
    double length_;
};

} // namespace rubato::mesher
