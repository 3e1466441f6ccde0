// Weight tables, their files, pictures and proofs.
#include "tables.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/tuple.h>

#include "bindings.hpp"
#include "intertwine/equivariant/closure.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/answer_file.hpp"
#include "intertwine/io/basis_text.hpp"
#include "intertwine/io/picture.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/io/verify_table.hpp"
#include "polynomial_maps.hpp"

namespace intertwine::python {

const Codes& Table::in_memory(WeightPattern& pattern, const Task& task) const {
  const std::lock_guard lock(state_->mutex);
  if (!pattern.is_tied())
    throw DomainError(
        "the table has sparse elements and no codes; look at basis_ptr, basis_row, basis_col and basis_val");
  auto& codes = std::get<TiedEntries>(pattern.entries).codes;
  if (!codes->in_memory())
    codes = code_rows(pattern.rows, pattern.cols, all_codes(*codes, pattern.params, task));
  return *codes->in_memory();
}

WeightTable Table::snapshot() const {
  const std::lock_guard lock(state_->mutex);
  return state_->table;
}

const std::string& Table::sha256(const Task& task) const {
  const std::lock_guard lock(state_->mutex);
  if (state_->sha256.empty()) state_->sha256 = digest(state_->table, task);
  return state_->sha256;
}

bool operator==(const Table& a, const Table& b) {
  if (a.state_ == b.state_) return true;
  const WeightTable &s = a.table(), &t = b.table();
  return s.channels == t.channels && s.weights.rows == t.weights.rows && s.weights.cols == t.weights.cols &&
         s.weights.params == t.weights.params && a.sha256({}) == b.sha256({});
}

namespace {

template <class T, std::size_t dimensions>
nb::object view(std::span<const T> data, const std::size_t (&shape)[dimensions], nb::handle owner) {
  return nb::cast(
      nb::ndarray<nb::numpy, const T, nb::ndim<static_cast<nb::ssize_t>(dimensions)>, nb::c_contig>(
          data.data(), dimensions, shape, owner));
}

nb::object view(const Codes& codes, std::size_t rows, std::size_t cols, nb::handle owner) {
  return std::visit(
      [&](const auto& list) {
        using T = typename std::decay_t<decltype(list)>::value_type;
        return cols == 0 ? view<T, 1>(list, {rows}, owner) : view<T, 2>(list, {rows, cols}, owner);
      },
      codes);
}

const Table& table_of(nb::handle self) { return *nb::inst_ptr<Table>(self); }

void bind_arrays(nb::class_<Table>& c) {
  c.def_prop_ro(
      "weight_code",
      [](nb::handle self) {
        const Table& t = table_of(self);
        const Codes& codes = *property_of(
            [&] { return Limits().run([&](const Task& task) { return &t.weight_codes(task); }); });
        return view(codes, t.table().weights.rows, t.table().weights.cols, self);
      },
      nb::sig("def weight_code(self) -> numpy.typing.NDArray[numpy.uint8 | numpy.int32]"),
      "[rows, cols] read-only view: 0 a structural zero, 1 + k the parameter theta_k, 1 + params + k minus "
      "theta_k; uint8 if\n"
      "2 params + 1 <= 256, otherwise int32. DomainError unless tied.");
  c.def_prop_ro(
      "bias_code",
      [](nb::handle self) {
        const Table& t = table_of(self);
        const Codes& codes =
            *property_of([&] { return Limits().run([&](const Task& task) { return &t.bias_codes(task); }); });
        return view(codes, t.table().bias.rows, 0, self);
      },
      nb::sig("def bias_code(self) -> numpy.typing.NDArray[numpy.uint8 | numpy.int32]"),
      "[rows] read-only view: the same for the bias parameters.");
  c.def_prop_ro(
      "orbit_size",
      [](nb::handle self) {
        const auto& sizes =
            property_of([&]() -> const auto& { return table_of(self).table().weights.tied().orbit_size; });
        return view<std::int64_t, 1>(sizes, {sizes.size()}, self);
      },
      nb::sig("def orbit_size(self) -> numpy.typing.NDArray[numpy.int64]"),
      "[params] read-only view: how many entries are tied to each parameter. DomainError unless tied.");
  c.def_prop_ro(
      "squared_norms", [](const Table& t) { return t.table().weights.squared_norms(); },
      "[params] the squared norms of the basis elements; for tied ones the orbit sizes.");
  const auto sparse = [&](const char* name, auto list, const char* signature, const char* doc) {
    c.def_prop_ro(
        name,
        [list](nb::handle self) {
          const auto& array =
              property_of([&]() -> const auto& { return list(table_of(self).table().weights.sparse()); });
          using T = typename std::decay_t<decltype(array)>::value_type;
          return view<T, 1>(array, {array.size()}, self);
        },
        nb::sig(signature), doc);
  };
  sparse(
      "basis_ptr", [](const SparseElements& e) -> const auto& { return e.start; },
      "def basis_ptr(self) -> numpy.typing.NDArray[numpy.int64]",
      "[params + 1] read-only view: where the entries of each element start. DomainError if tied (also "
      "below).");
  sparse(
      "basis_row", [](const SparseElements& e) -> const auto& { return e.row; },
      "def basis_row(self) -> numpy.typing.NDArray[numpy.int32]", "[entries] read-only view: their rows.");
  sparse(
      "basis_col", [](const SparseElements& e) -> const auto& { return e.col; },
      "def basis_col(self) -> numpy.typing.NDArray[numpy.int32]", "[entries] read-only view: their columns.");
  sparse(
      "basis_val", [](const SparseElements& e) -> const auto& { return e.value; },
      "def basis_val(self) -> numpy.typing.NDArray[numpy.float64]",
      "[entries] read-only view: the doubles nearest to their exact values.");
}

void bind_sizes(nb::class_<Table>& c) {
  c.def_prop_ro(
      "rows", [](const Table& t) { return t.table().weights.rows; }, "Outputs of the site pattern.");
  c.def_prop_ro(
      "cols", [](const Table& t) { return t.table().weights.cols; }, "Inputs of the site pattern.");
  c.def_prop_ro(
      "params", [](const Table& t) { return t.table().weights.params; },
      "Weight parameters of the site pattern.");
  c.def_prop_ro(
      "bias_params", [](const Table& t) { return t.table().bias.params; },
      "Bias parameters of the site pattern.");
  c.def_prop_ro(
      "channels", [](const Table& t) { return std::pair(t.table().channels.out, t.table().channels.in); },
      "(out, in): how often the pattern is repeated on each side; theta has the shape [params, out, in].");
  c.def_prop_ro(
      "is_tied", [](const Table& t) { return t.table().is_tied(); },
      "Codes (True) or sparse elements (False)?");
  c.def_prop_ro(
      "metadata", [](const Table& t) { return t.table().metadata; },
      "What files say of the table: group, rep_in, rep_out, certificate, ...");
  prop_limited(
      c, "sha256",
      [](const Limits& limits, const Table& t) {
        return limits.run([&](const Task& task) { return t.sha256(task); });
      },
      "The digest of the arrays, the same in every format: the table's name in checkpoints.");
}

struct Symmetry {
  TableClosure closure;
};

}  // namespace

template <>
inline constexpr auto members<ProvedCharacters> =
    std::tuple(&ProvedCharacters::group, &ProvedCharacters::order, &ProvedCharacters::classes,
               &ProvedCharacters::characters, &ProvedCharacters::matrices, &ProvedCharacters::claims);
template <>
inline constexpr auto members<TableClosure> =
    std::tuple(&TableClosure::group, &TableClosure::order, &TableClosure::has_signs);
template <>
inline constexpr auto members<Symmetry> = std::tuple(&Symmetry::closure);

namespace {

void bind_symmetry(nb::module_& m, nb::class_<Table>& c) {
  nb::class_<Symmetry> s(m, "TableSymmetry", nb::is_final(),
                         "The largest group that a table is equivariant to.");
  s.def_prop_ro(
      "order", [](const Symmetry& s) { return s.closure.order; }, "Its order, proved.");
  s.def_prop_ro(
      "group", [](const Symmetry& s) { return s.closure.group; },
      "On rows + cols points, row i being point i and column j point rows + j; with signs on twice as many: "
      "the vectors +e_i\n"
      "and -e_i are points 2i and 2i + 1, columns after the rows.");
  s.def_prop_ro(
      "has_signs", [](const Symmetry& s) { return s.closure.has_signs; }, "Which of the two it is.");
  s.def("__repr__", [](const Symmetry& s) {
    return "<TableSymmetry of order " + s.closure.order.str() + (s.closure.has_signs ? ", with signs>" : ">");
  });
  bind_record<Symmetry>(s);
  def_limited(
      c, "symmetry",
      [](const Limits& limits, const Table& t, std::uint64_t max_entries) -> std::optional<Symmetry> {
        return limits.run([&](const Task& task) -> std::optional<Symmetry> {
          t.weight_codes(task);
          ClosureOptions options;
          options.max_entries = max_entries;
          const WeightTable now = t.snapshot();
          auto closure = table_closure(*now.weights.tied().codes, now.weights.params, options, task);
          if (!closure) return std::nullopt;
          return Symmetry{std::move(*closure)};
        });
      },
      nb::arg("max_entries") = 4'000'000,
      "The largest group that the pattern is equivariant to, often larger than the one it was made for; None "
      "if the table\n"
      "is too large or the search too long. DomainError unless tied.");
}

void bind_files(nb::class_<Table>& c) {
  def_limited(
      c, "save",
      [](const Limits& limits, const Table& t, Path path) {
        return limits.run([&](const Task& task) { return write_table(path.value, t.snapshot(), task); });
      },
      nb::arg("path"),
      "Writes .safetensors, .npz, .h5, .json or a C++ header .hpp, atomically, row by row where the codes "
      "are not "
      "in memory; gives the sha256.");
  def_limited(
      c, "picture",
      [](const Limits& limits, const Table& t, std::optional<Path> path, bool isotypic) -> std::string {
        return limits.run([&](const Task& task) -> std::string {
          WeightTable table = t.snapshot();
          if (isotypic && !table.isotypic) table = with_isotypic_form(std::move(table), task);
          const IsotypicPicture shown =
              isotypic ? isotypic_picture(table) : IsotypicPicture{table, picture_text(table)};
          if (!path) return svg_picture(shown.table, shown.text, task);
          write_picture(path->value, shown.table, shown.text, task);
          return path->value.string();
        });
      },
      nb::arg("path") = nb::none(), nb::arg("isotypic") = false,
      "A picture, one colour a parameter: an SVG document as text, or the file `path`, whose name is given "
      "back: .svg,\n"
      ".png (tables of any size), or .html, a page to look around in: point at an entry and see its orbit.\n"
      "isotypic: W in the coordinates where it falls into one block for each irreducible representation.");
  def_python(c, "to_dataframe", "intertwine._gates", "table_to_dataframe",
             "def to_dataframe(self) -> typing.Any",
             "The entries that are not structural zeros as a DataFrame of pandas: row, col, parameter, sign; "
             "those of sparse elements "
             "with their value instead of the sign.");
  c.def(
      "text_picture",
      [](const Table& t, unsigned width, bool colour) {
        return terminal_picture(t.snapshot(), width, colour);
      },
      nb::arg("width") = 80, nb::arg("colour") = false,
      "A picture for a terminal: letters for parameters, dots for zeros.");
  c.def(
      "_repr_svg_",
      [](const Table& t) -> std::optional<std::string> {
        const WeightTable table = t.snapshot();
        if (table.weights.rows * table.weights.cols > 65536) return std::nullopt;
        return svg_picture(table, picture_text(table));
      },
      "For notebooks.");
}

nb::bytes bytes_of(const auto& list) {
  return nb::bytes(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(list[0]));
}

template <class T>
std::vector<T> list_of(const nb::bytes& bytes) {
  std::vector<T> list(bytes.size() / sizeof(T));
  std::copy_n(reinterpret_cast<const T*>(bytes.c_str()), list.size(), list.begin());
  return list;
}

/// The arrays of a family of matrices as bytes, for pickle; Python's int keeps the large integers.
nb::tuple pickled(const WeightPattern& p, const Codes* codes) {
  if (p.is_tied())
    return nb::make_tuple(p.rows, p.cols, p.params, bytes_of(p.tied().orbit_size),
                          std::visit([](const auto& list) { return bytes_of(list); }, *codes));
  const SparseElements& e = p.sparse();
  nb::dict large;
  for (const auto& [place, digits] : e.exact.large) large[nb::cast(place)] = nb::cast(digits);
  return nb::make_tuple(p.rows, p.cols, p.params, bytes_of(e.start), bytes_of(e.row), bytes_of(e.col),
                        bytes_of(e.value), e.exact.field, e.exact.generator, e.exact.degree,
                        bytes_of(e.exact.coordinates), large);
}

WeightPattern unpickled(const nb::tuple& state) {
  WeightPattern p{nb::cast<std::uint64_t>(state[0]), nb::cast<std::uint64_t>(state[1]),
                  nb::cast<std::uint64_t>(state[2]), TiedEntries{}};
  const auto bytes = [&](std::size_t i) { return nb::cast<nb::bytes>(state[i]); };
  if (state.size() == 5) {
    Codes codes = list_of<std::uint8_t>(bytes(4));
    if (code_bytes(p.params) == 4) codes = list_of<std::int32_t>(bytes(4));
    p.entries = TiedEntries{list_of<std::int64_t>(bytes(3)), code_rows(p.rows, p.cols, std::move(codes))};
    return p;
  }
  SparseElements e;
  e.start = list_of<std::int64_t>(bytes(3));
  e.row = list_of<std::int32_t>(bytes(4));
  e.col = list_of<std::int32_t>(bytes(5));
  e.value = list_of<double>(bytes(6));
  e.exact.field = nb::cast<std::string>(state[7]);
  e.exact.generator = nb::cast<std::string>(state[8]);
  e.exact.degree = nb::cast<std::uint64_t>(state[9]);
  e.exact.coordinates = list_of<std::int64_t>(bytes(10));
  e.exact.large = nb::cast<std::map<std::uint64_t, std::string>>(state[11]);
  p.entries = std::move(e);
  return p;
}

nb::object pickled(const std::optional<GeneratorImages>& proof) {
  if (!proof) return nb::none();
  if (const auto* images = std::get_if<GeneratorImages::Signed>(&proof->images))
    return nb::make_tuple(proof->generators, bytes_of(images->row), bytes_of(images->column));
  const auto& general = std::get<GeneratorImages::General>(proof->images);
  const auto part = [](const GeneratorImages::Matrices& m) {
    return nb::make_tuple(bytes_of(m.start), bytes_of(m.row), bytes_of(m.col), bytes_of(m.numerator),
                          bytes_of(m.denominator));
  };
  std::string kinds;
  for (const bool algebra : general.algebra) kinds += algebra ? 'a' : 'g';
  return nb::make_tuple(proof->generators, part(general.row), part(general.column), general.degree, kinds,
                        general.prime, general.root);
}

std::optional<GeneratorImages> unpickled_proof(const nb::object& state) {
  if (state.is_none()) return std::nullopt;
  const auto parts = nb::cast<nb::tuple>(state);
  GeneratorImages proof{nb::cast<std::vector<std::string>>(parts[0]), {}};
  if (parts.size() == 3) {
    proof.images = GeneratorImages::Signed{list_of<std::int32_t>(nb::cast<nb::bytes>(parts[1])),
                                           list_of<std::int32_t>(nb::cast<nb::bytes>(parts[2]))};
    return proof;
  }
  const auto part = [](const nb::tuple& m) {
    const auto bytes = [&](std::size_t i) { return nb::cast<nb::bytes>(m[i]); };
    return GeneratorImages::Matrices{list_of<std::int64_t>(bytes(0)), list_of<std::int32_t>(bytes(1)),
                                     list_of<std::int32_t>(bytes(2)), list_of<std::int64_t>(bytes(3)),
                                     list_of<std::int64_t>(bytes(4))};
  };
  auto& general = proof.images.emplace<GeneratorImages::General>();
  general.row = part(nb::cast<nb::tuple>(parts[1]));
  general.column = part(nb::cast<nb::tuple>(parts[2]));
  general.degree = nb::cast<std::uint64_t>(parts[3]);
  for (const char kind : nb::cast<std::string>(parts[4])) general.algebra.push_back(kind == 'a');
  general.prime = nb::cast<std::uint64_t>(parts[5]);
  general.root = nb::cast<std::uint64_t>(parts[6]);
  return proof;
}

void bind_pickle(nb::class_<Table>& c) {
  c.def(
      "__getstate__",
      [](const Table& t) {
        const Codes *weights = nullptr, *bias = nullptr;
        if (t.table().is_tied())
          Limits().run(
              [&](const Task& task) { weights = &t.weight_codes(task), bias = &t.bias_codes(task); });
        const WeightTable table = t.snapshot();
        nb::object isotypic = nb::none();
        if (table.isotypic) {
          nb::list blocks;
          for (const auto& b : table.isotypic->blocks)
            blocks.append(nb::make_tuple(b.division, b.degree, b.copies_out, b.copies_in));
          isotypic = nb::make_tuple(blocks, bytes_of(table.isotypic->T_out), bytes_of(table.isotypic->T_in));
        }
        return nb::make_tuple(pickled(table.weights, weights), pickled(table.bias, bias), table.channels.out,
                              table.channels.in, table.metadata, isotypic, pickled(table.proof));
      },
      nb::sig("def __getstate__(self) -> tuple[object, ...]"));
  c.def(
      "__setstate__",
      [](Table& t, const nb::tuple& state) {
        WeightTable table;
        table.weights = unpickled(nb::cast<nb::tuple>(state[0]));
        table.bias = unpickled(nb::cast<nb::tuple>(state[1]));
        table.channels = {nb::cast<std::uint64_t>(state[2]), nb::cast<std::uint64_t>(state[3])};
        table.metadata = nb::cast<std::map<std::string, std::string>>(state[4]);
        if (!state[5].is_none()) {
          const auto parts = nb::cast<nb::tuple>(state[5]);
          IsotypicBlocks blocks;
          for (const nb::handle b : nb::iter(parts[0]))
            blocks.blocks.push_back({nb::cast<std::uint64_t>(b[0]), nb::cast<std::uint64_t>(b[1]),
                                     nb::cast<std::uint64_t>(b[2]), nb::cast<std::uint64_t>(b[3])});
          blocks.T_out = list_of<double>(nb::cast<nb::bytes>(parts[1]));
          blocks.T_in = list_of<double>(nb::cast<nb::bytes>(parts[2]));
          table.isotypic = std::move(blocks);
        }
        if (state.size() > 6) table.proof = unpickled_proof(state[6]);
        Limits().run([&](const Task& task) { require_consistent(table, task); });
        new (&t) Table(std::move(table));
      },
      nb::arg("state"), nb::sig("def __setstate__(self, state: tuple[object, ...], /) -> None"));
}

std::string proof_repr(const TableProof& p) {
  return "<TableProof of " + std::to_string(p.params) + " weights, " + std::to_string(p.bias_params) +
         " biases: " + p.group + ", " + p.rep_in + " -> " + p.rep_out + ">";
}

void bind_proof(nb::module_& m, nb::class_<Table>& c) {
  nb::class_<TableProof> p(m, "TableProof", nb::is_final(),
                           "What was proved again of a table, from the table alone. All of it holds.");
  p.def_ro("group", &TableProof::group, "Its expression or generators.");
  p.def_prop_ro(
      "order", [](const TableProof& p) { return p.order; },
      "The order of the group that the generators generate; None for continuous groups.");
  p.def_ro("rep_in", &TableProof::rep_in, "V.");
  p.def_ro("rep_out", &TableProof::rep_out, "U.");
  p.def_ro("rows", &TableProof::rows, "Outputs of the site pattern.");
  p.def_ro("cols", &TableProof::cols, "Inputs of the site pattern.");
  p.def_ro("params", &TableProof::params, "Weight parameters.");
  p.def_ro("bias_params", &TableProof::bias_params, "Bias parameters.");
  p.def_prop_ro(
      "dimension", [](const TableProof& p) { return p.dimension; }, "dim Hom(V, U), multiplicities counted.");
  p.def_prop_ro(
      "bias_dimension", [](const TableProof& p) { return p.bias_dimension; },
      "dim of the invariants of U, multiplicities counted.");
  p.def_ro("route", &TableProof::route, "How the parameters were counted again.");
  p.def_ro("sha256", &TableProof::sha256, "The digest of the table.");
  p.def_ro("images", &TableProof::images,
           "Was there a proof in the file, and are its images of the generators those of the group?");
  p.def_ro("claims", &TableProof::claims, "What the metadata say that nothing checks: the writer's word.");
  p.def(
      "to_json", [](const TableProof& p) { return proof_json(p); }, "A JSON object.");
  p.def("__str__", [](const TableProof& p) { return proof_text(p); });
  p.def("__repr__", &proof_repr);
  bind_record<TableProof>(p);
  def_python(p, "_repr_html_", "intertwine._notebook", "table_proof", "def _repr_html_(self) -> str",
             "For notebooks.");
  def_limited(
      c, "verify",
      [](const Limits& limits, const Table& t) {
        return limits.run([&](const Task& task) { return verify(t.snapshot(), task); });
      },
      "Proves the table again from itself alone; VerificationError names the first claim that fails.");
  nb::class_<ProvedCharacters> q(
      m, "ProvedCharacters", nb::is_final(),
      "What verify() proved of a character table, or of irreducible representations, from the proof in their "
      "file.");
  q.def_ro("group", &ProvedCharacters::group, "As the file calls it.");
  q.def_prop_ro(
      "order", [](const ProvedCharacters& p) { return p.order; }, "|G|.");
  q.def_ro("classes", &ProvedCharacters::classes, "The number of classes of the group.");
  q.def_ro("characters", &ProvedCharacters::characters, "How many irreducible characters the file has.");
  q.def_ro("matrices", &ProvedCharacters::matrices, "Representations, not characters alone?");
  q.def_ro("claims", &ProvedCharacters::claims, "What the file says that nothing checks: the writer's word.");
  q.def(
      "to_json", [](const ProvedCharacters& p) { return proof_json(p); }, "A JSON object.");
  q.def("__str__", [](const ProvedCharacters& p) { return proof_text(p); });
  q.def("__repr__", [](const ProvedCharacters& p) {
    return "<ProvedCharacters " + p.group + ", " + std::to_string(p.characters) + " of " +
           std::to_string(p.classes) + ">";
  });
  bind_record<ProvedCharacters>(q);
  m.def("verify", limited(+[](const Limits& limits, Path path) {
          return limits.run([&](const Task& task) { return verify_file(path.value, task); });
        }),
        nb::arg("path"), nb::kw_only(), nb::arg("memory") = nb::none(), nb::arg("seconds") = nb::none(),
        nb::arg("progress") = nb::none(), nb::arg("threads") = nb::none(),
        R"(Proves again what a file claims, from the file alone.

It takes weight tables, blocks and diagrams, and the JSON of polynomial maps, kernels, irreducible representations and character
tables with their proofs.

Parameters
----------
path : str or os.PathLike
    the file.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
TableProof, BlockProof, DiagramProof, PolynomialMaps, IrreducibleForms, ProvedCharacters or kernels
    what was proved.

Raises
------
VerificationError
    names the first claim that fails.
FileError
    for a file that is damaged.

See Also
--------
Table.verify : the same for a table in memory.)");
  m.def("load_table", limited(+[](const Limits& limits, Path path) {
          return limits.run([&](const Task& task) { return Table(read_table(path.value, task)); });
        }),
        nb::arg("path"), nb::kw_only(), nb::arg("memory") = nb::none(), nb::arg("seconds") = nb::none(),
        nb::arg("progress") = nb::none(), nb::arg("threads") = nb::none(),
        R"(Reads a weight table from a file.

Everything in the file is checked, and its digest. Codes stay in the file until they are asked for.

Parameters
----------
path : str or os.PathLike
    a .safetensors, .npz or .json file.
**limits
    `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

Returns
-------
Table
    the table; its arrays are views.

Raises
------
FileError
    for a file that is damaged, or holds something else; the sentence says what.

See Also
--------
intertwine.tables.load_blocks : files of several blocks.
intertwine.verify : proves a file again.)");
}

}  // namespace

void bind_tables(nb::module_& m) {
  bind_diagrams(m);
  nb::class_<Table> c(
      m, "Table", nb::is_final(),
      "A weight table: which entries of W and of the bias share a parameter (tied), or the sparse elements "
      "of a basis.\n"
      "y = W x + b, W = sum of theta_k B_k. Arrays are read-only views that keep the table alive; nothing is "
      "copied.\n"
      "Equal tables have the same arrays and channels; what the metadata say is not looked at.");
  bind_sizes(c);
  bind_arrays(c);
  bind_symmetry(m, c);
  bind_files(c);
  bind_pickle(c);
  bind_block_tables(m);
  bind_proof(m, c);
  c.def(
      "__eq__",
      [](const Table& a, const Table& b) { return Limits().run([&](const Task&) { return a == b; }); },
      nb::is_operator(), nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"));
  c.def("__hash__", [](const Table& t) {
    return static_cast<Py_hash_t>(
        std::hash<std::string>()(Limits().run([&](const Task& task) { return t.sha256(task); })));
  });
  bind_copies<Table>(c);
  c.def("__repr__", [](const Table& t) {
    const WeightTable& w = t.table();
    return "<Table " + std::to_string(w.weights.rows) + " x " + std::to_string(w.weights.cols) + ", " +
           std::to_string(w.weights.params) + " weights, " + std::to_string(w.bias.params) +
           " biases, channels (" + std::to_string(w.channels.out) + ", " + std::to_string(w.channels.in) +
           "), " + (w.is_tied() ? "tied" : "sparse") + ">";
  });
}

}  // namespace intertwine::python
