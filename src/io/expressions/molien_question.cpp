// Answers how many invariant or equivariant polynomials there are, for groups of every kind.
#include "intertwine/io/molien_question.hpp"

#include <cstdint>
#include <limits>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/hom/series.hpp"
#include "intertwine/io/any_expression.hpp"
#include "intertwine/io/row_name.hpp"

namespace intertwine {

namespace {

/// By an irreducible character, of a row of the table.
MolienReport of_row(const MolienQuestion& question, const hom::Representation& V, const std::string& written,
                    const Task& task) {
  const auto* R = V.as<Representation>();
  if (R == nullptr)
    throw DomainError("an irrep is a row of the character table of a finite group; of " + question.group +
                      " give a representation as out");
  const CharacterTable table = character_table(R->group(), task);
  const std::size_t row = irreducible_row(table, question.irrep.empty() ? "1" : question.irrep);
  const ClassFunction chi = character_of(*R, table, task);
  return {R->group().name(),
          written,
          R->dimension(),
          table.name(row),
          row,
          molien_series(chi, ClassFunction::irreducible(table, row), question.degree + 1, task)};
}

}  // namespace

MolienReport answer_molien(const MolienQuestion& question, const Task& task) {
  if (!question.irrep.empty() && !question.out.empty())
    throw DomainError("an irrep and a representation say each what is counted; give one of them");
  const hom::Group G = parse_group(question.group, task);
  const auto read = [&](const std::string& text) { return parse_representation(G, text, Form::matrices, task); };
  const hom::Representation V = question.rep.empty() ? hom::natural_representation(G) : read(question.rep);
  const std::string written = question.rep.empty() ? V.to_string() : question.rep;
  // The name of the trivial character is that of its row, where there is a table.
  if (!question.irrep.empty() || (question.out.empty() && G.as<FiniteGroup>() != nullptr))
    return of_row(question, V, written, task);
  const hom::Representation W = read(question.out.empty() ? "trivial" : question.out);
  const Integer dimension = V.dimension();
  if (dimension < 0 || dimension > std::numeric_limits<std::int64_t>::max())
    throw DomainError("Molien's series is of a representation, and " + written + " has dimension " + dimension.str());
  return {G.name(),
          written,
          static_cast<std::uint64_t>(dimension),
          question.out.empty() ? "trivial" : question.out,
          std::nullopt,
          hom::molien_series(V, W, question.degree + 1, task)};
}

}  // namespace intertwine
