// Systems of imprimitivity: bases in blocks that a group permutes.
#include "intertwine/representations/block_action.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "intertwine/error.hpp"
#include "intertwine/representations/actions.hpp"
#include "node.hpp"

namespace intertwine {

namespace {

class BlockModule final : public RepresentationNode {
 public:
  BlockModule(const FiniteGroup& K, std::shared_ptr<const BlockAction> blocks, std::uint64_t block)
      : RepresentationNode(K, blocks->places(block).size()), blocks_(std::move(blocks)), block_(block) {}

  bool is_permutation() const override { return false; }
  bool is_monomial() const override { return false; }
  Cyclotomic character(const Permutation& g) const override { return dense(g).trace(); }
  void write_image(const Permutation&, std::span<SignedPoint>) const override { refuse_image(*this); }
  FieldMatrix dense(const Permutation& g) const override {
    BlockAction::Move move = blocks_->at(g)(block_);
    if (move.block != block_) throw DomainError("an element does not fix a block of a representation");
    return FieldMatrix(std::move(move.matrix));
  }
  std::string text(TextForm) const override {
    std::vector<FieldMatrix> images;
    for (const Permutation& g : group().generators()) images.push_back(dense(g));
    return images.empty() ? fmt::format("{}*trivial", dimension()) : matrices_text(images);
  }
  std::string label(std::uint64_t i) const override { return fmt::format("e{}", i + 1); }

 private:
  std::shared_ptr<const BlockAction> blocks_;
  std::uint64_t block_;
};

}  // namespace

RationalMatrix BlockAction::apply(const Permutation& g, const RationalMatrix& X, bool transposed) const {
  const auto move = at(g);
  std::vector<RationalMatrix> parts;
  std::vector<std::size_t> source(X.rows());  // of every row of the result, among those of the parts
  std::size_t next = 0;
  for (std::uint64_t x = 0; x < size(); ++x) {
    const Move step = move(x);
    const std::vector<std::uint64_t> from = places(x), to = places(step.block);
    const auto& read = transposed ? to : from;
    for (const std::uint64_t place : transposed ? from : to) source[place] = next++;
    const RationalMatrix rows = X.select_rows(std::vector<std::size_t>(read.begin(), read.end()));
    parts.push_back((transposed ? step.matrix.transpose() : step.matrix) * rows);
  }
  return vertical_stack(parts).select_rows(source);
}

Representation block_module(const FiniteGroup& K, std::shared_ptr<const BlockAction> blocks, std::uint64_t block) {
  const auto V = std::make_shared<BlockModule>(K, std::move(blocks), block);
  if (V->dimension() != 1) {
    for (const Permutation& g : K.generators()) V->dense(g);
    return Representation(V);
  }
  std::vector<int> signs;  // a rational character of a finite group
  for (const Permutation& g : K.generators()) signs.push_back(V->dense(g).trace() == Cyclotomic(1) ? 1 : -1);
  return linear_character(K, signs);
}

}  // namespace intertwine
