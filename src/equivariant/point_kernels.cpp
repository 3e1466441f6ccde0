// Steerable kernels under finite groups.
#include "intertwine/equivariant/point_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "intertwine/combinatorics/exponents.hpp"
#include "intertwine/error.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"

namespace intertwine {

namespace {

/// V without a multiplicity in front, and that.
std::pair<std::uint64_t, Representation> as_multiple(const Representation& V) {
  const auto parts = V.summands();
  if (parts.size() == 1 && parts.front().multiplicity > 0)
    return {parts.front().multiplicity, parts.front().representation};
  return {1, V};
}

void require_representation(const OrthogonalAction& group, const Representation& V) {
  if (!(V.group() == group.group()))
    throw DomainError(fmt::format("{} is a representation of {}; kernels of {} take those of {}", V.to_string(),
                                  V.group().name(), group.name(), group.group().name()));
}

/// The elements W of Hom(V, harmonic(L) (x) U), rows (h, i), with polynomials for the vectors h: rows are monomials, columns (i, j).
IntertwinerSpace polynomial_kernels(const IntertwinerSpace& maps, const HarmonicPolynomials& harmonics, std::uint64_t m,
                                    const Task& task) {
  const std::uint64_t n = maps.cols(), monomials = harmonics.monomials.size();
  const IntegerMatrix& basis = harmonics.basis.numerator();  // one common denominator: elements are scaled anyway
  std::vector<std::vector<std::size_t>> support(basis.rows());
  for (std::size_t h = 0; h < basis.rows(); ++h)
    for (std::size_t a = 0; a < basis.cols(); ++a)
      if (basis.sign(h, a) != 0) support[h].push_back(a);
  const std::size_t f = maps.values().rows();
  std::vector<IntertwinerSpace::Element> elements;
  for (std::uint64_t k = 0; k < maps.params(); ++k) {
    task.poll();
    std::map<std::uint64_t, std::vector<Integer>> sums;
    for (std::uint64_t e = maps.start()[k]; e < maps.start()[k + 1]; ++e) {
      const std::uint64_t h = maps.row()[e] / m, column = maps.row()[e] % m * n + maps.col()[e];
      for (const std::size_t a : support[h]) {
        auto& sum = sums.try_emplace(a * m * n + column, std::vector<Integer>(f)).first->second;
        for (std::size_t c = 0; c < f; ++c) sum[c] += basis(h, a) * maps.values()(c, e);
      }
    }
    std::erase_if(sums, [](const auto& entry) {
      return std::all_of(entry.second.begin(), entry.second.end(), [](const Integer& c) { return c == 0; });
    });
    IntertwinerSpace::Element element;
    std::vector<Integer> values(f * sums.size());
    std::size_t at = 0;
    for (const auto& [place, sum] : sums) {
      element.place.push_back(place);
      for (std::size_t c = 0; c < f; ++c) values[c * sums.size() + at] = sum[c];
      ++at;
    }
    element.value = IntegerMatrix(f, sums.size(), values);
    elements.push_back(std::move(element));
  }
  return {monomials, m * n, std::move(elements), maps.field()};
}

/// The first element whose sum of second derivatives is not 0; nothing if all are harmonic.
std::optional<std::uint64_t> first_that_is_not_harmonic(const PointKernels::Degree& part, const Task& task) {
  const IntertwinerSpace& kernels = part.kernels;
  const std::size_t f = kernels.values().rows();
  for (std::uint64_t k = 0; k < kernels.params(); ++k) {
    task.poll();
    std::map<std::pair<std::vector<unsigned>, std::uint32_t>, std::vector<Integer>> sums;
    for (std::uint64_t e = kernels.start()[k]; e < kernels.start()[k + 1]; ++e)
      for_each_second_derivative(
          part.monomials[kernels.row()[e]], [&](std::size_t, const auto& less, std::uint64_t factor) {
            auto& sum = sums.try_emplace({less, kernels.col()[e]}, std::vector<Integer>(f)).first->second;
            for (std::size_t c = 0; c < f; ++c) sum[c] += Integer(factor) * kernels.values()(c, e);
          });
    for (const auto& [place, sum] : sums)
      if (std::any_of(sum.begin(), sum.end(), [](const Integer& c) { return c != 0; })) return k;
  }
  return std::nullopt;
}

void verify_degree(const PointKernels& kernels, const PointKernels::Degree& part, std::uint64_t number,
                   const Task& task) {
  if (!are_exponents_of(part.monomials, kernels.group.dimension(), part.degree))
    throw VerificationError(
        fmt::format("the kernels of degree {} are not given at all monomials of this degree", part.degree));
  // kappa(g x) = rho(g) kappa(x), the coefficients at the monomials a: Sym^L of orthogonal matrices acts on the rows as g does on
  // the columns (i, j) of U* (x) V.
  const Representation columns = dual(kernels.target) * kernels.source,
                       rows = sym(part.degree, kernels.group.matrices());
  if (part.kernels.rows() != part.monomials.size() || part.kernels.cols() != columns.dimension())
    throw VerificationError(fmt::format("the kernels of degree {} are no maps from {} to {} at every monomial",
                                        part.degree, kernels.source.to_string(), kernels.target.to_string()));
  if (const auto k = first_that_does_not_commute(part.kernels, columns, rows, task))
    throw VerificationError(fmt::format("kernel {} (0-based) is not equivariant", number + *k));
  if (const auto k = first_that_is_not_harmonic(part, task))
    throw VerificationError(fmt::format("kernel {} (0-based) is not harmonic", number + *k));
  if (!are_independent(part.kernels, task))
    throw VerificationError(fmt::format("the kernels of degree {} are linearly dependent", part.degree));
}

}  // namespace

OrthogonalAction::OrthogonalAction(Representation A, std::string name)
    : matrices_(std::move(A)), name_(std::move(name)) {
  const std::uint64_t n = matrices_.dimension();
  const std::string text = matrices_.to_string(), group_name = matrices_.group().name();
  if (n < 2 || n > max_harmonic_variables)
    throw DomainError(fmt::format("{} of {} has dimension {}; kernels with angles are on R^n for n from 2 to {}", text,
                                  group_name, n, max_harmonic_variables));
  if (!matrices_.field().is_real())
    throw DomainError(fmt::format("{} of {} is over {}, and R^{} is turned by real matrices", text, group_name,
                                  matrices_.field().to_string(), n));
  for (const Permutation& g : group().generators()) {
    const FieldMatrix M = matrices_.field_matrix(g);
    if (!(M.transpose() * M == FieldMatrix::identity(M.field(), n)))
      throw DomainError(fmt::format(
          "{} of {} is not by orthogonal matrices; cartesian is, where the group has coordinates", text, group_name));
  }
  if (name_.empty()) name_ = fmt::format("R^{} : {}{}", n, group_name, text == "cartesian" ? "" : " by " + text);
}

std::uint64_t PointKernels::params() const {
  std::uint64_t sum = 0;
  for (const Degree& part : degrees) sum += part.params();
  return sum;
}

AbelianField PointKernels::field() const {
  AbelianField K = AbelianField::compositum(group.matrices().field(), source.field());
  return AbelianField::compositum(K, target.field());
}

PointKernelCount::PointKernelCount(const OrthogonalAction& group, Representation V, Representation U, const Task& task)
    : matrices_(group.matrices()), source_(std::move(V)), target_(std::move(U)), task_(task) {}

const CountedDimension& PointKernelCount::symmetric(unsigned degree) {
  const auto found = symmetric_.find(degree);
  if (found != symmetric_.end()) return found->second;
  return symmetric_.emplace(degree, hom_dimension(sym(degree, matrices_) * source_, target_, task_)).first->second;
}

CountedDimension PointKernelCount::operator()(unsigned degree) {
  CountedDimension count = symmetric(degree);
  if (degree >= 2) count.dimension -= symmetric(degree - 2).dimension;
  return count;
}

PointKernels point_kernels(const OrthogonalAction& group, const Representation& V, const Representation& U,
                           unsigned most, const Task& task) {
  for (const auto* side : {&V, &U}) require_representation(group, *side);
  if (most > max_kernel_degree)
    throw DomainError(fmt::format("kernels are found up to degree {}, not {}", max_kernel_degree, most));
  const auto [in, source] = as_multiple(V);
  const auto [out_channels, target] = as_multiple(U);
  PointKernels out{group, source, target, {out_channels, in}, most, {}};
  PointKernelCount counted(group, source, target, task);
  for (unsigned degree = 0; degree <= most; ++degree) {
    task.progress("kernels by degree", degree, std::uint64_t{most} + 1);
    CountedDimension count = counted(degree);
    if (count.dimension == 0) continue;
    HarmonicPolynomials harmonics = harmonic_polynomials(group.dimension(), degree, task);
    const Representation values =
        degree == 0 ? target : harmonic_representation(group.matrices(), degree, task) * target;
    const IntertwinerSpace maps = intertwiner_space(source, values, task);
    task.require_memory(maps.nonzeros() * harmonics.monomials.size() * 64 * maps.field().degree(),
                        "the polynomials of kernels");
    IntertwinerSpace kernels = polynomial_kernels(maps, harmonics, target.dimension(), task);
    out.degrees.push_back({degree, std::move(harmonics.monomials), std::move(kernels), std::move(count)});
  }
  try {
    verify(out, task);
  } catch (const VerificationError& e) {
    throw InternalError(e.what());
  }
  return out;
}

void verify(const PointKernels& kernels, const Task& task) {
  std::uint64_t number = 0;
  auto part = kernels.degrees.begin();
  PointKernelCount counted(kernels.group, kernels.source, kernels.target, task);
  for (unsigned degree = 0; degree <= kernels.most; ++degree) {
    task.progress("checking kernels", degree, std::uint64_t{kernels.most} + 1);
    std::uint64_t found = 0;
    if (part != kernels.degrees.end() && part->degree == degree) {
      verify_degree(kernels, *part, number, task);
      found = part++->params();
      number += found;
    }
    if (const Integer count = counted(degree).dimension; count != found)
      throw VerificationError(
          fmt::format("there are {} kernels of degree {}, but characters count {}", found, degree, count.str()));
  }
  if (part != kernels.degrees.end())
    throw VerificationError(
        fmt::format("kernels of degree {} stand after degree {}: degrees increase, up to the one that was asked for",
                    part->degree, kernels.most));
}

}  // namespace intertwine
