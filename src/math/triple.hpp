#pragma once

/// Three numbers of any kind T that has the operations of one, such as Lanes (lanes.hpp): as much of the interface of
/// Eigen's vectors as formulas in singular values need, so that one formula serves Vec3 and Triple<Lanes>. Everything
/// is inlined by force: these are the innermost loops.
namespace rubato {

#define RUBATO_TRIPLE [[gnu::always_inline]]

template <class T>
struct Triple {
    using Scalar = T;
    T v[3];

    RUBATO_TRIPLE Triple() = default;
    RUBATO_TRIPLE Triple(const T& x, const T& y, const T& z)
        : v{x, y, z}
    {
    }
    RUBATO_TRIPLE static Triple Constant(const T& x) { return {x, x, x}; }
    RUBATO_TRIPLE static Triple Constant(double x) { return Constant(T(x)); }
    RUBATO_TRIPLE static Triple Ones() { return Constant(1.0); }

    RUBATO_TRIPLE T& operator[](int i) { return v[i]; }
    RUBATO_TRIPLE const T& operator[](int i) const { return v[i]; }

    RUBATO_TRIPLE T sum() const { return v[0] + v[1] + v[2]; }
    RUBATO_TRIPLE T prod() const { return v[0] * v[1] * v[2]; }
    RUBATO_TRIPLE T dot(const Triple& o) const { return v[0] * o.v[0] + v[1] * o.v[1] + v[2] * o.v[2]; }
    RUBATO_TRIPLE T squaredNorm() const { return dot(*this); }
    RUBATO_TRIPLE Triple cross(const Triple& o) const
    {
        return {v[1] * o.v[2] - v[2] * o.v[1], v[2] * o.v[0] - v[0] * o.v[2], v[0] * o.v[1] - v[1] * o.v[0]};
    }
    RUBATO_TRIPLE Triple cwiseProduct(const Triple& o) const { return {v[0] * o.v[0], v[1] * o.v[1], v[2] * o.v[2]}; }
    RUBATO_TRIPLE Triple cwiseQuotient(const Triple& o) const { return {v[0] / o.v[0], v[1] / o.v[1], v[2] / o.v[2]}; }
    RUBATO_TRIPLE Triple cwiseAbs2() const { return cwiseProduct(*this); }
    RUBATO_TRIPLE Triple cwiseInverse() const { return {1 / v[0], 1 / v[1], 1 / v[2]}; }

    RUBATO_TRIPLE friend Triple operator+(const Triple& a, const Triple& b)
    {
        return {a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2]};
    }
    RUBATO_TRIPLE friend Triple operator-(const Triple& a, const Triple& b)
    {
        return {a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]};
    }
    RUBATO_TRIPLE friend Triple operator-(const Triple& a) { return {-a.v[0], -a.v[1], -a.v[2]}; }
    RUBATO_TRIPLE friend Triple operator*(const T& s, const Triple& a) { return {s * a.v[0], s * a.v[1], s * a.v[2]}; }
    RUBATO_TRIPLE friend Triple operator*(double s, const Triple& a) { return {s * a.v[0], s * a.v[1], s * a.v[2]}; }
    RUBATO_TRIPLE friend Triple operator/(const Triple& a, const T& s) { return {a.v[0] / s, a.v[1] / s, a.v[2] / s}; }
};

/// A 3x3 matrix as three columns.
template <class T>
struct Square {
    Triple<T> column[3];

    RUBATO_TRIPLE T& operator()(int row, int col) { return column[col].v[row]; }
    RUBATO_TRIPLE const T& operator()(int row, int col) const { return column[col].v[row]; }
    RUBATO_TRIPLE const Triple<T>& col(int i) const { return column[i]; }
    RUBATO_TRIPLE Triple<T>& col(int i) { return column[i]; }
    RUBATO_TRIPLE friend Triple<T> operator*(const Square& A, const Triple<T>& x)
    {
        return x.v[0] * A.column[0] + x.v[1] * A.column[1] + x.v[2] * A.column[2];
    }
};

#undef RUBATO_TRIPLE

} // namespace rubato
