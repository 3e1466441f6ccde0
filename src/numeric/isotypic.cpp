// The isotypic form of layers: the decomposition and its products.
#include "intertwine/numeric/isotypic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "intertwine/error.hpp"
#include "intertwine/random.hpp"
#include "numeric/eigen.hpp"
#include "numeric/isotypic_data.hpp"
#include "numeric/sparse_basis.hpp"
#include "numeric/tables.hpp"

namespace intertwine {

using namespace numeric_detail;

namespace {

using Index = std::ptrdiff_t;
using ConstMap = intertwine_eigen::Map<const RowMajorMatrix>;

constexpr std::uint64_t most_side = std::uint64_t{1} << 16;

// Entry (s, t) of the real matrix of multiplication by a number of the ring from the right: +-(1 + part), for parts
// counted from 0.
int ring_entry(std::uint64_t ring, std::uint64_t s, std::uint64_t t) {
  static constexpr int complex[2][2] = {{1, -2}, {2, 1}};
  static constexpr int quaternionic[4][4] = {{1, -2, -3, -4}, {2, 1, 4, -3}, {3, -4, 1, 2}, {4, 3, -2, 1}};
  if (ring == 1) return 1;
  return ring == 2 ? complex[s][t] : quaternionic[s][t];
}

// The numbers of the ring of one block as a tied array: its rows are (copy, part) of the output.
TiedPattern block_pattern(const IsotypicBlock& block) {
  const std::uint64_t e = block.division, P = params_of(block);
  std::vector<std::int32_t> codes;
  for (std::uint64_t r = 0; r < block.copies_out; ++r)
    for (std::uint64_t s = 0; s < e; ++s)
      for (std::uint64_t c = 0; c < block.copies_in; ++c)
        for (std::uint64_t t = 0; t < e; ++t) {
          const int entry = ring_entry(block.division, s, t);
          const auto k = (r * block.copies_in + c) * e + static_cast<std::uint64_t>(std::abs(entry) - 1);
          codes.push_back(static_cast<std::int32_t>(1 + k + (entry < 0 ? P : 0)));
        }
  const std::uint64_t rows = block.copies_out * e, cols = block.copies_in * e;
  if (code_bytes(P) == 4) return TiedPattern(rows, cols, P, codes);
  return TiedPattern(rows, cols, P, std::vector<std::uint8_t>(codes.begin(), codes.end()));
}

// The public number of each coordinate, in the kernels' order.
std::vector<std::uint64_t> places(const std::vector<IsotypicBlock>& blocks, bool out) {
  std::vector<std::uint64_t> place;
  std::uint64_t first = 0;
  for (const IsotypicBlock& block : blocks) {
    const std::uint64_t e = block.division, copies = out ? block.copies_out : block.copies_in;
    for (std::uint64_t a = 0; a < block.degree / e; ++a)
      for (std::uint64_t c = 0; c < copies; ++c)
        for (std::uint64_t s = 0; s < e; ++s) place.push_back(first + c * block.degree + a * e + s);
    first += copies * block.degree;
  }
  return place;
}

std::vector<double> inverse_of(const std::vector<double>& matrix, std::uint64_t n, const char* name) {
  std::vector<double> out(matrix.size());
  if (n == 0) return out;
  const auto side = static_cast<Index>(n);
  const ConstMap given(matrix.data(), side, side);
  if (!given.allFinite())
    throw DomainError(fmt::format("IsotypicDecomposition: {} has an entry that is not finite", name));
  const intertwine_eigen::PartialPivLU<Matrix> factors(given);
  intertwine_eigen::Map<RowMajorMatrix> inverse(out.data(), side, side);
  inverse = factors.inverse();
  const bool regular =
      inverse.allFinite() &&
      (given * inverse - RowMajorMatrix::Identity(side, side)).lpNorm<intertwine_eigen::Infinity>() < 1e-6;
  if (!regular)
    throw DomainError(fmt::format("IsotypicDecomposition: {} is singular, so it is no change of basis", name));
  return out;
}

}  // namespace

IsotypicDecomposition::IsotypicDecomposition(IsotypicBlocks given) {
  auto data = std::make_shared<Data>();
  for (const IsotypicBlock& block : given.blocks) {
    const std::uint64_t e = block.division;
    if (e != 1 && e != 2 && e != 4) throw DomainError("IsotypicDecomposition: there is no such ring");
    if (block.degree == 0 || block.degree % e != 0)
      throw DomainError(
          fmt::format("IsotypicDecomposition: an irreducible representation of degree {} cannot have "
                      "endomorphisms of dimension {}",
                      block.degree, e));
    if (std::max({block.degree, block.copies_in, block.copies_out}) > most_side)
      throw DomainError("IsotypicDecomposition: a block is too large");
    data->rows += block.copies_out * block.degree;
    data->cols += block.copies_in * block.degree;
    data->params += params_of(block);
  }
  const auto check = [](const char* name, std::uint64_t n, std::uint64_t size) {
    if (n > most_side || size != n * n)
      throw DomainError(
          fmt::format("IsotypicDecomposition: the blocks have {} coordinates, and {} has {} entries", n, name, size));
  };
  check("T_out", data->rows, given.T_out.size());
  check("T_in", data->cols, given.T_in.size());
  data->out = std::move(given.T_out);
  data->in = std::move(given.T_in);
  data->out_inverse = inverse_of(data->out, data->rows, "T_out");
  data->in_inverse = inverse_of(data->in, data->cols, "T_in");
  data->place_out = places(given.blocks, true);
  data->place_in = places(given.blocks, false);
  for (const IsotypicBlock& block : given.blocks) data->patterns.push_back(block_pattern(block));
  data->blocks = std::move(given.blocks);
  data_ = std::move(data);
}

std::uint64_t IsotypicDecomposition::rows() const { return data_->rows; }
std::uint64_t IsotypicDecomposition::cols() const { return data_->cols; }
std::uint64_t IsotypicDecomposition::params() const { return data_->params; }
const std::vector<IsotypicBlock>& IsotypicDecomposition::blocks() const { return data_->blocks; }

struct IsotypicMap::Data {
  PreparedPattern basis;
  IsotypicDecomposition decomposition;
  RowMajorMatrix matrix;  ///< P' x P
};

namespace {

// Calls f(k, i, j, value) for every entry of every element.
template <class F>
void for_entries(const PreparedPattern& basis, const F& f) {
  if (!basis.is_tied()) {
    const auto& data = basis.sparse().data();
    for (std::uint64_t k = 0; k < data.params(); ++k)
      for (std::uint64_t e = data.element_ptr[k]; e < data.element_ptr[k + 1]; ++e)
        f(k, data.entries[e].row, data.entries[e].col, data.entries[e].value);
    return;
  }
  const TiedPattern& pattern = basis.tied();
  for (std::uint64_t i = 0; i < pattern.rows(); ++i)
    for (std::uint64_t j = 0; j < pattern.cols(); ++j) {
      const std::uint64_t code = pattern.code(i, j), P = pattern.params();
      if (code != 0) f(code <= P ? code - 1 : code - 1 - P, i, j, code <= P ? 1.0 : -1.0);
    }
}

// The first coordinate over the ring of each block is enough: column 0 of a number's real matrix is the number.
RowMajorMatrix map_matrix(const PreparedPattern& basis, const IsotypicDecomposition::Data& d) {
  RowMajorMatrix A = RowMajorMatrix::Zero(static_cast<Index>(d.params), static_cast<Index>(basis.params()));
  for_entries(basis, [&](std::uint64_t k, std::uint64_t i, std::uint64_t j, double value) {
    std::uint64_t row = 0, col = 0, p = 0;
    for (const IsotypicBlock& block : d.blocks) {
      const std::uint64_t e = block.division;
      for (std::uint64_t r = 0; r < block.copies_out; ++r)
        for (std::uint64_t c = 0; c < block.copies_in; ++c) {
          const double right = value * d.in_inverse[j * d.cols + col + c * block.degree];
          for (std::uint64_t s = 0; s < e; ++s, ++p)
            A(static_cast<Index>(p), static_cast<Index>(k)) += d.out[(row + r * block.degree + s) * d.rows + i] * right;
        }
      row += block.copies_out * block.degree;
      col += block.copies_in * block.degree;
    }
  });
  return A;
}

// T_out W T_in^{-1} of the blocks with the given parameters.
RowMajorMatrix block_matrix(const IsotypicDecomposition::Data& d, const double* theta) {
  RowMajorMatrix W = RowMajorMatrix::Zero(static_cast<Index>(d.rows), static_cast<Index>(d.cols));
  std::uint64_t row = 0, col = 0;
  for (const IsotypicBlock& block : d.blocks) {
    const std::uint64_t e = block.division;
    for (std::uint64_t r = 0; r < block.copies_out; ++r)
      for (std::uint64_t c = 0; c < block.copies_in; ++c, theta += e)
        for (std::uint64_t a = 0; a < block.degree; a += e)
          for (std::uint64_t s = 0; s < e; ++s)
            for (std::uint64_t t = 0; t < e; ++t) {
              const int entry = ring_entry(block.division, s, t);
              W(static_cast<Index>(row + r * block.degree + a + s),
                static_cast<Index>(col + c * block.degree + a + t)) = entry < 0 ? -theta[-entry - 1] : theta[entry - 1];
            }
    row += block.copies_out * block.degree;
    col += block.copies_in * block.degree;
  }
  return W;
}

// One W with random parameters is made of blocks if all are, but for a set of measure zero.
void check_blocks(const PreparedPattern& basis, const IsotypicDecomposition::Data& d, const RowMajorMatrix& A) {
  Rng rng(basis.params() * 2654435761U + d.params);
  intertwine_eigen::VectorXd theta(static_cast<Index>(basis.params()));
  for (Index k = 0; k < theta.size(); ++k) theta(k) = static_cast<double>(rng.below(2001)) / 1000 - 1;
  std::vector<double> W(d.rows * d.cols);
  materialise<double>(basis, {1, 1}, std::span<const double>(theta.data(), basis.params()), W);
  const auto M = static_cast<Index>(d.rows), N = static_cast<Index>(d.cols);
  if (M == 0 || N == 0) return;
  const RowMajorMatrix changed =
      ConstMap(d.out.data(), M, M) * ConstMap(W.data(), M, N) * ConstMap(d.in_inverse.data(), N, N);
  const intertwine_eigen::VectorXd blocks = A * theta;
  const double wrong = (changed - block_matrix(d, blocks.data())).lpNorm<intertwine_eigen::Infinity>();
  if (!(wrong <= 1e-8 * (1 + changed.lpNorm<intertwine_eigen::Infinity>())))
    throw DomainError(
        fmt::format("IsotypicMap: the weights are not made of the blocks of this decomposition (entries are "
                    "off by up to {:.2g}); the "
                    "changes of basis belong to other representations",
                    wrong));
}

std::uint64_t checked_pairs(const char* name, std::uint64_t size, std::uint64_t params, Multiplicity channels) {
  const std::uint64_t pairs = checked_product({channels.out, channels.in}, name);
  if (size != checked_product({params, pairs}, name))
    throw DomainError(fmt::format("IsotypicMap: {} has {} entries; [{}, {}, {}] are needed", name, size, params,
                                  channels.out, channels.in));
  return pairs;
}

}  // namespace

IsotypicMap::IsotypicMap(PreparedPattern basis, IsotypicDecomposition decomposition) {
  if (basis.rows() != decomposition.rows() || basis.cols() != decomposition.cols())
    throw DomainError(fmt::format("IsotypicMap: weights of {} x {} and a decomposition of {} x {}", basis.rows(),
                                  basis.cols(), decomposition.rows(), decomposition.cols()));
  checked_product({basis.params(), decomposition.params(), sizeof(double)}, "the map to the blocks");
  RowMajorMatrix A = map_matrix(basis, decomposition.data());
  check_blocks(basis, decomposition.data(), A);
  data_ = std::make_shared<Data>(Data{std::move(basis), std::move(decomposition), std::move(A)});
}

const PreparedPattern& IsotypicMap::basis() const { return data_->basis; }
const IsotypicDecomposition& IsotypicMap::decomposition() const { return data_->decomposition; }
std::span<const double> IsotypicMap::matrix() const {
  return {data_->matrix.data(), static_cast<std::size_t>(data_->matrix.size())};
}

std::vector<double> IsotypicMap::to_blocks(std::span<const double> theta, Multiplicity channels) const {
  const std::uint64_t pairs = checked_pairs("theta", theta.size(), basis().params(), channels);
  std::vector<double> out(decomposition().params() * pairs);
  if (out.empty() || theta.empty()) return out;
  const auto columns = static_cast<Index>(pairs);
  intertwine_eigen::Map<RowMajorMatrix>(out.data(), data_->matrix.rows(), columns) =
      data_->matrix * ConstMap(theta.data(), data_->matrix.cols(), columns);
  return out;
}

std::vector<double> IsotypicMap::to_basis(std::span<const double> blocks, Multiplicity channels) const {
  const std::uint64_t pairs = checked_pairs("the blocks", blocks.size(), decomposition().params(), channels);
  std::vector<double> out(basis().params() * pairs);
  if (out.empty()) return out;
  const Matrix gram = data_->matrix.transpose() * data_->matrix;
  const intertwine_eigen::LLT<Matrix> factor(gram);
  if (factor.info() != intertwine_eigen::Success)
    throw DomainError("IsotypicMap: the elements of the basis are linearly dependent");
  const auto columns = static_cast<Index>(pairs);
  intertwine_eigen::Map<RowMajorMatrix>(out.data(), data_->matrix.cols(), columns) =
      factor.solve(data_->matrix.transpose() * ConstMap(blocks.data(), data_->matrix.rows(), columns));
  return out;
}

}  // namespace intertwine
