// Parses reductive groups and their representations by characters.
#include "intertwine/io/lie_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "intertwine/error.hpp"
#include "io/expressions/expression_cursor.hpp"
#include "io/expressions/group_factors.hpp"
#include "io/expressions/group_names.hpp"
#include "io/expressions/lie_algebras.hpp"
#include "io/expressions/word_list.hpp"

namespace intertwine {

namespace {

constexpr std::string_view lie_families[] = {"SU", "SL", "U", "GL", "SO", "Spin", "Sp"};
constexpr std::string_view exceptional_names[] = {"G2", "F4", "E6", "E7", "E8"};
constexpr int max_lie_nesting = 200;
constexpr std::uint64_t max_lie_power = 1'000, max_lie_multiplicity = 1'000'000'000;

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view leading_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_word_character(text[end])) ++end;
  return text.substr(0, end);
}

template <std::size_t N>
bool is_one_of(const std::string_view (&list)[N], std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

/// "SO" of "SO3", the family before a dimension without parentheses; otherwise the word.
std::string_view family_of(std::string_view word) {
  const std::string_view family = word.substr(0, word.find_first_of("0123456789"));
  const bool digits = word.find_first_not_of("0123456789", family.size()) == std::string_view::npos;
  return digits && is_one_of(lie_families, family) ? family : word;
}

class LieGroupParser : TextCursor {
 public:
  explicit LieGroupParser(std::string_view text) : TextCursor(text) {}

  LieGroup parse() {
    std::vector<LieGroup> factors;
    do {
      const LieGroup one = factor();
      std::uint64_t copies = 1;
      if (accept('^')) {
        skip();
        const auto n = peek_digit() ? number(RootSystem::max_rank) : std::nullopt;
        if (!n || *n == 0) fail(fmt::format("a power of a group is 1 to {}, as in SU(3)^3", RootSystem::max_rank), at_);
        copies = *n;
      }
      factors.insert(factors.end(), static_cast<std::size_t>(copies), one);
    } while (accept('x'));
    if (!at_end())
      fail(fmt::format("did not expect '{}'; factors of a reductive group are joined by x", letter()), at_);
    const std::size_t end = at_;
    return checked(end, [&] { return LieGroup::product(factors); });
  }

 private:
  /// f(), what it says being of the text at `start`.
  template <class F>
  LieGroup checked(std::size_t start, F&& f) const {
    try {
      return f();
    } catch (const DomainError& e) {
      fail(e.what(), start);
    }
  }

  LieGroup factor() {
    skip();
    const std::size_t start = at_;
    const std::string_view written = leading_word(text_.substr(at_)), word = family_of(written);
    if (const std::string readings = two_readings(written); !readings.empty()) fail(readings, start);
    at_ += word.size();
    if (is_one_of(exceptional_names, word)) return LieGroup(RootSystem(word[0], word[1] - '0'));
    if (word == "Lie") {
      expect('(', "Lie takes a type, as in Lie(A5) or Lie(A2 x A1 x T1)");
      const std::size_t open = at_, close = text_.find(')', open);
      if (close == std::string_view::npos) fail("expected ')' after the type", text_.size());
      at_ = close + 1;
      try {
        return checked(open,
                       [&] { return LieGroup(parse_root_system(std::string(text_.substr(open, close - open)))); });
      } catch (const ParseError& e) {
        if (e.text() == text_) throw;
        fail(e.what(), open + e.position());
      }
    }
    if (!is_one_of(lie_families, word))
      fail(word.empty() ? std::string("expected a group such as SU(3), E8 or Lie(A2 x T1)")
                        : fmt::format("'{}' is no reductive group; products with finite groups have "
                                      "classical factors, such as SU(3) x S3",
                                      word.substr(0, 40)),
           start);
    const std::string example = fmt::format("{}({})", word, word == "Sp" ? 4 : word == "Spin" ? 7 : 3);
    const bool bare = word != written;  // SO3
    if (!bare && !accept('('))
      fail(fmt::format("{} takes the dimension that it acts on, as in {}", word, example), at_);
    skip();
    if (!peek_digit()) fail(fmt::format("expected a number, as in {}", example), at_);
    const auto n = number(1'000'000);
    if (!n) throw LimitError(fmt::format("ranks are at most {}", RootSystem::max_rank));
    if (!bare) expect(')', "expected ')' after the number");
    return checked(start, [&] { return LieGroup::classical(word, static_cast<int>(*n)); });
  }
};

template <class Algebra>
class LieRepresentationParser : ExpressionCursor {
 public:
  using Value = typename Algebra::Value;
  LieRepresentationParser(const Algebra& algebra, std::string_view text, const Task& task)
      : ExpressionCursor(text), algebra_(algebra), task_(task) {}

  Value parse() {
    Value result = sum();
    if (peek('\'')) fail("the dual of V is written V* or dual(V)", at_);
    if (peek('x') || text_.substr(at_).starts_with("×"))
      fail("the tensor product of representations is written *, as in 3*3bar", at_);
    if (peek('#')) fail(without_factors(), at_);
    if (!at_end()) fail(fmt::format("did not expect '{}'", letter()), at_);
    return result;
  }

 private:
  /// Why # is refused: it joins representations of the factors of a product of groups.
  std::string without_factors() const {
    if constexpr (requires { algebra_.centre; })
      if (algebra_.centre)
        return "names of representations of D∞h, such as Πg and Σu-, stand for both factors, C∞v and the "
               "inversion, so "
               "nothing stands behind '#'; the tensor product is written *";
    return "'#' joins representations of the factors of a product, as of S5 x SO(3), and here is one group; "
           "the "
           "tensor product is written *";
  }

  Value sum() {
    if (++depth_ > max_lie_nesting) throw LimitError(fmt::format("more than {} nested brackets", max_lie_nesting));
    Value result = term();
    while (accept_plus()) result = result + term();
    --depth_;
    return result;
  }

  Value term() {
    Value result = power();
    while (accept_times()) result = algebra_.tensor(result, power());
    return result;
  }

  Value power() {
    Value base = atom();
    for (;;) {
      if (accept_dual()) {
        base = algebra_.dual(base);
        continue;
      }
      const auto above = superscript();
      if (!above && !accept_power()) return base;
      const std::uint64_t k = above ? *above : exponent([&] { return whole("an exponent", max_lie_power); });
      if (k > max_lie_power) fail(fmt::format("an exponent is at most {}", max_lie_power), at_);
      if constexpr (requires { algebra_.power(base, k); }) {
        base = algebra_.power(base, k);
        continue;
      }
      Value result = k == 0 ? algebra_.sym(0, base) : algebra_.multiple(1);  // V^0 is real where V is
      for (std::uint64_t i = 0; i < k; ++i) {
        task_.poll();
        result = algebra_.tensor(result, base);
      }
      base = std::move(result);
    }
  }

  Value atom() {
    skip();
    const std::size_t start = at_;
    if constexpr (requires { algebra_.of_dimensions({}, {}); })
      if (dimensions_ahead()) return by_dimensions(start);
    if (peek_digit()) {
      const auto multiplicity = whole("a multiplicity", max_lie_multiplicity);
      const Value copies = algebra_.multiple(Integer(multiplicity));
      if (name_follows()) return algebra_.tensor(copies, power());
      if constexpr (requires { algebra_.half_spin(multiplicity); })
        if (auto named = named_by_number(multiplicity, start)) return std::move(*named);
      if (!peek('*') && !(multiplicity == 1 && ends_factor(at_)))  // 1 is the trivial representation
        fail(fmt::format("a number is a multiplicity, as in 2*vector; representations are named vector, adjoint, "
                         "spinor, by their highest weights, irrep([1,1]), or their dimensions, irrep({})",
                         multiplicity),
             start);
      return copies;
    }
    if (accept('(')) {
      Value result = sum();
      expect(')', "expected ')' to close the parenthesis");
      return result;
    }
    if (accept_exterior()) return functor("alt");
    const std::string_view written = leading_word(text_.substr(at_)), word = canonical(written);
    at_ += written.size();
    try {
      if (word.empty() && peek('[')) return algebra_.irrep(numbers(), false);
      if constexpr (requires { algebra_.half_spinor(1); })
        if (word == "spinor" && accept('(')) return half_spinor();
      if (auto found = algebra_.named(word)) return std::move(*found);
      if (word == "irrep") return irrep();
      if (word == "harmonic") return harmonic();
    } catch (const DomainError& e) {
      fail(e.what(), start);
    }
    if (word == "dual" || word == "sym" || word == "alt" || word == "schur") return functor(word);
    if constexpr (requires(const Value& V) { algebra_.real(V); })
      if (word == "real" || word == "realform") return functor(word);
    if constexpr (requires { algebra_.irrep(word); })
      if (auto found = bare_name(start)) return std::move(*found);
    fail(word.empty() ? std::string("expected a representation such as vector, adjoint or irrep([1,1])")
                      : fmt::format("there is no representation named '{}'; known are {}", written.substr(0, 40),
                                    Algebra::known),
         start);
  }

  /// Does (27, 3*) or 16_1 stand here, a name of products by the dimensions and charges of the factors?
  bool dimensions_ahead() {
    const std::size_t start = at_;
    const bool list = accept('(');
    bool found = false;
    if (peek_digit()) {
      while (peek_digit()) ++at_;
      if (!accept("bar")) accept('*');
      found = peek(list ? ',' : '_');
    }
    at_ = start;
    return found;
  }

  Value by_dimensions(std::size_t start) {
    std::vector<std::pair<std::uint64_t, bool>> dimensions;
    const auto dimension = [&] {
      const std::uint64_t d = whole("a dimension", max_lie_dimension);
      dimensions.emplace_back(d, accept("bar") || accept('*'));
    };
    if (accept('(')) {
      do dimension();
      while (accept(','));
      expect(')', "expected ')' after the dimensions, as in (27, 3*)");
    } else {
      dimension();
    }
    std::vector<int> charges;
    const auto charge = [&] {
      const bool minus = accept('-');
      const auto value = static_cast<int>(whole("a charge", 1'000'000));
      charges.push_back(minus ? -value : value);
    };
    if (accept('_')) {
      if (accept('(')) {
        do charge();
        while (accept(','));
        expect(')', "expected ')' after the charges, as in 1_(1, -2)");
      } else {
        charge();
      }
    }
    try {
      return algebra_.of_dimensions(dimensions, charges);
    } catch (const DomainError& e) {
      fail(e.what(), start);
    }
  }

  /// 8, 10bar and 1/2, behind the number itself; nothing for multiplicities, and for 1, which is trivial.
  std::optional<Value> named_by_number(std::uint64_t n, std::size_t start) {
    try {
      if (accept('/')) {
        if (whole("the 2 of a spin", max_lie_multiplicity) != 2 || n % 2 == 0 || n > 1'000'000)
          fail("spins are written 1/2, 3/2, 5/2; other fractions name nothing", start);
        return algebra_.half_spin(n);
      }
      const bool bar = accept("bar");
      skip();
      const std::string_view rest = text_.substr(at_);
      if (!bar && rest.starts_with('*') && !rest.starts_with("**") && !ends_factor(at_ + 1)) {
        // 2*8 is a multiple; 3*3bar is a product, since 3 is a representation and nobody writes copies of 3bar so.
        std::size_t next = at_ + 1;
        while (next < text_.size() && is_space(text_[next])) ++next;
        const std::size_t end = std::min(text_.find_first_not_of("0123456789", next), text_.size());
        const bool is_spin = text_.substr(end).starts_with('/'), is_bar = text_.substr(end).starts_with("bar");
        if (end == next || !algebra_.has_dimension(n)) return {};
        if (!is_spin && !is_bar && (n == 1 || text_.substr(next, end - next) == "1")) return {};
        if (!is_bar)
          fail(fmt::format("{0} may be a multiplicity here, {0}*irrep(..), or a representation: irrep({0})*..", n),
               start);
      }
      if (n == 1 && !bar && !(algebra_.has_spins() && text_.find('/') != std::string_view::npos)) return {};
      if (algebra_.has_spins())
        fail(fmt::format("{0} may be a spin or a dimension: write irrep([{1}]) for the spin, irrep({0}) for the "
                         "dimension",
                         n, 2 * n),
             start);
      if (n > max_lie_dimension) fail(fmt::format("a dimension is at most {}", max_lie_dimension), start);
      return algebra_.of_dimension(n, bar);
    } catch (const DomainError& e) {
      fail(e.what(), start);
    }
  }

  /// Πu, Pi_u, Σg+: the sign belongs to the name, since Σ has always one.
  std::optional<Value> bare_name(std::size_t start) {
    std::size_t end = std::min(text_.find_first_of(" \t+-*^()#,", start), text_.size());
    for (const std::string_view sign : {"²", "³", "⊗", "⊕"}) end = std::min(text_.find(sign, start), end);
    const std::string_view letters = text_.substr(start, end - start);
    if ((letters.starts_with("Σ") || letters.starts_with("σ") || letters.starts_with("Sigma") ||
         letters.starts_with("sigma")) &&
        end < text_.size() && (text_[end] == '+' || text_[end] == '-'))
      ++end;
    try {
      Value found = algebra_.irrep(text_.substr(start, end - start));
      at_ = end;
      return found;
    } catch (const DomainError&) {
      return {};
    }
  }

  /// Reads the sign and the bracket that follow "spinor(".
  Value half_spinor() {
    const int sign = accept('+') ? 1 : accept('-') ? -1 : 0;
    if (sign == 0) fail("a half of the spinor is spinor(+) or spinor(-)", at_);
    expect(')', "expected ')' after the sign");
    return algebra_.half_spinor(sign);
  }

  Value irrep() {
    expect('(', "irrep takes a highest weight, as in irrep([1,0])");
    if constexpr (requires { algebra_.irrep(text_); }) {
      if (!peek('[')) {
        const std::size_t close = std::min(text_.find(')', at_), text_.size());
        const std::string_view name = text_.substr(at_, close - at_);
        at_ = close;
        expect(')', "expected ')' after the name");
        return algebra_.irrep(name);
      }
    } else if (peek_digit()) {
      const auto dimension = whole("a dimension", max_lie_dimension);
      const bool bar = leading_word(text_.substr(at_)) == "bar";
      if (bar) at_ += 3;
      const bool dual = bar || accept('*');
      expect(')', "expected ')' after the dimension, as in irrep(8) and irrep(10*)");
      return algebra_.of_dimension(dimension, dual);
    }
    const std::vector<int> list = numbers();
    skip();
    const bool partition = text_.substr(at_).starts_with("as");
    if (partition) {
      at_ += 2;
      skip();
      if (leading_word(text_.substr(at_)) != "partition") fail("expected 'as partition'", at_);
      at_ += 9;
    }
    expect(')', "expected ')' after the highest weight");
    return algebra_.irrep(list, partition);
  }

  Value harmonic() {
    expect('(', "harmonic takes the degree, as in harmonic(2)");
    const auto l = static_cast<int>(whole("the degree", 1'000'000));
    expect(')', "expected ')' after the degree");
    return algebra_.harmonic(l);
  }

  /// Our word for a name of other systems and textbooks.
  static std::string_view canonical(std::string_view word) {
    static constexpr std::string_view synonyms =
        "V=vector fundamental=vector defining=vector standard=vector natural=vector triv=trivial "
        "scalar=trivial "
        "Sym=sym symmetric=sym Alt=alt ext=alt Ext=alt exterior=alt wedge=alt Lambda=alt Schur=schur "
        "Dual=dual "
        "adj=adjoint Ad=adjoint Adjoint=adjoint";
    const std::string_view meant = meaning_of(synonyms, word);
    return meant.empty() ? word : meant;
  }

  /// Sym^2 V, Sym²(V): the degree in front; nothing where it stands in the brackets.
  std::optional<Value> functor_with_degree(std::string_view word) {
    if (word != "sym" && word != "alt") return {};
    std::optional<std::uint64_t> k = superscript();
    if (!k && accept('^')) k = exponent([&] { return whole("the degree", max_lie_power); });
    if (!k) return {};
    if (*k > max_lie_power) fail(fmt::format("the degree is at most {}", max_lie_power), at_);
    const auto degree = static_cast<int>(*k);
    return word == "sym" ? algebra_.sym(degree, atom()) : algebra_.alt(degree, atom());
  }

  Value functor(std::string_view word) {
    if (auto found = functor_with_degree(word)) return std::move(*found);
    expect('(', fmt::format("{} takes arguments in parentheses", word));
    std::uint64_t k = 0;
    std::vector<int> shape;
    skip();
    const std::size_t start = at_;
    if (word == "sym" || word == "alt") k = whole("the degree", max_lie_power);
    if (word == "schur") shape = numbers();
    if (k > 0 && peek(')')) fail(fmt::format("the power of what? Write sym({0}, vector) or alt({0}, vector)", k), at_);
    const bool alone = word == "dual" || word == "real" || word == "realform";
    if (!alone)
      expect(',', fmt::format("expected ',' and a representation, as in {}",
                              word == "schur" ? "schur([2,1], vector)" : "sym(2, vector)"));
    const Value inner = sum();
    expect(')', "expected ')' to close the arguments");
    if (word == "dual") return algebra_.dual(inner);
    if (word == "sym") return algebra_.sym(static_cast<int>(k), inner);
    if (word == "alt") return algebra_.alt(static_cast<int>(k), inner);
    try {
      if constexpr (requires { algebra_.real(inner); })
        if (word != "schur") return word == "real" ? algebra_.real(inner) : algebra_.real_form(inner);
      return algebra_.schur(Partition(shape), inner);
    } catch (const DomainError& e) {
      fail(e.what(), start);
    }
  }

  std::uint64_t whole(const std::string& what, std::uint64_t most) {
    skip();
    const std::size_t start = at_;
    if (!peek_digit()) fail(fmt::format("expected {}, a whole number", what), start);
    const auto value = number(most);
    if (!value) fail(fmt::format("{} is at most {}", what, most), start);
    return *value;
  }

  /// "[1,0,-2]".
  std::vector<int> numbers() {
    expect('[', "expected a list in brackets, as in [1,0]");
    std::vector<int> list;
    if (accept(']')) return list;
    do {
      if (list.size() > 2 * RootSystem::max_rank + 2) fail("the list is too long", at_);
      const bool minus = accept('-');
      const auto value = static_cast<int>(whole("a label", 1'000'000));
      list.push_back(minus ? -value : value);
    } while (accept(','));
    expect(']', "expected ',' or ']' in the list");
    return list;
  }

  const Algebra algebra_;
  const Task& task_;
  int depth_ = 0;
};

}  // namespace

bool names_lie_group(std::string_view text) {
  while (!text.empty() && (text[0] == ' ' || text[0] == '\t')) text.remove_prefix(1);
  const std::string_view word = leading_word(text);
  if (word == "Lie" || is_one_of(exceptional_names, word)) return true;
  if (!is_one_of(lie_families, family_of(word))) return false;
  const std::string_view rest = text.substr(word.size());
  if (rest.starts_with("+(")) return false;  // SO+(1,3)
  const std::size_t open = rest.find_first_not_of(" \t");
  if (family_of(word) != word) return open == std::string_view::npos || rest[open] != '(';  // U3(3) is finite
  if (open == std::string_view::npos) return true;
  if (rest[open] == '+') return false;  // SO+(1,3)
  if (rest[open] != '(') return true;
  const std::size_t stop = rest.find_first_of(",)", open);
  return stop == std::string_view::npos || rest[stop] == ')';
}

bool names_only_lie_groups(std::string_view text) {
  const auto factors = group_factors(text);
  return std::all_of(factors.begin(), factors.end(), [](const Excerpt& part) { return names_lie_group(part.text); });
}

LieGroup parse_lie_group(std::string_view text) { return LieGroupParser(text).parse(); }

LieCharacter parse_lie_representation(const LieGroup& G, std::string_view text, const Task& task) {
  return LieRepresentationParser<LieAlgebra>({G, task}, text, task).parse().character;
}

ClassFunction parse_orthogonal_representation(const OrthogonalEmbedding& f, std::string_view text, const Task& task) {
  return LieRepresentationParser<OrthogonalAlgebra>({f, task}, text, task).parse();
}

AxialCharacter parse_axial_representation(bool centre, std::string_view text, bool of_orthogonal, const Task& task) {
  return LieRepresentationParser<AxialAlgebra>({centre, of_orthogonal, task}, text, task).parse();
}

ContinuousRepresentation parse_axial_matrices(bool centre, std::string_view text, const Task& task) {
  return LieRepresentationParser<AxialMatrices>({centre, task}, text, task).parse().V;
}

}  // namespace intertwine
