// Numbers of answers as arrays.
#pragma once
#include <complex>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/io/answer_arrays.hpp"
#include "intertwine/tables/data_section.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// These words about arrays, and who made them.
std::map<std::string, std::string> described(std::initializer_list<std::pair<const std::string, std::string>> more);

/// Numbers that are real or not, side by side until it is known.
class Numbers {
 public:
  Numbers(std::uint64_t count, const Task& task) {
    task.require_memory(saturated_product(2 * sizeof(std::complex<double>), count), "the numbers of the answer");
    values_.reserve(count);
  }
  void add(const Cyclotomic& a) {
    values_.push_back(a.is_rational() ? std::complex<double>(a.to_complex().real(), 0) : a.to_complex());
  }
  void add_matrix(const FieldMatrix& A, const Task& task) {
    for (std::size_t i = 0; i < A.rows(); ++i) {
      task.poll();
      for (std::size_t j = 0; j < A.cols(); ++j) add(A(i, j));
    }
  }
  AnswerArray::Values real() && {
    std::vector<double> parts;
    parts.reserve(values_.size());
    for (const std::complex<double>& a : values_) parts.push_back(a.real());
    return parts;
  }
  AnswerArray::Values complex() && { return std::move(values_); }
  AnswerArray::Values over(bool is_real) && { return is_real ? std::move(*this).real() : std::move(*this).complex(); }

 private:
  std::vector<std::complex<double>> values_;
};

/// int64 where all of them fit, otherwise the nearest doubles.
AnswerArray::Values whole_numbers(const std::vector<Integer>& numbers);

/// Adds the images of the points from 0.
void add_images(std::vector<std::int64_t>& values, const Permutation& g, std::size_t degree);

}  // namespace intertwine
