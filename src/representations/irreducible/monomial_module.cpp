// Modules induced from linear characters.
#include "monomial_module.hpp"

#include "representations/expressions/node.hpp"

namespace intertwine {

MonomialModule::MonomialModule(const FiniteGroup& G, const LinearPair& pair, const Task& task)
    : G_(G),
      pair_(std::make_shared<const LinearPair>(pair)),
      cosets_(std::make_shared<const CosetSpace>(G, pair.subgroup(), task)) {}

Cyclotomic MonomialModule::root(std::uint32_t exponent) const { return Cyclotomic::root_of_unity(order(), exponent); }

MonomialModule::Image MonomialModule::image(const Permutation& g, std::size_t i) const {
  const Permutation moved = g * cosets_->representative(i);
  const Point j = cosets_->coset_of(moved);
  return {j, order() == 1 ? 0 : exponent_at(cosets_->representative(j).inverse() * moved)};
}

std::vector<MonomialModule::Image> MonomialModule::images(const Permutation& g) const {
  std::vector<Image> result;
  result.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) result.push_back(image(g, i));
  return result;
}

MonomialModule MonomialModule::galois_conjugate(std::uint32_t k) const {
  MonomialModule result = *this;
  result.twist_ = static_cast<std::uint32_t>(std::uint64_t{twist_} * k % order());
  return result;
}

namespace {

/// The terms of l at the generators of H as a representation of H, for text.
std::string text_of_character(const MonomialModule& M) {
  if (M.subgroup().generators().empty()) return "trivial";
  if (M.order() > 2) {
    std::vector<FieldMatrix> matrices;
    for (const Permutation& h : M.subgroup().generators()) {
      const Cyclotomic value = M.root(M.exponent_at(h));
      matrices.emplace_back(1, 1, std::span(&value, 1));
    }
    return matrices_text(matrices);
  }
  std::vector<SignedPermutation> signs;
  for (const Permutation& h : M.subgroup().generators())
    signs.push_back(SignedPermutation::unchecked({SignedPoint(0, M.exponent_at(h) != 0)}));
  return images_text(signs, 1);
}

class InducedCharacter final : public RepresentationNode {
 public:
  explicit InducedCharacter(MonomialModule M)
      : RepresentationNode(M.group(), M.size(), 1, AbelianField::cyclotomic(M.order())), M_(std::move(M)) {}

  bool is_permutation() const override { return M_.order() == 1; }
  bool is_monomial() const override { return M_.order() <= 2; }
  Cyclotomic character(const Permutation& g) const override {
    std::vector<std::int64_t> counts(M_.order(), 0);
    for (std::size_t i = 0; i < M_.size(); ++i) {
      const MonomialModule::Image image = M_.image(g, i);
      if (image.point == i) ++counts[image.exponent];
    }
    return Cyclotomic::from_coefficients(M_.order(), counts);
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    if (!is_monomial()) refuse_image(*this);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const MonomialModule::Image image = M_.image(g, i);
      out[i] = SignedPoint(image.point, image.exponent != 0);
    }
  }
  std::string text(TextForm) const override {
    const std::string H = generators_text(M_.subgroup());
    return M_.order() == 1 ? "cosets(" + H + ")" : "induced(" + H + ", " + text_of_character(M_) + ")";
  }
  std::string label(std::uint64_t i) const override {
    const Permutation& t = M_.representative(i);
    return t.is_identity() ? "H" : t.to_string() + "H";
  }

 private:
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    return apply_monomial(M_.order(), M_.images(g), X, transposed);
  }

  MonomialModule M_;
};

}  // namespace

FieldMatrix apply_monomial(std::uint32_t order, std::span<const MonomialEntry> images, const FieldMatrix& X,
                           bool transposed) {
  std::vector<std::vector<std::size_t>> sources(order), targets(order);
  for (std::size_t i = 0; i < images.size(); ++i) {
    const auto [point, exponent] = images[i];
    sources[exponent].push_back(transposed ? point : i);
    targets[exponent].push_back(transposed ? i : point);
  }
  std::vector<FieldMatrix> parts;
  std::vector<std::size_t> place(images.size());
  std::size_t at = 0;
  for (std::uint32_t x = 0; x < order; ++x) {
    if (sources[x].empty()) continue;
    const FieldMatrix part = X.select_rows(sources[x]);
    parts.push_back(x == 0 ? part : Cyclotomic::root_of_unity(order, x) * part);
    for (const std::size_t target : targets[x]) place[target] = at++;
  }
  return vertical_stack(parts).select_rows(place);
}

Representation MonomialModule::representation() const {
  return Representation(std::make_shared<InducedCharacter>(*this));
}

}  // namespace intertwine
