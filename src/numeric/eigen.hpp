// Eigen under a name of its own: the library is compiled for the baseline, and a program that compiles Eigen for its own
// processor must not share inline functions with it. For work that is done once a basis, never inside a layer.
#pragma once
#if defined(EIGEN_CORE_H) || defined(EIGEN_CORE_MODULE_H)
#error "Eigen was included before numeric/eigen.hpp"
#endif
#define EIGEN_DONT_PARALLELIZE
#define Eigen intertwine_eigen
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>
#undef Eigen

namespace intertwine::numeric_detail {

using Matrix = intertwine_eigen::MatrixXd;
using RowMajorMatrix =
    intertwine_eigen::Matrix<double, intertwine_eigen::Dynamic, intertwine_eigen::Dynamic, intertwine_eigen::RowMajor>;

}  // namespace intertwine::numeric_detail
