// Semidefinite programs in CBF, as MOSEK and CBLIB have it.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/model_file.hpp"
#include "io/containers/text.hpp"
#include "io/files/model_rows.hpp"
#include "io/files/written_number.hpp"

namespace intertwine {

namespace {

using CbfPlace = ModelRows::Place;

struct ConeOfCbf {
  LinearCone cone;
  std::uint64_t size;
};

/// A matrix of affine forms by its entries: terms of variables, and constants.
struct CbfMatrix {
  std::map<CbfPlace, ModelRows::Terms> terms;
  std::map<CbfPlace, Rational> constants;
};

class CbfReader {
 public:
  CbfReader(const std::string& text, const std::string& name, const Task& task)
      : text_(text), name_(name), task_(task), rows_(name, task) {}

  sdp::Model read() {
    for (Words words = next(); !words.empty(); words = next()) {
      const std::string key(words[0]);
      if (!seen_.insert(key).second) fail(shown(key, 20) + " is there twice");
      section(key);
    }
    return made();
  }

 private:
  using Words = std::vector<std::string_view>;
  struct MatrixTerm {
    std::size_t matrix;
    CbfPlace at;
    Rational value;
  };

  [[noreturn]] void fail(const std::string& why) const {
    throw FileError(fmt::format("{}, line {}: {}", name_, line_, why));
  }

  /// The words of the next line that says something; none at the end.
  Words next() {
    while (at_ < text_.size()) {
      if (++line_ % 256 == 0) task_.poll();
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      std::string_view line = std::string_view(text_).substr(at_, end - at_);
      line = line.substr(0, line.find('#'));
      at_ = end + 1;
      Words words;
      for (std::size_t k = 0; k < line.size();) {
        if (std::isspace(static_cast<unsigned char>(line[k])) != 0) {
          ++k;
          continue;
        }
        const std::size_t begin = k;
        while (k < line.size() && std::isspace(static_cast<unsigned char>(line[k])) == 0) ++k;
        words.push_back(line.substr(begin, k - begin));
      }
      if (!words.empty()) return words;
    }
    return {};
  }
  Words next(const std::string& what) {
    Words words = next();
    if (words.empty()) throw FileError(fmt::format("{}: the file ends before {}", name_, what));
    return words;
  }
  static std::string joined(const Words& words) {
    std::string text;
    for (const std::string_view word : words) {
      if (text.size() > 60) break;
      text += (text.empty() ? "" : " ") + std::string(word.substr(0, 60));
    }
    return shown(text, 60);
  }
  static std::optional<std::uint64_t> whole(std::string_view word, std::size_t digits) {
    if (word.empty() || word.size() > digits || word.find_first_not_of("0123456789") != std::string_view::npos)
      return std::nullopt;
    std::uint64_t value = 0;
    for (const char c : word) value = 10 * value + static_cast<std::uint64_t>(c - '0');
    return value;
  }
  std::vector<std::uint64_t> counts(const std::string& what, std::size_t n) {
    const Words words = next(what);
    std::vector<std::uint64_t> found;
    for (const std::string_view word : words)
      if (const auto value = whole(word, 12)) found.push_back(*value);
    if (words.size() != n || found.size() != n)
      fail(fmt::format("{} is {} whole number{}, not {}", what, n, n > 1 ? "s" : "", joined(words)));
    return found;
  }
  Rational number(std::string_view word, const char* what) const {
    const auto value = written_number(word);
    if (!value) fail(fmt::format("{} is {}, which is no number", what, shown(word, 40)));
    return *value;
  }

  std::vector<ConeOfCbf> cones(const std::string& what) {
    static const std::map<std::string_view, LinearCone> known = {{"F", LinearCone::free},
                                                                 {"L=", LinearCone::zero},
                                                                 {"L+", LinearCone::nonnegative},
                                                                 {"L-", LinearCone::nonpositive}};
    const std::vector<std::uint64_t> head = counts(what, 2);
    rows_.allow(head[0], what);
    std::vector<ConeOfCbf> found;
    std::uint64_t total = 0;
    for (std::uint64_t k = 0; k < head[1]; ++k) {
      const Words words = next("a cone");
      const auto size = words.size() == 2 ? whole(words[1], 9) : std::nullopt;
      if (!size) fail("a cone is a name and a size, not " + joined(words));
      const auto cone = known.find(words[0]);
      if (cone == known.end())
        fail(
            fmt::format("the cone {} is none that is reduced: F, L=, L+ and L- are, and matrices in PSDVAR and "
                        "PSDCON",
                        shown(words[0], 20)));
      found.push_back({cone->second, *size});
      total += *size;
    }
    if (total != head[0]) fail(fmt::format("the cones of {} have other sizes together than {}", what, head[0]));
    return found;
  }

  /// Lines of indices and a number, every place once.
  template <class Take>
  void coordinates(const std::string& what, const std::vector<std::uint64_t>& bounds, Take take) {
    const std::uint64_t count = counts("the number of lines of " + what, 1)[0];
    std::set<std::vector<std::uint64_t>> seen;
    for (std::uint64_t line = 0; line < count; ++line) {
      const Words words = next("a line of " + what);
      std::vector<std::uint64_t> indices;
      for (std::size_t k = 0; k + 1 < words.size(); ++k)
        if (const auto index = whole(words[k], 9)) indices.push_back(*index);
      if (words.size() != bounds.size() + 1 || indices.size() != bounds.size())
        fail(fmt::format("a line of {} is {} {} and a number, not {}", what, bounds.size(),
                         bounds.size() == 1 ? "index" : "indices", joined(words)));
      for (std::size_t k = 0; k < bounds.size(); ++k) {
        if (indices[k] < bounds[k]) continue;
        if (bounds[k] == 0) fail(fmt::format("{} has an index into a list that is empty", what));
        fail(fmt::format("an index of {} is {}, and goes from 0 to {}", what, indices[k], bounds[k] - 1));
      }
      if (!seen.insert(indices).second) fail(fmt::format("a place of {} is there twice", what));
      take(indices, number(words.back(), "the number"));
    }
  }
  CbfPlace place(const std::vector<std::uint64_t>& sizes, std::uint64_t which, std::uint64_t k, std::uint64_t m) const {
    if (std::max(k, m) >= sizes[which])
      fail(fmt::format("the place ({}, {}) is outside of a matrix of {} rows", k, m, sizes[which]));
    return {static_cast<std::uint32_t>(std::min(k, m)), static_cast<std::uint32_t>(std::max(k, m))};
  }

  void section(const std::string& key) {
    constexpr std::uint64_t any = ModelRows::most_rows;
    const std::uint64_t equations = scalar_.size() - 1;
    using Indices = std::vector<std::uint64_t>;
    if (key == "VER") {
      const std::uint64_t version = counts("the version", 1)[0];
      if (version < 1 || version > 4) fail(fmt::format("version {} is none of 1 to 4", version));
    } else if (key == "OBJSENSE") {
      const Words sense = next("the sense");
      if (sense.size() != 1 || (sense[0] != "MIN" && sense[0] != "MAX"))
        fail("the sense is MIN or MAX, not " + joined(sense));
      maximize_ = sense[0] == "MAX";
    } else if (key == "PSDVAR" || key == "PSDCON") {
      const std::uint64_t count = counts(fmt::format("the number of matrices of {}", key), 1)[0];
      std::vector<std::uint64_t>& sizes = key == "PSDVAR" ? psd_variables_ : psd_constraints_;
      std::uint64_t total = 0;
      for (std::uint64_t k = 0; k < count; ++k) {
        sizes.push_back(counts("the size of a matrix", 1)[0]);
        if (sizes.back() == 0) fail("a matrix has no rows");
        rows_.allow(total += sizes.back(), key);
      }
      lmi_.resize(psd_constraints_.size());
    } else if (key == "VAR") {
      variables_ = cones(key);
      for (const ConeOfCbf& cone : variables_) count_ += cone.size;
    } else if (key == "CON") {
      constraints_ = cones(key);
      std::uint64_t total = 1;
      for (const ConeOfCbf& cone : constraints_) total += cone.size;
      scalar_.resize(total);
      matrix_.resize(total);
      constant_.resize(total);
    } else if (key == "OBJFCOORD") {
      coordinates(key, {psd_variables_.size(), any, any}, [&](const Indices& i, Rational x) {
        matrix_[0].push_back({i[0], place(psd_variables_, i[0], i[1], i[2]), std::move(x)});
      });
    } else if (key == "OBJACOORD") {
      coordinates(key, {count_}, [&](const Indices& i, Rational x) { scalar_[0].emplace_back(i[0], std::move(x)); });
    } else if (key == "OBJBCOORD") {
      const Words words = next("the constant");
      constant_[0] = number(words.size() == 1 ? words[0] : std::string_view(joined(words)), "the constant");
    } else if (key == "FCOORD") {
      coordinates(key, {equations, psd_variables_.size(), any, any}, [&](const Indices& i, Rational x) {
        matrix_[i[0] + 1].push_back({i[1], place(psd_variables_, i[1], i[2], i[3]), std::move(x)});
      });
    } else if (key == "ACOORD") {
      coordinates(key, {equations, count_},
                  [&](const Indices& i, Rational x) { scalar_[i[0] + 1].emplace_back(i[1], std::move(x)); });
    } else if (key == "BCOORD") {
      coordinates(key, {equations}, [&](const Indices& i, Rational x) { constant_[i[0] + 1] = std::move(x); });
    } else if (key == "HCOORD") {
      coordinates(key, {lmi_.size(), count_, any, any}, [&](const Indices& i, Rational x) {
        ModelRows::Terms& terms = lmi_[i[0]].terms[place(psd_constraints_, i[0], i[2], i[3])];
        for (const auto& term : terms)
          if (term.first == i[1]) fail_twice(i[2], i[3], "a matrix");
        terms.emplace_back(i[1], std::move(x));
      });
    } else if (key == "DCOORD") {
      coordinates(key, {lmi_.size(), any, any}, [&](const Indices& i, Rational x) {
        if (!lmi_[i[0]].constants.emplace(place(psd_constraints_, i[0], i[1], i[2]), std::move(x)).second)
          fail_twice(i[1], i[2], "a matrix");
      });
    } else if (key == "INT") {
      fail("INT makes variables whole numbers, which no symmetry reduction keeps: leave it out");
    } else {
      fail(shown(key, 20) + " is no keyword that is reduced");
    }
  }
  [[noreturn]] void fail_twice(std::uint64_t a, std::uint64_t b, const std::string& where) const {
    throw FileError(fmt::format("{}: entries ({}, {}) and ({}, {}) of {} are both there", name_, std::min(a, b),
                                std::max(a, b), std::max(a, b), std::min(a, b), where));
  }

  sdp::Model made() {
    for (std::size_t k = 0; k < psd_variables_.size(); ++k) {
      first_.push_back(rows_.add(static_cast<std::uint32_t>(psd_variables_[k]), false));
      rows_.declare_matrix(fmt::format("X{}", k), first_.back());
    }
    std::uint64_t number = 0;
    for (const ConeOfCbf& cone : variables_) {
      const bool has_sign = cone.cone == LinearCone::nonnegative || cone.cone == LinearCone::nonpositive;
      const std::uint32_t at = has_sign && cone.size > 0 ? rows_.add(static_cast<std::uint32_t>(cone.size), true) : 0;
      for (std::uint32_t k = 0; k < cone.size; ++k) {
        const std::size_t variable = rows_.declare(fmt::format("x{}", number++));
        numbers_.push_back(variable);
        if (cone.cone == LinearCone::free) rows_.make_free(variable);
        if (has_sign) rows_.place(variable, at + k, at + k, cone.cone == LinearCone::nonnegative ? 1 : -1);
      }
    }
    std::size_t at = 1;
    for (const ConeOfCbf& cone : constraints_) {
      std::vector<ModelRows::Affine> values;
      for (std::uint64_t k = 0; k < cone.size; ++k) values.push_back(affine(at++));
      rows_.in_cone(values, cone.cone);
    }
    for (std::size_t k = 0; k < lmi_.size(); ++k)
      rows_.in_psd(
          [&](std::uint32_t i, std::uint32_t j) {
            const auto terms = lmi_[k].terms.find({i, j});
            const auto constant = lmi_[k].constants.find({i, j});
            return ModelRows::Affine{terms == lmi_[k].terms.end() ? ModelRows::Form{} : form(terms->second),
                                     constant == lmi_[k].constants.end() ? Rational(0) : constant->second};
          },
          static_cast<std::uint32_t>(psd_constraints_[k]));
    return std::move(rows_).made(affine(0), maximize_);
  }
  ModelRows::Form form(ModelRows::Terms terms) const {
    for (auto& term : terms) term.first = numbers_[term.first];
    return rows_.form(terms);
  }
  ModelRows::Affine affine(std::size_t i) const {
    ModelRows::Form found = form(scalar_[i]);
    for (const MatrixTerm& term : matrix_[i]) {
      const CbfPlace at{first_[term.matrix] + term.at.first, first_[term.matrix] + term.at.second};
      if (!found.emplace(at, term.value).second)
        fail_twice(term.at.first, term.at.second, fmt::format("matrix {}", term.matrix));
    }
    return {std::move(found), constant_[i]};
  }

  const std::string& text_;
  const std::string& name_;
  const Task& task_;
  ModelRows rows_;
  std::size_t at_ = 0, line_ = 0;
  std::set<std::string> seen_;
  bool maximize_ = false;
  std::uint64_t count_ = 0;  // of scalar variables
  std::vector<ConeOfCbf> variables_, constraints_;
  std::vector<std::uint64_t> psd_variables_, psd_constraints_;
  // The terms of every constraint, those of the objective first.
  std::vector<ModelRows::Terms> scalar_ = {{}};
  std::vector<std::vector<MatrixTerm>> matrix_ = {{}};
  std::vector<Rational> constant_ = {0};
  std::vector<CbfMatrix> lmi_;
  std::vector<std::uint32_t> first_;  // rows of the matrix variables
  std::vector<std::size_t> numbers_;  // of the scalar variables
};

}  // namespace

sdp::Model parse_cbf(const std::string& text, const std::string& name, const Task& task) {
  return CbfReader(text, name, task).read();
}

}  // namespace intertwine
