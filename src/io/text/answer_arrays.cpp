// Answers as arrays of numbers.
#include "intertwine/io/answer_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/io/clebsch_gordan_text.hpp"
#include "intertwine/io/first_rows_text.hpp"
#include "intertwine/io/npy.hpp"
#include "intertwine/tables/data_section.hpp"
#include "intertwine/version.hpp"
#include "io/containers/npy_header.hpp"
#include "io/containers/table_container.hpp"
#include "io/text/json_values.hpp"

namespace intertwine {

namespace {

Dtype dtype_of(const AnswerArray& array) {
  constexpr Dtype types[] = {Dtype::f64, Dtype::c128, Dtype::i64};
  return types[array.values.index()];
}

std::span<const std::byte> contents_of(const AnswerArray& array) {
  return std::visit([](const auto& values) { return std::as_bytes(std::span(values)); }, array.values);
}

std::map<std::string, std::string> described(
    std::initializer_list<std::pair<const std::string, std::string>> more) {
  std::map<std::string, std::string> metadata(more);
  metadata.emplace("producer", "intertwine " INTERTWINE_VERSION);
  return metadata;
}

/// Numbers that are real or not, side by side until it is known.
class Numbers {
 public:
  Numbers(std::uint64_t count, const Task& task) {
    task.require_memory(saturated_product(2 * sizeof(std::complex<double>), count),
                        "the numbers of the answer");
    values_.reserve(count);
  }
  void add(const Cyclotomic& a) {
    values_.push_back(a.is_rational() ? std::complex<double>(a.to_complex().real(), 0) : a.to_complex());
  }
  void add_matrix(const FieldMatrix& A, const Task& task) {
    for (std::size_t i = 0; i < A.rows(); ++i) {
      task.poll();
      for (std::size_t j = 0; j < A.cols(); ++j) add(A(i, j));
    }
  }
  AnswerArray::Values real() && {
    std::vector<double> parts;
    parts.reserve(values_.size());
    for (const std::complex<double>& a : values_) parts.push_back(a.real());
    return parts;
  }
  AnswerArray::Values complex() && { return std::move(values_); }
  AnswerArray::Values over(bool is_real) && {
    return is_real ? std::move(*this).real() : std::move(*this).complex();
  }

 private:
  std::vector<std::complex<double>> values_;
};

/// int64 where all of them fit, otherwise the nearest doubles.
AnswerArray::Values whole_numbers(const std::vector<Integer>& numbers) {
  const Integer most = Integer(std::int64_t{1} << 62);
  if (std::all_of(numbers.begin(), numbers.end(), [&](const Integer& a) { return a <= most; })) {
    std::vector<std::int64_t> values;
    for (const Integer& a : numbers) values.push_back(static_cast<std::int64_t>(a));
    return values;
  }
  std::vector<double> values;
  for (const Integer& a : numbers) values.push_back(Cyclotomic(Rational(a)).to_complex().real());
  return values;
}

void add_images(std::vector<std::int64_t>& values, const Permutation& g, std::size_t degree) {
  for (std::size_t p = 0; p < degree; ++p)
    values.push_back(static_cast<std::int64_t>(g(static_cast<Point>(p))));
}

AnswerArray generators_of(const FiniteGroup& G) {
  std::vector<std::int64_t> images;
  for (const Permutation& g : G.generators()) add_images(images, g, G.degree());
  return {"generators", {G.generators().size(), G.degree()}, std::move(images)};
}

AnswerArray family_array(const char* name, const BasisElements::Family& family, bool column,
                         const Task& task) {
  const std::uint64_t size = saturated_product(family.rows, family.cols);
  task.require_memory(
      saturated_product(sizeof(std::complex<double>) * 2, saturated_product(size, family.elements.size())),
      "the elements of the basis as dense matrices");
  std::vector<std::complex<double>> values(family.elements.size() * size);
  bool is_real = true;
  for (std::size_t k = 0; k < family.elements.size(); ++k)
    for (const BasisElements::Entry& e : family.elements[k]) {
      task.poll();
      const std::complex<double> a = e.value.to_complex();
      values[k * size + e.row * family.cols + e.col] = a;
      is_real = is_real && a.imag() == 0;
    }
  std::vector<std::uint64_t> shape{family.elements.size(), family.rows};
  if (!column) shape.push_back(family.cols);
  if (!is_real) return {name, std::move(shape), std::move(values)};
  std::vector<double> parts;
  parts.reserve(values.size());
  for (const std::complex<double>& a : values) parts.push_back(a.real());
  return {name, std::move(shape), std::move(parts)};
}

std::size_t place_of(HalfInteger m, HalfInteger j) {
  return static_cast<std::size_t>((m.twice + j.twice) / 2);
}
std::uint64_t size_of(HalfInteger j) { return static_cast<std::uint64_t>(j.twice) + 1; }

/// Adds an array to those of couplings. \param fill  sets the entries of doubles [d1, d2, d]
template <class Spin, class Fill>
void add_coupling(AnswerArrays& answer, OrderedJson& names, const Spin& left, const Spin& right,
                  const Spin& of, const std::array<std::uint64_t, 3>& sizes, const Fill& fill,
                  const Task& task) {
  const std::uint64_t size = saturated_product(sizes[0], saturated_product(sizes[1], sizes[2]));
  task.require_memory(saturated_product(2 * sizeof(double), size), "the coefficients as arrays");
  std::vector<double> values(size);
  fill(values);
  answer.arrays.push_back({fmt::format("coupling.{}", answer.arrays.size() + 1),
                           {sizes[0], sizes[1], sizes[2]},
                           std::move(values)});
  names.push_back({to_string(left), to_string(right), to_string(of)});
}

AnswerArrays finished(AnswerArrays answer, const char* key, const OrderedJson& names) {
  answer.metadata.emplace(key, json_text(names, -1));
  if (names.size() != 1) answer.several = "the coefficients of one constituent: --index K";
  return answer;
}

/// The maps and norms of orthogonal copies. \param name  of a constituent
template <class Product, class Name>
AnswerArrays arrays_of_product(const Product& product, AnswerArrays answer, const Name& name,
                               const Task& task) {
  OrderedJson names = OrderedJson::array();
  for (const auto& part : product.constituents) {
    const std::size_t k = names.size() + 1, copies = part.maps.size();
    const std::uint64_t rows = part.maps.front().rows(), cols = part.maps.front().cols();
    Numbers maps(saturated_product(copies, saturated_product(rows, cols)), task), norms(copies, task);
    bool is_real = true;
    for (std::size_t a = 0; a < copies; ++a) {
      maps.add_matrix(part.maps[a], task);
      norms.add(part.norms[a]);
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j)
          is_real = is_real && part.maps[a](i, j) == part.maps[a](i, j).conjugate();
    }
    answer.arrays.push_back({fmt::format("maps.{}", k), {copies, rows, cols}, std::move(maps).over(is_real)});
    answer.arrays.push_back({fmt::format("norms.{}", k), {copies}, std::move(norms).real()});
    names.push_back(name(part));
  }
  return finished(std::move(answer), "constituents", names);
}

std::string names_of(const CharacterTable& table) {
  OrderedJson names = OrderedJson::array();
  for (std::size_t i = 0; i < table.size(); ++i) names.push_back(table.name(i));
  return json_text(names, -1);
}

}  // namespace

std::string to_bytes(const AnswerArrays& answer, Format format, const Task& task) {
  if (!is_of_arrays(format)) throw DomainError("to_bytes writes npy and npz, not " + to_string(format));
  std::uint64_t total = 0;
  std::vector<PlannedArray> arrays;
  for (const AnswerArray& array : answer.arrays) {
    const std::span<const std::byte> contents = contents_of(array);
    arrays.push_back({array.name, dtype_of(array), array.shape, contents, contents.size()});
    total += contents.size();
  }
  task.require_memory(2 * total, "the file of the arrays");
  if (format == Format::npy) {
    if (!answer.several.empty())
      throw DomainError(".npy holds one array, " + answer.several + "; .npz holds all of them");
    const PlannedArray& array = arrays.front();
    std::string bytes = npy_header(std::string(npy_descr(array.dtype)), array.shape);
    bytes.append(reinterpret_cast<const char*>(array.contents.data()), array.contents.size());
    return bytes;
  }
  Metadata metadata;
  for (const auto& [key, value] : answer.metadata) metadata.emplace("intertwine." + key, value);
  return file_bytes(TableFormat::npz, metadata, arrays);
}

AnswerArrays to_arrays(const CharacterTable& table, const Task& task) {
  const std::uint64_t k = table.size();
  Numbers values(k * k, task);
  std::vector<Integer> sizes, centralizers;
  std::vector<std::int64_t> orders, indicators;
  for (std::size_t i = 0; i < k; ++i) {
    task.poll();
    for (const Cyclotomic& value : table.row(i)) values.add(value);
    const ConjugacyClass c = table.classes()[i];
    sizes.push_back(c.size);
    centralizers.push_back(c.centralizer_order);
    orders.push_back(static_cast<std::int64_t>(c.element_order));
    indicators.push_back(table.indicator(i));
  }
  OrderedJson classes = OrderedJson::array();
  for (const std::string& name : table.class_names()) classes.push_back(name);
  return {{{"characters", {k, k}, std::move(values).complex()},
           {"class_sizes", {k}, whole_numbers(sizes)},
           {"centralizer_orders", {k}, whole_numbers(centralizers)},
           {"element_orders", {k}, std::move(orders)},
           {"indicators", {k}, std::move(indicators)}},
          described({{"group", table.group().name()},
                     {"irreps", names_of(table)},
                     {"classes", json_text(classes, -1)}})};
}

AnswerArrays to_arrays(const IrreducibleForms& forms, const Task& task) {
  const FiniteGroup& G = forms.table.group();
  AnswerArrays answer{{}, described({{"group", G.name()}, {"over", to_string(forms.over)}})};
  OrderedJson names = OrderedJson::array();
  for (const auto& [complex, form] : forms.entries) {
    const Representation& V = form.representation;
    const std::uint64_t d = V.dimension();
    Numbers values(saturated_product(G.generators().size(), saturated_product(d, d)), task);
    for (const Permutation& g : G.generators()) values.add_matrix(V.field_matrix(g), task);
    answer.arrays.push_back({fmt::format("irrep.{}", answer.arrays.size() + 1),
                             {G.generators().size(), d, d},
                             std::move(values).over(V.field().is_real())});
    std::string name;
    for (const std::size_t row : form.rows) name += (name.empty() ? "" : " + ") + forms.table.name(row);
    names.push_back(name);
  }
  answer.metadata.emplace("irreps", json_text(names, -1));
  if (answer.arrays.size() != 1) answer.several = "the matrices of one representation: --index K";
  answer.arrays.push_back(generators_of(G));
  return answer;
}

AnswerArrays to_arrays(const SymmetryAdaptedBasis& basis, const Task& task) {
  AnswerArrays answer{{},
                      described({{"group", basis.group},
                                 {"rep", basis.representation},
                                 {"over", to_string(basis.over)},
                                 {"dimension", std::to_string(basis.dimension)}})};
  std::vector<std::int64_t> degrees, multiplicities, indicators;
  OrderedJson names = basis.names;
  for (const FirstRows& part : basis.components) {
    const SparseColumns& X = part.basis;
    const std::size_t k = degrees.size() + 1;
    Numbers values(X.value.size(), task);
    for (const Cyclotomic& a : X.value) values.add(a);
    answer.arrays.push_back(
        {fmt::format("data.{}", k), {X.value.size()}, std::move(values).over(X.field.is_real())});
    answer.arrays.push_back({fmt::format("indices.{}", k),
                             {X.row.size()},
                             std::vector<std::int64_t>(X.row.begin(), X.row.end())});
    answer.arrays.push_back({fmt::format("indptr.{}", k),
                             {X.starts.size()},
                             std::vector<std::int64_t>(X.starts.begin(), X.starts.end())});
    degrees.push_back(static_cast<std::int64_t>(part.degree));
    multiplicities.push_back(static_cast<std::int64_t>(part.multiplicity));
    indicators.push_back(part.indicator);
  }
  const std::uint64_t count = degrees.size();
  answer.arrays.push_back({"degrees", {count}, std::move(degrees)});
  answer.arrays.push_back({"multiplicities", {count}, std::move(multiplicities)});
  answer.arrays.push_back({"indicators", {count}, std::move(indicators)});
  answer.metadata.emplace("irreps", json_text(names, -1));
  answer.several = "a sparse matrix of every component";
  return answer;
}

AnswerArrays to_arrays(const BasisElements& elements, const Task& task) {
  return {{family_array("weights", elements.weights, false, task),
           family_array("bias", elements.bias, true, task)},
          described({{"title", elements.title}})};
}

AnswerArrays to_arrays(const KernelSpace& kernels, const Task& task) {
  const std::uint64_t m = kernels.target().dimension(), n = kernels.source().dimension();
  const std::size_t degree = kernels.group().degree();
  Numbers values(saturated_product(kernels.dimension(), saturated_product(m, n)), task);
  std::vector<std::int64_t> cosets, representatives;
  std::vector<Integer> sizes;
  std::uint64_t number = 0;
  for (const KernelBlock& block : kernels.blocks()) {
    for (std::uint64_t k = 0; k < block.values.params(); ++k) {
      cosets.push_back(static_cast<std::int64_t>(sizes.size()));
      values.add_matrix(kernels.value(number++, block.representative), task);
    }
    add_images(representatives, block.representative, degree);
    sizes.push_back(block.size);
  }
  return {{{"values", {number, m, n}, std::move(values).over(kernels.field().is_real())},
           {"double_coset", {number}, std::move(cosets)},
           {"representatives", {sizes.size(), degree}, std::move(representatives)},
           {"sizes", {sizes.size()}, whole_numbers(sizes)}},
          described({{"group", kernels.group().name()},
                     {"from_subgroup", kernels.source().group().name()},
                     {"from", kernels.source().to_string()},
                     {"to_subgroup", kernels.target().group().name()},
                     {"to", kernels.target().to_string()},
                     {"convention", "kappa(h g k) = rho(h) kappa(g) sigma(k)"}})};
}

namespace {

/// For every degree the arrays hold the coefficients and the exponents of its monomials.
template <class Kernels>
AnswerArrays polynomial_arrays(const Kernels& kernels, const std::string& convention, bool real,
                               const Task& task) {
  const std::uint64_t m = kernels.target.dimension(), n = kernels.source.dimension();
  AnswerArrays answer{{},
                      described({{"group", kernels.group.name()},
                                 {"in", kernels.source.to_string()},
                                 {"out", kernels.target.to_string()},
                                 {"convention", convention}})};
  for (const auto& part : kernels.degrees) {
    const std::uint64_t monomials = part.monomials.size(), count = part.params();
    std::vector<std::int64_t> exponents;
    for (const std::vector<unsigned>& monomial : part.monomials)
      exponents.insert(exponents.end(), monomial.begin(), monomial.end());
    const std::uint64_t size = saturated_product(monomials, saturated_product(m, n));
    task.require_memory(saturated_product(4 * sizeof(double), saturated_product(size, count)),
                        "the kernels as arrays");
    std::vector<std::complex<double>> values(count * size);
    for (std::size_t k = 0; k < count; ++k)
      part.each_term(k, [&](std::size_t row, std::uint64_t entry, const Cyclotomic& value) {
        values[k * size + row * m * n + entry] = value.to_complex();
      });
    AnswerArray array{fmt::format("coefficients.{}", part.degree), {count, monomials, m, n}, {}};
    if (real) {
      std::vector<double> parts(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) parts[i] = values[i].real();
      array.values = std::move(parts);
    } else {
      array.values = std::move(values);
    }
    answer.arrays.push_back(std::move(array));
    answer.arrays.push_back({fmt::format("exponents.{}", part.degree),
                             {monomials, kernels.group.dimension()},
                             std::move(exponents)});
  }
  answer.several = "and kernels on R^n are polynomials: coefficients and exponents of every degree";
  return answer;
}

}  // namespace

AnswerArrays to_arrays(const SteerableKernels& kernels, const Task& task) {
  return polynomial_arrays(kernels, "kappa(h x) = rho_out(h) kappa(x) rho_in(h)^-1", true, task);
}

AnswerArrays to_arrays(const PointKernels& kernels, const Task& task) {
  return polynomial_arrays(kernels, "kappa(g x) = rho_out(g) kappa(x) rho_in(g)^-1",
                           kernels.field().is_real(), task);
}

AnswerArrays to_arrays(const SchurFunctorMatrix& answer, const Task& task) {
  Numbers values(saturated_product(answer.matrix.rows(), answer.matrix.cols()), task);
  values.add_matrix(FieldMatrix(answer.matrix), task);
  return {{{"matrix", {answer.matrix.rows(), answer.matrix.cols()}, std::move(values).real()}},
          described({{"partition", to_string(answer.shape)}})};
}

AnswerArrays to_arrays(const SpinCouplings& couplings, const Task& task) {
  const bool real = couplings.list.front().basis == CouplingBasis::real,
             symbols = couplings.list.front().form == CouplingForm::symbols;
  AnswerArrays answer{{},
                      described({{"group", couplings.group},
                                 {"basis", real ? "real" : "complex"},
                                 {"form", symbols ? "3j" : "coefficients"}})};
  OrderedJson names = OrderedJson::array();
  for (const Coupling& c : couplings.list) {
    task.poll();
    add_coupling(
        answer, names, c.j1, c.j2, c.j, {size_of(c.j1), size_of(c.j2), size_of(c.j)},
        [&](std::vector<double>& values) {
          for (const auto& e : c.entries)
            values[(place_of(e.m1, c.j1) * size_of(c.j2) + place_of(e.m2, c.j2)) * size_of(c.j) +
                   place_of(e.m, c.j)] = e.value.to_double();
        },
        task);
  }
  return finished(std::move(answer), "couplings", names);
}

AnswerArrays to_arrays(const LorentzCouplings& couplings, const Task& task) {
  AnswerArrays answer{
      {}, described({{"group", couplings.group}, {"basis", "complex"}, {"form", "coefficients"}})};
  OrderedJson names = OrderedJson::array();
  for (const LorentzCoupling& c : couplings.list) {
    task.poll();
    const Coupling &a = c.first, &b = c.second;
    const std::array<std::uint64_t, 3> sizes{size_of(a.j1) * size_of(b.j1), size_of(a.j2) * size_of(b.j2),
                                             size_of(a.j) * size_of(b.j)};
    add_coupling(
        answer, names, c.left(), c.right(), c.constituent(), sizes,
        [&](std::vector<double>& values) {
          for (const auto& x : a.entries)
            for (const auto& y : b.entries)
              values[((place_of(x.m1, a.j1) * size_of(b.j1) + place_of(y.m1, b.j1)) * sizes[1] +
                      place_of(x.m2, a.j2) * size_of(b.j2) + place_of(y.m2, b.j2)) *
                         sizes[2] +
                     place_of(x.m, a.j) * size_of(b.j) + place_of(y.m, b.j)] =
                  (x.value * y.value).to_double();
        },
        task);
  }
  return finished(std::move(answer), "couplings", names);
}

AnswerArrays to_arrays(const FiniteClebschGordan& answer, const Task& task) {
  const auto name = [&](const auto& V) { return answer.table.name(V.row); };
  return arrays_of_product(
      answer,
      {{},
       described({{"group", answer.table.group().name()},
                  {"left", name(answer.left)},
                  {"right", name(answer.right)}})},
      [&](const auto& part) { return name(part.irreducible); }, task);
}

AnswerArrays to_arrays(const CompactClebschGordan& answer, const Task& task) {
  return arrays_of_product(
      answer,
      {{},
       described({{"group", answer.left.group().name()},
                  {"left", answer.left.to_string()},
                  {"right", answer.right.to_string()}})},
      [](const auto& part) { return part.representation.to_string(); }, task);
}

std::string codes_to_npy(const WeightBlock& table, const Task& task) {
  const WeightPattern& pattern = table.weights;
  if (!pattern.is_tied())
    throw DomainError(
        "a sparse basis has no codes for a .npy file; basis writes its elements there, and tie writes .npz "
        "and .safetensors");
  task.require_memory(
      saturated_product(2 * code_bytes(pattern.params), saturated_product(pattern.rows, pattern.cols)),
      "the codes of the table");
  return std::visit(
      [&](auto codes) {
        return to_npy(NpyArray{{pattern.rows, pattern.cols}, std::move(codes)});
      },
      all_codes(*pattern.tied().codes, pattern.params, task));
}

}  // namespace intertwine
