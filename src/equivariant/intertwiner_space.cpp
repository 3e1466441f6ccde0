// Spaces of intertwiners by sparse elements.
#include "intertwine/equivariant/intertwiner_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "intertwine/equivariant/exact_values.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

using Element = IntertwinerSpace::Element;

bool element_comes_before(const Element& a, const Element& b) {
  const std::size_t common = std::min(a.place.size(), b.place.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (a.place[i] != b.place[i]) return a.place[i] < b.place[i];
    for (std::size_t c = 0; c < a.value.rows(); ++c) {
      const Integer x = a.value(c, i), y = b.value(c, i);
      if (x != y) return x < y;
    }
  }
  return a.place.size() < b.place.size();
}

/// The sign of an entry: of the real number; otherwise of its first coordinate that is not 0.
int sign_of(const IntegerMatrix& value, std::size_t e, const AbelianField& field) {
  if (value.rows() == 1) return value.sign(0, e);
  if (field.is_real()) return value_of(field, value, e).sign();
  for (std::size_t c = 0; c < value.rows(); ++c)
    if (const int sign = value.sign(c, e); sign != 0) return sign;
  return 0;
}

/// Divided by the common factor, with first entry positive.
void normalize(Element& element, const AbelianField& field) {
  Integer content = element.value.content();
  if (sign_of(element.value, 0, field) < 0) content = -content;
  if (content != 1) element.value = exact_quotient(element.value, content);
}

bool has_zero_column(const IntegerMatrix& value) {
  for (std::size_t e = 0; e < value.cols(); ++e) {
    bool zero = true;
    for (std::size_t c = 0; c < value.rows() && zero; ++c) zero = value.sign(c, e) == 0;
    if (zero) return true;
  }
  return false;
}

}  // namespace

IntertwinerSpace::IntertwinerSpace(std::uint64_t rows, std::uint64_t cols, std::vector<Element> elements,
                                   AbelianField field)
    : rows_(rows), cols_(cols), field_(std::move(field)), start_{0} {
  if (rows > max_degree || cols > max_degree)
    throw LimitError(fmt::format("IntertwinerSpace: {} x {} matrices have sides above 2^31 - 1", rows, cols));
  for (Element& element : elements) {
    const bool increasing =
        std::adjacent_find(element.place.begin(), element.place.end(), std::greater_equal<>()) == element.place.end();
    if (element.place.empty() || !increasing || element.place.back() >= rows * cols ||
        element.value.rows() != field_.degree() || element.value.cols() != element.place.size() ||
        has_zero_column(element.value))
      throw DomainError("IntertwinerSpace: an element is not a list of non-zero values at increasing places");
    normalize(element, field_);
  }
  std::sort(elements.begin(), elements.end(), element_comes_before);
  std::vector<IntegerMatrix> values;
  for (Element& element : elements) {
    for (const std::uint64_t place : element.place) {
      row_.push_back(static_cast<std::uint32_t>(place / cols));
      col_.push_back(static_cast<std::uint32_t>(place % cols));
    }
    values.push_back(std::move(element.value));
    start_.push_back(row_.size());
  }
  values_ = values.empty() ? IntegerMatrix(field_.degree(), 0) : horizontal_stack(values);
}

IntertwinerSpace::IntertwinerSpace(const OrbitalPattern& pattern, const Task& task)
    : rows_(pattern.rows()), cols_(pattern.cols()), start_{0} {
  // The parameters are in canonical order and + at their smallest entry already.
  for (const std::int64_t size : pattern.orbit_size(task))
    start_.push_back(start_.back() + static_cast<std::uint64_t>(size));
  task.require_memory(16 * start_.back(), "the entries of all basis elements");
  row_.resize(start_.back());
  col_.resize(start_.back());
  values_ = IntegerMatrix(1, start_.back());
  std::vector<std::uint64_t> next(start_.begin(), start_.end() - 1);
  const auto rows = pattern.view();
  std::vector<std::int32_t> codes(cols_);
  const auto P = static_cast<std::int32_t>(pattern.params());
  for (std::uint32_t i = 0; i < rows_; ++i) {
    task.poll();
    rows->row(i, codes);
    for (std::uint32_t j = 0; j < cols_; ++j) {
      if (codes[j] == 0) continue;
      const std::uint64_t e = next[static_cast<std::size_t>(codes[j] > P ? codes[j] - P - 1 : codes[j] - 1)]++;
      row_[e] = i;
      col_[e] = j;
      values_.set(0, e, codes[j] > P ? -1L : 1L);
    }
  }
}

SparseMatrix IntertwinerSpace::operator[](std::uint64_t k) const {
  if (k >= params()) throw DomainError(fmt::format("basis element {} of {} (0-based)", k, params()));
  if (!field_.is_rational())
    throw DomainError("IntertwinerSpace: the elements are over " + field_.to_string() +
                      ", not rational; ask for the values of their entries");
  std::vector<SparseMatrix::Entry> entries;
  for (std::uint64_t e = start_[k]; e < start_[k + 1]; ++e)
    entries.push_back({row_[e], col_[e], Rational(values_(0, e))});
  return {rows_, cols_, std::move(entries)};
}

Cyclotomic IntertwinerSpace::value(std::uint64_t e) const {
  return field_.is_rational() ? Cyclotomic(values_(0, e)) : value_of(field_, values_, e);
}

IntertwinerSpace IntertwinerSpace::over(const AbelianField& K) const {
  if (K == field_) return *this;
  std::vector<Element> all = elements();
  for (Element& element : all) {
    const std::size_t width = element.place.size();
    const FieldMatrix values(field_, RationalMatrix(element.value.reshape(1, field_.degree() * width)), width);
    element.value = values.over(K).coefficients().numerator().reshape(K.degree(), width);
  }
  return {rows_, cols_, std::move(all), K};
}

IntertwinerSpace::Element IntertwinerSpace::element(std::uint64_t k) const {
  if (k >= params()) throw DomainError(fmt::format("basis element {} of {} (0-based)", k, params()));
  Element result;
  for (std::uint64_t e = start_[k]; e < start_[k + 1]; ++e)
    result.place.push_back(std::uint64_t{row_[e]} * cols_ + col_[e]);
  result.value = values_.block(0, start_[k], values_.rows(), start_[k + 1] - start_[k]);
  return result;
}

std::vector<IntertwinerSpace::Element> IntertwinerSpace::elements() const {
  std::vector<Element> all;
  for (std::uint64_t k = 0; k < params(); ++k) all.push_back(element(k));
  return all;
}

double IntertwinerSpace::density() const {
  const double all = static_cast<double>(params()) * static_cast<double>(rows_) * static_cast<double>(cols_);
  return all == 0 ? 0 : static_cast<double>(nonzeros()) / all;
}

}  // namespace intertwine
