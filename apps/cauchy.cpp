// `cauchy`: S_nu(Hom(V, W)) under GL(W) x GL(V), or restricted to finite groups that act on W and V.
#include <fmt/format.h>

#include <memory>

#include "character_commands.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "intertwine/gl/branching.hpp"
#include "intertwine/gl/decomposition.hpp"
#include "restriction.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct Options {
  MatrixSize size;
  int degree = -1;
  std::string functor;
  FiniteSide left, right;
  std::vector<std::size_t> pair;
  bool by_term = false, check = false, latex = false;
};

std::string functor_latex(const Partition& lambda, const char* space) {
  return fmt::format("S_{{{}}}{}", latex_parts(lambda), space);
}

/// The text that stands for a multiplicity in front of something.
std::string times(const Integer& multiplicity) {
  return multiplicity == 1 ? "" : to_string(multiplicity) + " * ";
}

std::string pair_text(const ProductRestriction& restriction, const ProductConstituent& part) {
  return fmt::format("{}{} (x) {}", times(part.multiplicity), restriction.left().table().name(part.left),
                     restriction.right().table().name(part.right));
}

Json to_json(const ProductRestriction& restriction, const std::vector<ProductConstituent>& parts) {
  Json list = Json::array();
  for (const ProductConstituent& part : parts)
    list.push_back({{"left", part.left},
                    {"right", part.right},
                    {"left_name", restriction.left().table().name(part.left)},
                    {"right_name", restriction.right().table().name(part.right)},
                    {"multiplicity", to_string(part.multiplicity)}});
  return list;
}

/// One side's character; the group acts trivially where none is given.
SideCharacter side_of(FiniteSide side, int n, const char* what, Context& context) {
  if (side.group.empty()) {
    if (!side.rep.empty() || side.irrep > 0)
      throw DomainError(fmt::format("cauchy: a representation is given for {}, but no group", what));
    side.group = "S1";
    side.rep = fmt::format("{}*trivial", n);
  }
  SideCharacter result = character_of(side, context);
  require_dimension(result, n, fmt::format("{} has dimension {}", what, n));
  return result;
}

/// The answer with finite groups: what they see of each term, of all, and of one pair of irreducible characters.
class Restricted {
 public:
  Restricted(const Options& options, const Partition& nu, const std::vector<GlGlTerm>& terms,
             Context& context)
      : options_(options),
        nu_(nu),
        terms_(terms),
        task_(context.task),
        left_(side_of(options.left, options.size.rows, "W", context)),
        right_(side_of(options.right, options.size.cols, "V", context)),
        restriction_(left_.character, right_.character.conjugate()),
        parts_(restriction_(terms, context.task)) {
    if (options.check) check();
  }

  /// What the groups see of term k.
  std::vector<ProductConstituent> of_term(std::size_t k) const { return restriction_({terms_[k]}, task_); }
  const ProductRestriction& restriction() const { return restriction_; }

  void write(Json& json, std::string& text, std::string& latex) const {
    const auto name = [](const SideCharacter& side) {
      return Json{{"group", side.character.table().group().name()}, {"rep", side.rep}};
    };
    json["left_group"] = name(left_);
    json["right_group"] = name(right_);
    json["constituents"] = to_json(restriction_, parts_);
    if (options_.check) json["checked"] = true;
    text += fmt::format("restricted to {} by {} on W and {} by {} on V (dual on V*)\n",
                        left_.character.table().group().name(), left_.rep,
                        right_.character.table().group().name(), right_.rep);
    for (const ProductConstituent& part : parts_) {
      text += "  " + pair_text(restriction_, part) + "\n";
      latex += latex_coefficient(Rational(part.multiplicity), latex.empty()) +
               fmt::format("\\chi_{{{}}} \\otimes \\psi_{{{}}}", part.left + 1, part.right + 1);
    }
    if (!options_.pair.empty()) write_pair(json, text);
  }

 private:
  /// Frobenius reciprocity the other way: which terms the pair is found in.
  void write_pair(Json& json, std::string& text) const {
    const std::size_t i = irreducible_row(restriction_.left().table(), options_.pair[0]),
                      j = irreducible_row(restriction_.right().table(), options_.pair[1]);
    const auto counts = restriction_.multiplicities_of(i, j, terms_, task_);
    Integer total = 0;
    Json list = Json::array();
    text += fmt::format("{} (x) {} occurs in\n", restriction_.left().table().name(i),
                        restriction_.right().table().name(j));
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      if (counts[k] == 0) continue;
      total += counts[k];
      list.push_back({{"left", app::to_json(terms_[k].left)},
                      {"right", app::to_json(terms_[k].right)},
                      {"multiplicity", to_string(counts[k])}});
      text += fmt::format("  s{} (x) s{}   {}\n", to_string(terms_[k].left), to_string(terms_[k].right),
                          to_string(counts[k]));
    }
    text += fmt::format("  in all {}\n", to_string(total));
    json["pair"] = {
        {"left", i}, {"right", j}, {"multiplicity", to_string(total)}, {"terms", std::move(list)}};
  }

  /// The dimensions add up, and every multiplicity is that of sums over pairs of classes, which know nothing of GL.
  void check() const {
    Integer dimension = 0;
    const CharacterTable &G = restriction_.left().table(), &H = restriction_.right().table();
    for (const ProductConstituent& part : parts_) {
      dimension += part.multiplicity * G.degree(part.left) * H.degree(part.right);
      if (product_multiplicity_by_classes(nu_, restriction_.left(), restriction_.right(), part.left,
                                          part.right, task_) != part.multiplicity)
        throw VerificationError(
            fmt::format("cauchy: the multiplicity of {} (x) {} is not that of the characters",
                        G.name(part.left), H.name(part.right)));
    }
    if (dimension != intertwine::dimension(terms_, options_.size.rows, options_.size.cols))
      throw VerificationError("cauchy: the dimensions of the constituents do not add up");
  }

  const Options& options_;
  const Partition& nu_;
  const std::vector<GlGlTerm>& terms_;
  const Task& task_;
  SideCharacter left_, right_;
  ProductRestriction restriction_;
  std::vector<ProductConstituent> parts_;
};

void require_sense(const Options& options) {
  if ((options.degree < 0) == options.functor.empty())
    throw DomainError("cauchy takes one of --degree d and --functor [3,1]");
  const bool finite = !options.left.group.empty() || !options.right.group.empty();
  if (!finite && (options.by_term || options.check || !options.pair.empty() || !options.left.rep.empty() ||
                  !options.right.rep.empty() || options.left.irrep > 0 || options.right.irrep > 0))
    throw DomainError(
        "cauchy: representations, --pair, --by-term and --check go with --left-group or --right-group");
}

void run(const Options& options, Context& context) {
  require_sense(options);
  const Partition nu = options.functor.empty() ? Partition{options.degree} : parse_partition(options.functor);
  const auto [m, n] = options.size;
  const auto terms = schur_functor_decomposition(nu, m, n, context.task);
  std::unique_ptr<Restricted> restricted;
  if (!options.left.group.empty() || !options.right.group.empty())
    restricted = std::make_unique<Restricted>(options, nu, terms, context);
  Json list = Json::array();
  std::string text = fmt::format("S{}(Hom(V, W)) for dim W = {}, dim V = {}, as S_left(W) (x) S_right(V*)\n",
                                 to_string(nu), m, n),
              latex, restricted_latex;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const GlGlTerm& term = terms[k];
    const Integer dimension = term.multiplicity * number_of_semistandard_tableaux(term.left, m) *
                              number_of_semistandard_tableaux(term.right, n);
    list.push_back({{"left", app::to_json(term.left)},
                    {"right", app::to_json(term.right)},
                    {"multiplicity", to_string(term.multiplicity)},
                    {"dimension", to_string(dimension)}});
    text += fmt::format("  {}s{} (x) s{}   dimension {}\n", times(term.multiplicity), to_string(term.left),
                        to_string(term.right), to_string(dimension));
    latex += latex_coefficient(Rational(term.multiplicity), latex.empty()) + functor_latex(term.left, "W") +
             " \\otimes " + functor_latex(term.right, "V^*");
    if (!options.by_term) continue;
    const auto parts = restricted->of_term(k);
    list.back()["constituents"] = to_json(restricted->restriction(), parts);
    for (const ProductConstituent& part : parts)
      text += "    " + pair_text(restricted->restriction(), part) + "\n";
  }
  Json json = answer("cauchy");
  json["functor"] = app::to_json(nu);
  json["rows"] = m;
  json["cols"] = n;
  json["dimension"] = to_string(dimension(terms, m, n));
  json["terms"] = std::move(list);
  text += fmt::format("dimension {}\n", to_string(dimension(terms, m, n)));
  if (restricted) restricted->write(json, text, restricted_latex);
  if (options.latex) {
    const std::string& sum = restricted ? restricted_latex : latex;
    text =
        wrapped(functor_latex(nu, "(W \\otimes V^*)") + " = " + (sum.empty() ? "0" : sum), context.width());
  }
  finish(json, text, context);
}

void add_side(CLI::App& command, const std::string& side, const char* space, FiniteSide& to) {
  command
      .add_option("--" + side + "-group", to.group,
                  fmt::format("restrict to this finite group acting on {}", space))
      ->type_name("GROUP");
  command.add_option("--" + side + "-rep", to.rep, "how it acts (coordinates where it has them, else perm)")
      ->type_name("REP");
  command.add_option("--" + side + "-irrep", to.irrep, "it acts by irrep(K) of its table")
      ->check(CLI::PositiveNumber)
      ->type_name("K");
}

}  // namespace

void add_cauchy(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("cauchy", "a Schur functor of Hom(V, W) under GL(V) x GL(W) or finite groups");
  const auto options = std::make_shared<Options>();
  add_matrix_size(*command, options->size);
  command->add_option("--degree", options->degree, "the symmetric power of this degree")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--functor", options->functor, "the Schur functor of this partition instead");
  add_side(*command, "left", "W (the rows)", options->left);
  add_side(*command, "right", "V (the columns; on V* by the dual)", options->right);
  command
      ->add_option("--pair", options->pair,
                   "I,J: how often the irreducible characters I (left) and J (right) occur in each term")
      ->delimiter(',')
      ->expected(2)
      ->type_name("I,J");
  command->add_flag("--by-term", options->by_term, "also the restriction of every term");
  command->add_flag("--check", options->check, "compare with sums over the pairs of classes");
  add_format(*command, options->latex);
  command->footer(
      "Irreducible characters are numbered from 1 as in `intertwine chartable`; a group that is not given is "
      "trivial.\n"
      "Examples:\n  intertwine cauchy --rows 2 --cols 3 --degree 2\n"
      "  intertwine cauchy --rows 3 --cols 4 --degree 3 --left-group Oh --right-group S4 --pair 1,1");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
