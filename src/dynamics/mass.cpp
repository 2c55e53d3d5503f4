#include "dynamics/mass.hpp"

#include "base/parallel.hpp"

#include <Eigen/Cholesky>

#include <cassert>

namespace rubato {

namespace {

constexpr Index grain = 2048; // nodes

} // namespace

Mass::Mass(Vector nodal)
    : nodal_(std::move(nodal))
{
    assert((nodal_.array() >= 0).all());
}

void Mass::couple(Index first, const Eigen::MatrixXd& G)
{
    const Eigen::LLT<Eigen::MatrixXd> llt(G);
    assert(llt.info() == Eigen::Success && "mass block must be positive definite");
    coupled_.push_back({first, G, llt.solve(Eigen::MatrixXd::Identity(G.rows(), G.cols()))});
    nodal_.segment(first, G.rows()) = G.diagonal();
}

void Mass::multiply(const Vector& a, Vector& out) const
{
    out.resize(a.size());
    parallel_for(
        nodes(), [&](Index i) { node(out, i) = nodal_[i] * node(a, i); }, grain);
    for (const Coupled& c : coupled_) {
        for (Index i = 0; i < c.G.rows(); ++i) {
            Vec3 sum = Vec3::Zero();
            for (Index j = 0; j < c.G.cols(); ++j) sum += c.G(i, j) * node(a, c.first + j);
            node(out, c.first + i) = sum;
        }
    }
}

void Mass::solve(const Vector& f, Vector& out) const
{
    assert(&f != &out);
    out.resize(f.size());
    parallel_for(
        nodes(),
        [&](Index i) {
            if (nodal_[i] > 0)
                node(out, i) = node(f, i) / nodal_[i];
            else
                node(out, i).setZero();
        },
        grain);
    for (const Coupled& c : coupled_) {
        for (Index i = 0; i < c.G.rows(); ++i) {
            Vec3 sum = Vec3::Zero();
            for (Index j = 0; j < c.G.cols(); ++j) sum += c.G_inv(i, j) * node(f, c.first + j);
            node(out, c.first + i) = sum;
        }
    }
}

double Mass::inner(const Vector& a, const Vector& b) const
{
    double sum = 0;
    for (Index i = 0; i < nodes(); ++i) sum += nodal_[i] * node(a, i).dot(node(b, i));
    for (const Coupled& c : coupled_) {
        for (Index i = 0; i < c.G.rows(); ++i) {
            for (Index j = 0; j < c.G.cols(); ++j) {
                if (i != j) sum += c.G(i, j) * node(a, c.first + i).dot(node(b, c.first + j));
            }
        }
    }
    return sum;
}

void Mass::pattern(BlockPattern& pattern) const
{
    for (const Coupled& c : coupled_) {
        for (Index i = 0; i < c.G.rows(); ++i) {
            for (Index j = 0; j < i; ++j) pattern.add(c.first + i, c.first + j);
        }
    }
}

void Mass::add_to(BlockMatrix& A, double factor) const
{
    parallel_for(
        nodes(), [&](Index i) { A.block(A.slot(i, i)).diagonal().array() += factor * nodal_[i]; }, grain);
    for (const Coupled& c : coupled_) {
        for (Index i = 0; i < c.G.rows(); ++i) {
            for (Index j = 0; j < c.G.cols(); ++j) {
                if (i != j) A.block(A.slot(c.first + i, c.first + j)).diagonal().array() += factor * c.G(i, j);
            }
        }
    }
}

} // namespace rubato
