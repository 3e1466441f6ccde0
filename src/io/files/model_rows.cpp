// Models in the making.
#include "io/files/model_rows.hpp"

#include <fmt/format.h>

#include "intertwine/error.hpp"

namespace intertwine {

void ModelRows::fail(const std::string& why) const { throw FileError(name_ + ": " + why); }

void ModelRows::allow(std::uint64_t rows, const std::string& what) const {
  if (rows > most_rows - rows_)
    fail(fmt::format("{} has {} rows, and {} are the most of all together", what, rows, most_rows));
  task_.require_memory(400 * rows, "the variables of a model");
}

std::uint32_t ModelRows::add(std::uint32_t rows, bool diagonal) {
  allow(rows, "a block");
  blocks_.push_back({rows, diagonal});
  rows_ += rows;
  return rows_ - rows;
}

std::size_t ModelRows::declare(std::string name) {
  variables_.push_back({std::move(name), false, 0, {}});
  return variables_.size() - 1;
}

void ModelRows::declare_matrix(std::string name, std::uint32_t first_row) {
  variables_.push_back({std::move(name), true, first_row, {}});
}

void ModelRows::place(std::size_t variable, std::uint32_t row, std::uint32_t col, int sign) {
  variables_[variable].places = {{row, col, sign}};
}

void ModelRows::make_free(std::size_t variable) {
  const std::uint32_t at = add(2, true);
  variables_[variable].places = {{at, at, 1}, {at + 1, at + 1, -1}};
}

ModelRows::Form ModelRows::form(const Terms& terms) const {
  Form found;
  for (const auto& [variable, x] : terms)
    for (const sdp::SymmetricEntry& e : variables_[variable].places) {
      const Rational value = x * e.value;
      // Entries (i, j) and (j, i) of X are one number, and both take half of it.
      found[{e.row, e.col}] += e.row == e.col ? value : Rational(value / 2);
    }
  return found;
}

void ModelRows::equal(Form form, const Rational& value) {
  sdp::SymmetricMatrix A;
  A.reserve(form.size());
  for (auto& [at, x] : form)
    if (x != 0) A.push_back({at.first, at.second, std::move(x)});
  matrices_.push_back(std::move(A));
  right_.push_back(value);
}

void ModelRows::in_cone(const std::vector<Affine>& values, LinearCone cone) {
  if (cone == LinearCone::free || values.empty()) return;
  std::uint32_t at = cone == LinearCone::zero ? 0 : add(static_cast<std::uint32_t>(values.size()), true);
  for (const Affine& value : values) {
    task_.poll();
    Form form = value.form;
    if (cone != LinearCone::zero) form[{at, at}] += cone == LinearCone::nonnegative ? -1 : 1;
    ++at;
    equal(std::move(form), -value.constant);
  }
}

void ModelRows::in_psd(const std::function<Affine(std::uint32_t, std::uint32_t)>& entry, std::uint32_t n) {
  constexpr std::uint64_t bytes_of_equation = 250;
  const std::uint64_t equations = matrices_.size() + std::uint64_t{n} * (n + 1) / 2;
  if (equations > most_rows)
    fail(fmt::format("a matrix of {} rows makes {} equations with those before it, and {} are the most", n, equations,
                     most_rows));
  task_.require_memory(bytes_of_equation * equations, "the equations of a model");
  const std::uint32_t at = add(n, false);
  for (std::uint32_t j = 0; j < n; ++j) {
    task_.poll();
    for (std::uint32_t i = 0; i <= j; ++i) {
      Affine value = entry(i, j);
      value.form[{at + i, at + j}] += i == j ? Rational(-1) : Rational(-1, 2);
      equal(std::move(value.form), -value.constant);
    }
  }
}

sdp::Model ModelRows::made(const Affine& objective, bool maximize) && {
  if (rows_ == 0) fail("the problem has no variable");
  sdp::SymmetricMatrix C;
  for (const auto& [at, x] : objective.form)
    if (x != 0) C.push_back({at.first, at.second, maximize ? Rational(-x) : x});
  try {
    return {sdp::Problem(std::move(blocks_), std::move(C), std::move(matrices_), std::move(right_)), maximize,
            objective.constant, std::move(variables_)};
  } catch (const DomainError& e) {
    fail(e.what());
  }
}

}  // namespace intertwine
