// Irreducible monomial representations as matrices, proved by relations.
#include "monomial_irreducibles.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "intertwine/characters/monomial_representations.hpp"
#include "intertwine/error.hpp"
#include "monomial_module.hpp"
#include "representations/expressions/node.hpp"

namespace intertwine {

namespace {

using Node = MonomialRepresentations::Node;

/// The relations that define the group: left letter by letter equals right.
struct Relation {
  SupersolvableSeries::Word left, right;
};

std::vector<Relation> relations(const SupersolvableSeries& series) {
  std::vector<Relation> result;
  for (std::uint32_t j = 0; j < series.length(); ++j) {
    const Permutation& h = series.generator(j);
    result.push_back({SupersolvableSeries::Word(1, {j, series.prime(j)}), series.word(h.power(series.prime(j)))});
    const Permutation back = h.inverse();
    for (std::uint32_t i = 0; i < j; ++i) {
      SupersolvableSeries::Word right = series.word(h * series.generator(i) * back);
      right.push_back({j, 1});
      result.push_back({{{j, 1}, {i, 1}}, std::move(right)});
    }
  }
  return result;
}

/// Scales the basis so that coset representatives take the first vector to the others.
///
/// `all` are the generators of the series.
MonomialLine scaled(Node& R, const SupersolvableSeries& series, std::uint32_t order,
                    const std::shared_ptr<const std::vector<Permutation>>& all) {
  const std::uint32_t d = R.degree;
  const auto letter = [&](std::size_t j) { return R.entries.data() + j * d; };
  const auto sum = [order](std::uint32_t a, std::uint32_t b) { return a + b >= order ? a + b - order : a + b; };
  std::vector<std::uint32_t> orbit{0}, scale(d, 0);
  std::vector<std::int32_t> position(d, -1);
  position[0] = 0;
  std::vector<std::size_t> moving, fixing;
  for (std::size_t j = 0; j < series.length(); ++j) {
    if (position[letter(j)[0].point] >= 0) {
      fixing.push_back(j);
      continue;
    }
    const std::size_t before = orbit.size();
    for (std::size_t m = before; m < before * series.prime(j); ++m) {
      const std::uint32_t from = orbit[m - before];
      const auto [point, exponent] = letter(j)[from];
      position[point] = static_cast<std::int32_t>(m);
      scale[point] = sum(scale[from], exponent);
      orbit.push_back(point);
    }
    moving.push_back(j);
  }
  if (orbit.size() != d) throw InternalError("monomial representations: one is not transitive on its lines");
  for (std::size_t j = 0; j < series.length(); ++j)
    for (std::uint32_t v = 0; v < d; ++v) {
      MonomialEntry& y = letter(j)[v];
      y.exponent = sum(sum(y.exponent, scale[v]), scale[y.point] == 0 ? 0 : order - scale[y.point]);
    }
  MonomialLine line;
  if (d == 1) {
    for (const std::size_t j : fixing) line.exponents.push_back(letter(j)[0].exponent);
    line.generators = all;
    line.orbit = std::move(orbit);
    return line;
  }
  std::vector<Permutation> generators;
  for (const std::size_t j : fixing) {  // h_j takes the first line where u does: u^-1 h_j fixes it
    Permutation g = series.generator(j);
    auto place = static_cast<std::uint32_t>(position[letter(j)[0].point]);
    auto stride = static_cast<std::uint32_t>(d);
    // Among the elements that moved the line before j only: the others have digit 0.
    for (std::size_t k = moving.size(); k-- > 0;) {
      const std::uint32_t p = series.prime(moving[k]);
      stride /= p;
      const std::uint32_t digit = place / stride;
      place %= stride;
      if (digit > 0) g = series.generator(moving[k]).power(-Integer(digit)) * g;
    }
    generators.push_back(std::move(g));
    line.exponents.push_back(letter(j)[0].exponent);
  }
  line.generators = std::make_shared<const std::vector<Permutation>>(std::move(generators));
  line.moving = std::move(moving);
  line.orbit = std::move(orbit);
  return line;
}

}  // namespace

struct MonomialIrreducibles::Shared {
  Shared(const CharacterTable& all, SupersolvableSeries found, const Task& work)
      : table(all), series(std::move(found)), representations(series, table.size(), work) {
    auto list = std::make_shared<std::vector<Permutation>>();
    for (std::size_t j = 0; j < series.length(); ++j) list->push_back(series.generator(j));
    generators = std::move(list);
  }
  struct Row {
    Node node;  ///< with exponents of roots of unity of this order
    std::uint32_t order;
    MonomialLine line;
  };
  CharacterTable table;
  SupersolvableSeries series;
  std::shared_ptr<const std::vector<Permutation>> generators;  ///< those of the series
  MonomialRepresentations representations;
  std::vector<Row> rows;
  std::map<std::uint32_t, AbelianField> fields;

  MonomialEntry apply(const Row& row, const SupersolvableSeries::Word& word, std::uint32_t v) const {
    MonomialEntry y{v, 0};
    for (std::size_t k = word.size(); k-- > 0;)
      for (std::uint32_t t = 0; t < word[k].exponent; ++t) {
        const MonomialEntry& z = row.node.entries[std::size_t{word[k].generator} * row.node.degree + y.point];
        y = {z.point,
             y.exponent + z.exponent >= row.order ? y.exponent + z.exponent - row.order : y.exponent + z.exponent};
      }
    return y;
  }
  std::vector<MonomialEntry> images(const Row& row, const Permutation& g) const {
    const SupersolvableSeries::Word word = series.word(g);
    std::vector<MonomialEntry> result;
    for (std::uint32_t v = 0; v < row.node.degree; ++v) result.push_back(apply(row, word, v));
    return result;
  }
  void add(std::size_t at, const Node& node, const std::vector<Relation>& all) {
    Row row{node, representations.roots(), {}};
    row.line = scaled(row.node, series, row.order, generators);
    std::uint32_t common = row.order;
    for (const MonomialEntry& y : row.node.entries) common = std::gcd(common, y.exponent);
    for (MonomialEntry& y : row.node.entries) y.exponent /= common;
    for (std::uint32_t& e : row.line.exponents) e /= common;
    row.order /= common;
    for (const Relation& r : all)
      for (std::uint32_t v = 0; v < row.node.degree; ++v) {
        const MonomialEntry a = apply(row, r.left, v), b = apply(row, r.right, v);
        if (a.point != b.point || a.exponent != b.exponent)
          throw InternalError("monomial representations: a relation of the group does not hold");
      }
    fields.try_emplace(row.order, AbelianField::cyclotomic(row.order));
    rows[at] = std::move(row);
  }
};

namespace {

/// One row, acting by the words of elements: the image of another one under zeta -> zeta^twist.
class MonomialMatrices final : public RepresentationNode {
 public:
  MonomialMatrices(std::shared_ptr<const MonomialIrreducibles::Shared> shared, std::size_t row, std::size_t source,
                   std::uint32_t twist)
      : RepresentationNode(shared->table.group(), shared->rows[source].node.degree, 1,
                           shared->fields.at(shared->rows[source].order)),
        shared_(std::move(shared)),
        row_(row),
        source_(source),
        twist_(twist) {}

  bool is_permutation() const override { return order() == 1; }
  bool is_monomial() const override { return order() <= 2; }
  Cyclotomic character(const Permutation& g) const override {
    return shared_->table(row_, shared_->table.classes().index_of_element(g));
  }
  void write_image(const Permutation& g, std::span<SignedPoint> out) const override {
    if (!is_monomial()) refuse_image(*this);
    const auto images = images_of(g);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = SignedPoint(images[i].point, images[i].exponent != 0);
  }
  std::string text(TextForm) const override {
    std::vector<FieldMatrix> images;
    for (const Permutation& g : group().generators()) images.push_back(dense(g));
    return images.empty() ? "trivial" : matrices_text(images);
  }
  std::string label(std::uint64_t i) const override { return "e" + std::to_string(i + 1); }

 private:
  std::uint32_t order() const { return shared_->rows[source_].order; }
  std::vector<MonomialEntry> images_of(const Permutation& g) const {
    std::vector<MonomialEntry> images = shared_->images(shared_->rows[source_], g);
    for (MonomialEntry& y : images)
      y.exponent = static_cast<std::uint32_t>(std::uint64_t{y.exponent} * twist_ % order());
    return images;
  }
  FieldMatrix apply_to(const Permutation& g, const FieldMatrix& X, bool transposed) const override {
    return apply_monomial(order(), images_of(g), X, transposed);
  }

  std::shared_ptr<const MonomialIrreducibles::Shared> shared_;
  std::size_t row_, source_;
  std::uint32_t twist_;
};

}  // namespace

std::optional<MonomialIrreducibles> MonomialIrreducibles::find(const CharacterTable& table, const Task& task) {
  if (!may_be_supersolvable(table.classes())) return std::nullopt;
  auto series = SupersolvableSeries::find(table.group(), task);
  if (!series) return std::nullopt;
  auto shared = std::make_shared<Shared>(table, std::move(*series), task);
  const auto rows = table_rows(shared->representations, table, task);
  const auto all = relations(shared->series);
  shared->rows.resize(table.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    task.poll();
    shared->add(rows[k], shared->representations.irreducibles()[k], all);
  }
  return MonomialIrreducibles(std::move(shared));
}

std::uint32_t MonomialIrreducibles::order(std::size_t row) const { return shared_->rows[row].order; }

const CharacterTable& MonomialIrreducibles::table() const { return shared_->table; }

std::vector<MonomialEntry> MonomialIrreducibles::images(std::size_t row, const Permutation& g) const {
  return shared_->images(shared_->rows[row], g);
}

const MonomialLine& MonomialIrreducibles::line(std::size_t row) const { return shared_->rows[row].line; }

Permutation MonomialIrreducibles::representative(std::size_t row, std::size_t v) const {
  const MonomialLine& line = shared_->rows[row].line;
  auto place = static_cast<std::size_t>(std::find(line.orbit.begin(), line.orbit.end(), v) - line.orbit.begin());
  Permutation g = Permutation::identity(shared_->table.group().degree());
  for (const std::size_t j : line.moving) {
    const std::size_t p = shared_->series.prime(j);
    g = shared_->series.generator(j).power(Integer(place % p)) * g;
    place /= p;
  }
  return g;
}

IrreducibleRepresentation MonomialIrreducibles::operator()(std::size_t row, std::size_t source, std::uint32_t k) const {
  const Shared::Row& R = shared_->rows[source];
  MultiplicityOneSeed seed;
  seed.generators = *R.line.generators;
  for (const std::uint32_t e : R.line.exponents)
    seed.values.push_back(Cyclotomic::root_of_unity(R.order, std::int64_t{e} * k));
  const AbelianField& K = shared_->fields.at(R.order);
  seed.vector = FieldMatrix::identity(K, R.node.degree).block(0, 0, R.node.degree, 1);
  return {row, Representation(std::make_shared<MonomialMatrices>(shared_, row, source, k)), std::move(seed), {}, false};
}

}  // namespace intertwine
