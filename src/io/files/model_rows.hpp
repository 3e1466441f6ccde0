// A model in the making: blocks of rows, variables by their places, and equations.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/exact/integer.hpp"
#include "intertwine/sdp/model.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The cone in which a vector of affine forms has to lie.
enum class LinearCone { zero, nonnegative, nonpositive, free };

class ModelRows {
 public:
  using Place = std::pair<std::uint32_t, std::uint32_t>;
  using Form = std::map<Place, Rational>;  ///< a linear form on X, by the upper triangle of its matrix
  struct Affine {
    Form form;
    Rational constant;
  };
  using Terms = std::vector<std::pair<std::size_t, Rational>>;  ///< numbers of variables, and coefficients

  static constexpr std::uint64_t most_rows = 10'000'000;

  /// \param name  of the file, for messages
  ModelRows(std::string name, const Task& task) : name_(std::move(name)), task_(task) {}

  /// \throws FileError where these rows are too many, together with those before
  void allow(std::uint64_t rows, const std::string& what) const;
  /// A new block, and its first row.
  std::uint32_t add(std::uint32_t rows, bool diagonal);
  /// A new variable without a place.
  std::size_t declare(std::string name);
  void declare_matrix(std::string name, std::uint32_t first_row);
  /// Gives a variable its only place.
  void place(std::size_t variable, std::uint32_t row, std::uint32_t col, int sign);
  /// The variable is the difference of two rows of its own.
  void make_free(std::size_t variable);

  Form form(const Terms& terms) const;
  void equal(Form form, const Rational& value);
  /// Equations for zero, and with slack variables for signs; nothing for free.
  void in_cone(const std::vector<Affine>& values, LinearCone cone);
  /// A matrix of affine forms (i, j), i <= j, is positive semidefinite: it is a block of its own.
  void in_psd(const std::function<Affine(std::uint32_t, std::uint32_t)>& entry, std::uint32_t n);
  sdp::Model made(const Affine& objective, bool maximize) &&;

  [[noreturn]] void fail(const std::string& why) const;

 private:
  std::string name_;
  const Task& task_;
  std::vector<sdp::Block> blocks_;
  std::uint32_t rows_ = 0;
  std::vector<sdp::SymmetricMatrix> matrices_;
  std::vector<Rational> right_;
  std::vector<sdp::ModelVariable> variables_;
};

}  // namespace intertwine
