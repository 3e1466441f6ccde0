// Irreducible representations in expressions.
#include <fmt/format.h>

#include "intertwine/representations/irreducible.hpp"
#include "representations/expressions/node.hpp"

namespace intertwine {

namespace {

class NamedIrreducible final : public RepresentationNode {
 public:
  NamedIrreducible(const Representation& R, const CharacterTable& table, std::size_t row)
      : RepresentationNode(R.group(), R.dimension(), R.node().depth() + 1, R.field()),
        R_(R),
        table_(table),
        row_(row) {}

  bool is_permutation() const override { return R_.is_permutation(); }
  bool is_monomial() const override { return R_.is_monomial(); }
  Cyclotomic character(const Permutation& g) const override {
    return table_(row_, table_.classes().index_of_element(g));
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override { R_.node().write_image(g, out); }
  FieldMatrix dense(const Permutation& g) const override { return R_.node().dense(g); }
  std::string text(TextForm form) const override {
    if (form == TextForm::plain) return fmt::format("irrep({})", row_ + 1);
    std::string values;
    for (const Cyclotomic& value : table_.row(row_))
      values += (values.empty() ? "" : ",") + intertwine::to_string(value);
    return fmt::format("irrep({}, [{}])", row_ + 1, values);
  }
  std::string label(std::uint64_t i) const override { return fmt::format("e{}", i + 1); }

 private:
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    return R_.node().apply(g, X, transposed);
  }

  Representation R_;
  CharacterTable table_;
  std::size_t row_;
};

}  // namespace

Representation named_irreducible(const Representation& R, const CharacterTable& table, std::size_t row) {
  return Representation(std::make_shared<NamedIrreducible>(R, table, row));
}

}  // namespace intertwine
