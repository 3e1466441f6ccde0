// Submodules of representations by bases.
#include "intertwine/representations/submodule.hpp"

#include <fmt/format.h>

#include "representations/expressions/node.hpp"

namespace intertwine {

namespace {

/// With rows P of C invertible, R(g) = (C_P)^{-1} (rho(g) C)_P.
class Submodule final : public MatrixNode {
 public:
  Submodule(const Representation& V, FieldMatrix C, std::vector<std::size_t> pivots, AbelianField field,
            std::string text, const Task& task)
      : MatrixNode(V.group(), C.cols(), V.node().depth() + 1, std::move(field)),
        V_(V),
        C_(std::move(C)),
        pivots_(std::move(pivots)),
        text_(std::move(text)),
        inverse_(inverse(C_.select_rows(pivots_), task)) {
    for (const Permutation& s : V.group().generators()) {
      const FieldMatrix moved = V.apply(s, C_);
      FieldMatrix image = coordinates(moved);
      if (!(C_ * image == moved))
        throw DomainError(
            fmt::format("submodule: the span of the {} columns is not invariant: generator {} leads out of it",
                        C_.cols(), s.to_string()));
      images_.push_back(std::move(image));
      task.poll();
    }
  }

  Cyclotomic character(const Permutation& g) const override { return dense(g).trace(); }
  std::string text(TextForm) const override {
    if (!text_.empty()) return text_;
    return images_.empty() ? fmt::format("{}*trivial", dimension()) : matrices_text(images_);
  }

 private:
  FieldMatrix matrix(const Permutation& g) const override { return coordinates(V_.apply(g, C_)); }
  FieldMatrix coordinates(const FieldMatrix& vectors) const { return inverse_ * vectors.select_rows(pivots_); }
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    return transposed ? dense(g).transpose() * X : coordinates(V_.apply(g, C_ * X));
  }

  Representation V_;
  FieldMatrix C_;
  std::vector<std::size_t> pivots_;
  std::string text_;
  FieldMatrix inverse_;  ///< the inverse of C_P
};

/// Rows of C that are a basis of its row space.
std::vector<std::size_t> independent_rows(const FieldMatrix& C, const Task& task) {
  std::vector<std::size_t> pivots;
  if (const auto reduced = C.reduce(C.field().split_prime(0), 0)) reduced->transpose().echelon(&pivots, task);
  if (pivots.size() < C.cols()) pivots = reduced_echelon(C.transpose(), task).pivots;
  return pivots;
}

}  // namespace

Representation submodule(const Representation& V, const FieldMatrix& C, std::string text, const Task& task) {
  if (C.rows() != V.dimension())
    throw DomainError(fmt::format("submodule: the columns have {} entries, but {} has dimension {}", C.rows(),
                                  V.to_string(), V.dimension()));
  if (C.cols() == 0) return 0 * V;
  std::vector<std::size_t> pivots = independent_rows(C, task);
  if (pivots.size() < C.cols())
    throw DomainError(fmt::format("submodule: the {} columns are dependent, of rank {}", C.cols(), pivots.size()));
  AbelianField field = AbelianField::compositum(V.field(), C.field());
  FieldMatrix over = C.over(field);
  return Representation(
      std::make_shared<Submodule>(V, std::move(over), std::move(pivots), std::move(field), std::move(text), task));
}

}  // namespace intertwine
