// The proof of irreducible representations, checked: what docs/formats.md says under "Representations".
#include <fmt/format.h>

#include <numeric>
#include <string>

#include "intertwine/characters/character_proof.hpp"
#include "intertwine/error.hpp"
#include "intertwine/representations/representation_proof.hpp"

namespace intertwine {

namespace {

[[noreturn]] void refuse_matrices(const std::string& what) { throw VerificationError("verify: " + what); }

/// The matrices of all elements of a group, by those of its generators.
class Extension {
 public:
  Extension(const ProvedChain& chain, const MatricesClaim::Entry& entry, std::string name, const Task& task)
      : chain_(chain), name_(std::move(name)), task_(task) {
    AbelianField K;
    for (const FieldMatrix& A : entry.matrices) K = AbelianField::compositum(K, A.field());
    const std::uint64_t products = chain.elements().size() + chain.levels().size();
    task.require_memory(products * entry.degree * entry.degree * K.degree() * sizeof(std::uint64_t),
                        "the matrices of strong generators");
    one_ = FieldMatrix::identity(K, entry.degree);
    for (const FieldMatrix& A : entry.matrices) images_.push_back(A.over(K));
  }

  /// Every element is one product of elements of the transversals; let its matrix be that of theirs. This is a homomorphism if s u always has the
  /// product of the matrices of s and u, for strong s and u in a transversal.
  void prove(const OrderProof& proof) {
    for (std::size_t k = 0; k < images_.size(); ++k)
      if (!(power(images_[k], chain_.elements()[k].order()) == one_))
        refuse_matrices(fmt::format("the matrix of generator {} of {} has another order than the generator", k, name_));
    for (const Word& word : proof.words) images_.push_back(product_of(word));
    for (const ProvedChain::Level& level : chain_.levels()) {
      transversals_.push_back({one_});
      for (const auto& [s, k] : level.from)
        transversals_.back().push_back(product(images_[s], transversals_.back()[k]));
    }
    for (std::size_t i = 0; i < transversals_.size(); ++i)
      for (const std::size_t s : chain_.levels()[i].strong)
        for (std::size_t k = 0; k < transversals_[i].size(); ++k)
          if (!(product(images_[s], transversals_[i][k]) ==
                matrix(chain_.elements()[s] * chain_.levels()[i].transversal[k], i)))
            refuse_matrices(
                fmt::format("the matrices of {} are no representation: a relation of the group, of level {}, "
                            "does not hold",
                            name_, i));
  }

  Cyclotomic trace(const Permutation& g) const { return matrix(g, 0).trace(); }

 private:
  FieldMatrix matrix(const Permutation& g, std::size_t first) const {
    FieldMatrix result = one_;
    const auto places = chain_.factors(g, first);
    if (!places) throw InternalError("verify: an element of a group that was proved is not in its chain");
    for (std::size_t i = 0; i < places->size(); ++i)
      if ((*places)[i] != 0) result = product(result, transversals_[first + i][(*places)[i]]);
    return result;
  }

  FieldMatrix product_of(const Word& word) const {
    FieldMatrix result = one_;
    for (const std::int32_t x : word) {
      const auto j = static_cast<std::size_t>(std::abs(x)) - 1;
      result = product(result, x > 0 ? images_[j] : power(images_[j], chain_.elements()[j].order() - 1));
    }
    return result;
  }

  FieldMatrix power(FieldMatrix A, Integer k) const {
    FieldMatrix result = one_;
    for (; k > 0; k /= 2) {
      if (k % 2 == 1) result = product(result, A);
      if (k > 1) A = product(A, A);
    }
    return result;
  }

  /// Products of the elements of a finite group stay small.
  FieldMatrix product(const FieldMatrix& A, const FieldMatrix& B) const {
    task_.poll();
    if (A == one_) return B;
    if (B == one_) return A;
    FieldMatrix C = A * B;
    constexpr unsigned most_bits = 10000;
    const Integer height = C.height();
    if (height > 0 && msb(height) > most_bits)
      refuse_matrices(fmt::format(
          "products of the matrices of {} grow beyond {} bits: they are those of no finite group", name_, most_bits));
    return C;
  }

  const ProvedChain& chain_;
  std::string name_;
  const Task& task_;
  FieldMatrix one_;
  std::vector<FieldMatrix> images_;                     ///< the images of the elements of the chain
  std::vector<std::vector<FieldMatrix>> transversals_;  ///< the transversals of its levels
};

}  // namespace

void verify(const MatricesClaim& claim, const Task& task) {
  const ProvedChain chain = verify(claim.group, task);
  std::vector<std::vector<Cyclotomic>> characters;
  for (const MatricesClaim::Entry& entry : claim.entries) {
    task.progress("verifying representations", characters.size(), claim.entries.size());
    const std::string name = fmt::format("irrep {}", entry.irrep);
    if (entry.matrices.size() != claim.group.generators.size())
      refuse_matrices(fmt::format("{} has {} matrices, and the group {} generators", name, entry.matrices.size(),
                                  claim.group.generators.size()));
    for (const FieldMatrix& A : entry.matrices)
      if (A.rows() != entry.degree || A.cols() != entry.degree)
        refuse_matrices(fmt::format("a matrix of {} is not of the size {}", name, entry.degree));
    Extension matrices(chain, entry, name, task);
    matrices.prove(claim.group.proof);
    std::vector<Cyclotomic> values, on_squares;
    for (const ConjugacyClass& c : claim.group.classes) {
      values.push_back(matrices.trace(c.representative));
      on_squares.push_back(matrices.trace(c.representative.power(2)));
    }
    if (!has_norm_one(values, claim.group))
      refuse_matrices(fmt::format("{} is not irreducible: its character has not the norm 1", name));
    if (mean_value(on_squares, claim.group) != Cyclotomic(entry.indicator))
      refuse_matrices(fmt::format("{} has another indicator than {}", name, entry.indicator));
    for (std::size_t j = 0; j < characters.size(); ++j)
      if (characters[j] == values)
        refuse_matrices(fmt::format("{} is equivalent to irrep {}", name, claim.entries[j].irrep));
    characters.push_back(std::move(values));
  }
}

}  // namespace intertwine
