// Reads the axes that a tensor is wanted in.
#include "intertwine/io/tensor_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/exact/cyclotomic_inverse.hpp"
#include "intertwine/exact/square_root.hpp"
#include "io/containers/text.hpp"
#include "io/expressions/atom_words.hpp"

namespace intertwine {

namespace {

using ExactVector = std::array<Cyclotomic, 3>;
using ExactAxes = std::array<ExactVector, 3>;

constexpr std::string_view axes_shapes =
    "nine numbers X,Y,Z of three directions, as in 1,1,0,-1,1,0,0,0,1, 'zxz 30,45,60' with Euler's angles in "
    "degrees, or 'turn 45 about 1,1,1'";

/// A number as it was written: exact, or a decimal and what is said of it.
struct AxesNumber {
  std::optional<Cyclotomic> exact;
  double value;
  std::string inexact;
};

AxesNumber axes_number(std::string_view word, const Task& task) {
  try {
    const Cyclotomic x = parse_cyclotomic(word, task);
    if (!x.is_real()) throw DomainError(fmt::format("axes: {} is not real", shown(word, 40)));
    return {x, x.to_complex().real(), {}};
  } catch (const ParseError& error) {
    const std::optional<double> value = decimal_number(word);
    if (!value) throw DomainError(fmt::format("axes: {}", error.what()));
    return {std::nullopt, *value, error.what()};
  }
}

/// The rational number that decimal digits say, "22.5"; nothing for more than nine digits behind the point.
std::optional<Rational> rational_of_decimal(std::string_view word) {
  const std::size_t point = word.find('.');
  if (point == std::string_view::npos || word.size() > 20 || word.size() - point > 10) return std::nullopt;
  std::string digits(word);
  digits.erase(point, 1);
  const bool minus = digits.starts_with('-');
  if (minus) digits.erase(0, 1);
  if (digits.empty() || !std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
  Integer scale = 1;
  for (std::size_t k = point + 1; k < word.size(); ++k) scale *= 10;
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  const Rational value(Integer(digits), scale);
  return minus ? -value : value;
}

/// cos and sin of an angle in degrees.
std::pair<Cyclotomic, Cyclotomic> cosine_and_sine(std::string_view word, const Task& task) {
  std::optional<Rational> angle = rational_of_decimal(word);
  if (!angle) {
    const AxesNumber x = axes_number(word, task);
    if (!x.exact || !x.exact->is_rational())
      throw DomainError(
          fmt::format("axes: an angle is a rational number of degrees, as 45 or 45/2, and not {}", shown(word, 40)));
    angle = x.exact->to_rational();
  }
  const Rational turns = *angle / 360;
  // Fields of roots of this order are small enough for tensors of rank 6.
  constexpr unsigned largest = 360;
  if (denominator(turns) > largest)
    throw DomainError(
        fmt::format("axes: the cosine of {} degrees lies in a field of roots of unity of order {}, and "
                    "angles are exact up "
                    "to {}; round the angle to a degree",
                    shown(word, 40), denominator(turns).str(), largest));
  const auto n = denominator(turns).convert_to<std::uint32_t>();
  const Integer rest = numerator(turns) % n;
  const Cyclotomic z = Cyclotomic::root_of_unity(n, rest.convert_to<std::int64_t>()), w = z.conjugate();
  const Cyclotomic half(Rational(1, 2));
  return {half * (z + w), half * Cyclotomic::root_of_unity(4, -1) * (z - w)};
}

Cyclotomic dot_of(const ExactVector& a, const ExactVector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

ExactVector unit_of(const ExactVector& v, std::string_view which, const Task& task) {
  const Cyclotomic square = dot_of(v, v);
  if (square.is_zero()) throw DomainError(fmt::format("axes: {} is 0, which is no direction", which));
  if (square == Cyclotomic(1)) return v;
  std::optional<Cyclotomic> length;
  try {
    length = cyclotomic_square_root(square, task);
  } catch (const DomainError&) {
    length = std::nullopt;
  }
  if (!length)
    throw DomainError(
        fmt::format("axes: the length of {}, the root of {}, lies in no abelian field; scale the direction to "
                    "length 1, or take one with a rational square",
                    which, to_string(square)));
  const Cyclotomic scale = inverse(*length, task);
  return {scale * v[0], scale * v[1], scale * v[2]};
}

/// The matrix of the turn about a unit vector: Rodrigues' formula.
ExactAxes turn_about(const ExactVector& n, const std::pair<Cyclotomic, Cyclotomic>& angle) {
  const auto& [c, s] = angle;
  ExactAxes R;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      R[i][j] = (Cyclotomic(1) - c) * n[i] * n[j];
      if (i == j) R[i][j] += c;
    }
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    R[k][j] += s * n[i];
    R[j][k] -= s * n[i];
  }
  return R;
}

ExactAxes rotation_product(const ExactAxes& A, const ExactAxes& B) {
  ExactAxes C;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) C[i][j] += A[i][k] * B[k][j];
  return C;
}

/// The axes that a rotation takes those of the form to: its columns.
TensorAxes axes_of_rotation(const ExactAxes& R) {
  TensorAxes axes;
  std::vector<Cyclotomic> entries;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      entries.push_back(R[j][i]);
      axes.directions[i][j] = R[j][i].to_complex().real();
    }
  axes.exact = FieldMatrix(3, 3, entries);
  return axes;
}

/// The words between blanks and commas.
std::vector<std::string> words_of_axes(std::string_view text) {
  std::vector<std::string> words{""};
  for (const char c : text) {
    const bool between = c == ',' || c == ' ' || c == '\t' || c == ':' || c == ';' || c == '[' || c == ']';
    if (!between)
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

TensorAxes axes_of_directions(const std::vector<std::string>& words, const Task& task) {
  std::vector<AxesNumber> numbers;
  for (const std::string& word : words) numbers.push_back(axes_number(word, task));
  TensorAxes axes;
  for (std::size_t k = 0; k < 9; ++k) {
    axes.directions[k / 3][k % 3] = numbers[k].value;
    if (!numbers[k].exact && axes.inexact.empty()) axes.inexact = numbers[k].inexact;
  }
  if (!axes.inexact.empty()) return axes;
  ExactAxes rows;
  for (std::size_t i = 0; i < 3; ++i)
    rows[i] = unit_of({*numbers[3 * i].exact, *numbers[3 * i + 1].exact, *numbers[3 * i + 2].exact},
                      fmt::format("direction {}", i + 1), task);
  for (std::size_t i = 0; i < 3; ++i)
    if (!dot_of(rows[i], rows[(i + 1) % 3]).is_zero())
      throw DomainError(fmt::format("axes: directions {} and {} are not at right angles", i + 1, (i + 1) % 3 + 1));
  Cyclotomic volume;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    volume += rows[0][i] * (rows[1][j] * rows[2][k] - rows[1][k] * rows[2][j]);
  }
  if (volume != Cyclotomic(1))
    throw DomainError("axes: these three directions are left-handed; exchange two of them, or turn one round");
  std::vector<Cyclotomic> entries;
  for (const ExactVector& row : rows) entries.insert(entries.end(), row.begin(), row.end());
  axes.exact = FieldMatrix(3, 3, entries);
  return axes;
}

}  // namespace

TensorAxes parse_tensor_axes(std::string_view text, const Task& task) {
  std::vector<std::string> words = words_of_axes(text);
  if (words.size() == 9) return axes_of_directions(words, task);
  const std::string kind = words.empty() ? "" : words.front();
  if ((kind == "zxz" || kind == "zyz") && words.size() == 4) {
    const std::size_t middle = kind == "zxz" ? 0 : 1;
    ExactVector second{};
    second[middle] = 1;
    const ExactVector z{0, 0, 1};
    const ExactAxes first = turn_about(z, cosine_and_sine(words[1], task)),
                    third = turn_about(z, cosine_and_sine(words[3], task));
    return axes_of_rotation(
        rotation_product(rotation_product(first, turn_about(second, cosine_and_sine(words[2], task))), third));
  }
  if (kind == "turn" && words.size() == 6 && words[2] == "about") {
    ExactVector axis;
    for (std::size_t i = 0; i < 3; ++i) {
      const AxesNumber x = axes_number(words[3 + i], task);
      if (!x.exact) throw DomainError("axes: " + x.inexact);
      axis[i] = *x.exact;
    }
    return axes_of_rotation(turn_about(unit_of(axis, "the axis of the turn", task), cosine_and_sine(words[1], task)));
  }
  throw DomainError(fmt::format("axes are {}, and not '{}'", axes_shapes, shown(text, 60)));
}

}  // namespace intertwine
