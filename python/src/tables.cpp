// Weight tables, their files, pictures and proofs.
#include "tables.hpp"

#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "intertwine/equivariant/closure.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/answer_file.hpp"
#include "intertwine/io/basis_text.hpp"
#include "intertwine/io/picture.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/io/verify_table.hpp"
#include "intertwine/numeric/layer.hpp"
#include "polynomial_maps.hpp"

namespace intertwine::python {

Table::Table(WeightTable table) : state_(std::make_shared<State>()) {
  if (table.is_single()) {
    state_->block = std::move(table).block();
    return;
  }
  for (auto& row : table.blocks) {
    state_->blocks.emplace_back();
    for (WeightBlock& block : row) state_->blocks.back().emplace_back(std::move(block));
  }
}

Table::Table(std::vector<std::vector<Table>> blocks) : state_(std::make_shared<State>()) {
  WeightTable fitting;
  for (const auto& row : blocks) {
    fitting.blocks.emplace_back();
    for (const Table& block : row) fitting.blocks.back().push_back(block.block_snapshot());
  }
  require_fitting(fitting);
  if (fitting.is_single())
    state_ = blocks.front().front().state_;
  else
    state_->blocks = std::move(blocks);
}

const WeightBlock& Table::block() const {
  if (!is_single())
    throw DomainError(
        fmt::format("the table has {} x {} blocks: look at one of .blocks, or ask for one "
                    "pattern, hom.table(single=True)",
                    state_->blocks.size(), state_->blocks.front().size()));
  return state_->block;
}

std::vector<std::vector<Table>> Table::blocks() const {
  return is_single() ? std::vector<std::vector<Table>>{{*this}} : state_->blocks;
}

const Codes& Table::in_memory(WeightPattern WeightBlock::*family, const Task& task) const {
  block();
  const std::lock_guard lock(state_->mutex);
  WeightPattern& pattern = state_->block.*family;
  if (!pattern.is_tied())
    throw DomainError(
        "the table has sparse elements and no codes; look at basis_ptr, basis_row, basis_col and basis_val");
  auto& codes = std::get<TiedEntries>(pattern.entries).codes;
  if (!codes->in_memory()) codes = code_rows(pattern.rows, pattern.cols, all_codes(*codes, pattern.params, task));
  return *codes->in_memory();
}

WeightTable Table::snapshot() const {
  const std::lock_guard lock(state_->mutex);
  if (is_single()) return state_->block;
  WeightTable table;
  for (const auto& row : state_->blocks) {
    table.blocks.emplace_back();
    for (const Table& block : row) table.blocks.back().push_back(block.block_snapshot());
  }
  return table;
}

const std::string& Table::sha256(const Task& task) const {
  std::vector<std::string> digests;
  for (const auto& row : state_->blocks)
    for (const Table& block : row) digests.push_back(block.sha256(task));
  const WeightTable now = is_single() ? WeightTable() : snapshot();
  const std::lock_guard lock(state_->mutex);
  if (state_->sha256.empty()) state_->sha256 = is_single() ? digest(state_->block, task) : digest(now, digests, task);
  return state_->sha256;
}

bool operator==(const Table& a, const Table& b) {
  if (a.state_ == b.state_) return true;
  if (a.is_single() != b.is_single()) return false;
  if (!a.is_single()) return a.sha256({}) == b.sha256({});
  const WeightBlock &s = a.block(), &t = b.block();
  return s.channels == t.channels && s.weights.rows == t.weights.rows && s.weights.cols == t.weights.cols &&
         s.weights.params == t.weights.params && a.sha256({}) == b.sha256({});
}

namespace {

template <class T, std::size_t dimensions>
nb::object view(std::span<const T> data, const std::size_t (&shape)[dimensions], nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<static_cast<nb::ssize_t>(dimensions)>, nb::c_contig>(
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

/// The only block, of which a property tells.
const WeightBlock& block_of(const Table& table) {
  return property_of([&]() -> const WeightBlock& { return table.block(); });
}

void bind_arrays(nb::class_<Table>& c) {
  c.def_prop_ro(
      "weight_code",
      [](nb::handle self) {
        const Table& t = table_of(self);
        const Codes& codes =
            *property_of([&] { return Limits().run([&](const Task& task) { return &t.weight_codes(task); }); });
        return view(codes, t.block().weights.rows, t.block().weights.cols, self);
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
        return view(codes, t.block().bias.rows, 0, self);
      },
      nb::sig("def bias_code(self) -> numpy.typing.NDArray[numpy.uint8 | numpy.int32]"),
      "[rows] read-only view: the same for the bias parameters.");
  c.def_prop_ro(
      "orbit_size",
      [](nb::handle self) {
        const auto& sizes =
            property_of([&]() -> const auto& { return table_of(self).block().weights.tied().orbit_size; });
        return view<std::int64_t, 1>(sizes, {sizes.size()}, self);
      },
      nb::sig("def orbit_size(self) -> numpy.typing.NDArray[numpy.int64]"),
      "[params] read-only view: how many entries are tied to each parameter. DomainError unless tied.");
  c.def_prop_ro(
      "squared_norms", [](const Table& t) { return block_of(t).weights.squared_norms(); },
      "[params] the squared norms of the basis elements; for tied ones the orbit sizes.");
  const auto sparse = [&](const char* name, auto list, const char* signature, const char* doc) {
    c.def_prop_ro(
        name,
        [list](nb::handle self) {
          const auto& array =
              property_of([&]() -> const auto& { return list(table_of(self).block().weights.sparse()); });
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

std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> parts(const std::vector<FeaturePart>& list) {
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> out;
  for (const FeaturePart& part : list) out.emplace_back(part.channels, part.dimension, part.start);
  return out;
}

void bind_sizes(nb::class_<Table>& c) {
  c.def_prop_ro("is_single", &Table::is_single, "One block, as features of one kind have?");
  c.def_prop_ro("blocks", &Table::blocks,
                "The tables of one block that this one consists of, [part of y][part of x]: itself alone, "
                "or, for features "
                "of several multiplicities, 16*perm + 33*trivial, one for each pair of parts.\n"
                "Each has the biases of its part of y; those of the first in a row count.");
  c.def_prop_ro(
      "inputs", [](const Table& t) { return parts(t.snapshot().inputs()); },
      "(channels, dimension, start) of every part of x. x and y are their parts one after the other, each "
      "[channels, "
      "dimension].");
  c.def_prop_ro(
      "outputs", [](const Table& t) { return parts(t.snapshot().outputs()); },
      "(channels, dimension, start) of every part of y.");
  c.def_prop_ro(
      "theta_size", [](const Table& t) { return t.snapshot().theta_size(); },
      "How many numbers theta has: for every block [params, out, in], one after the other.");
  c.def_prop_ro(
      "bias_size", [](const Table& t) { return t.snapshot().bias_size(); },
      "How many numbers the bias has: [bias_params, out] for every part of y.");
  c.def(
      "initial_variance", [](const Table& t, double gain) { return initial_variance(t.snapshot(), gain); },
      nb::arg("gain") = 1.0,
      "The variance of every number of theta to begin with: intertwine.nn.Linear.reset_parameters says "
      "which.");
  c.def_prop_ro(
      "rows", [](const Table& t) { return block_of(t).weights.rows; },
      "Outputs of the site pattern. AttributeError for several blocks (also below).");
  c.def_prop_ro(
      "cols", [](const Table& t) { return block_of(t).weights.cols; }, "Inputs of the site pattern.");
  c.def_prop_ro(
      "params", [](const Table& t) { return block_of(t).weights.params; }, "Weight parameters of the site pattern.");
  c.def_prop_ro(
      "bias_params", [](const Table& t) { return block_of(t).bias.params; }, "Bias parameters of the site pattern.");
  c.def_prop_ro(
      "channels", [](const Table& t) { return std::pair(block_of(t).channels.out, block_of(t).channels.in); },
      "(out, in): how often the pattern is repeated on each side; theta has the shape [params, out, in].");
  c.def_prop_ro(
      "is_tied",
      [](const Table& t) {
        for (const auto& row : t.blocks())
          for (const Table& block : row)
            if (!block.block().is_tied()) return false;
        return true;
      },
      "Codes (True) or sparse elements (False)? Several blocks are tied where all are.");
  c.def_prop_ro(
      "metadata", [](const Table& t) { return block_of(t).metadata; },
      "What files say of the table: group, rep_in, rep_out, certificate, ...");
  prop_limited(
      c, "sha256",
      [](const Limits& limits, const Table& t) { return limits.run([&](const Task& task) { return t.sha256(task); }); },
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
  nb::class_<Symmetry> s(m, "TableSymmetry", nb::is_final(), "The largest group that a table is equivariant to.");
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
          const WeightBlock now = t.block_snapshot();
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
          WeightBlock table = t.block_snapshot();
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
  def_python(c, "to_dataframe", "intertwine._gates", "table_to_dataframe", "def to_dataframe(self) -> typing.Any",
             "The entries that are not structural zeros as a DataFrame of pandas: row, col, parameter, sign; "
             "those of sparse elements "
             "with their value instead of the sign.");
  c.def(
      "text_picture",
      [](const Table& t, unsigned width, bool colour) { return terminal_picture(t.block_snapshot(), width, colour); },
      nb::arg("width") = 80, nb::arg("colour") = false,
      "A picture for a terminal: letters for parameters, dots for zeros.");
  c.def(
      "_repr_svg_",
      [](const Table& t) -> std::optional<std::string> {
        if (!t.is_single()) return std::nullopt;
        const WeightBlock table = t.block_snapshot();
        if (table.weights.rows * table.weights.cols > 65536) return std::nullopt;
        return svg_picture(table, picture_text(table));
      },
      "For notebooks.");
}

void bind_verify(nb::module_& m) {
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
      "to_json", [](const ProvedCharacters& p) { return to_json(proof_record(p)); }, "A JSON object.");
  q.def("__str__", [](const ProvedCharacters& p) { return to_text(proof_record(p)); });
  q.def("__repr__", [](const ProvedCharacters& p) {
    return "<ProvedCharacters " + p.group + ", " + std::to_string(p.characters) + " of " + std::to_string(p.classes) +
           ">";
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
TableProof, DiagramProof, PolynomialMaps, IrreducibleForms, ProvedCharacters or kernels
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
intertwine.tables.load_diagrams : files of layers for every size.
intertwine.verify : proves a file again.)");
}

}  // namespace

void bind_tables(nb::module_& m) {
  bind_diagrams(m);
  nb::class_<Table> c(
      m, "Table", nb::is_final(),
      R"(A weight table: which entries of W and of the bias share a parameter, or the sparse elements of a basis.

`hom.table()` and `load_table(path)` make one; it is not called. y = W x + b, W = sum of theta_k B_k. Arrays are
read-only views that keep the table alive; nothing is copied. A table of features of several multiplicities has a block
for each pair of parts (blocks). Equal tables have the same arrays and channels; what the metadata say is not looked at.

See Also
--------
load_table : a table from a file.
verify : a file proved again.
intertwine.nn.Linear : the layer of a table.

Examples
--------
>>> from intertwine import Group
>>> V = Group("S3").rep("perm")
>>> table = (V >> V).table()
>>> table.params, table.weight_code.tolist()
(2, [[1, 2, 2], [2, 1, 2], [2, 2, 1]])
)");
  bind_sizes(c);
  bind_arrays(c);
  bind_symmetry(m, c);
  bind_files(c);
  bind_table_pickle(c);
  c.def_static(
      "of_blocks", [](const std::vector<std::vector<Table>>& blocks) { return Table(blocks); }, nb::arg("blocks"),
      "The table of these blocks, [part of y][part of x], tables of one block each. DomainError where they "
      "do not fit each "
      "other.");
  bind_table_proofs(m, c);
  bind_verify(m);
  c.def(
      "__eq__", [](const Table& a, const Table& b) { return Limits().run([&](const Task&) { return a == b; }); },
      nb::is_operator(), nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"));
  c.def("__hash__", [](const Table& t) {
    return static_cast<Py_hash_t>(
        std::hash<std::string>()(Limits().run([&](const Task& task) { return t.sha256(task); })));
  });
  bind_copies<Table>(c);
  c.def("__repr__", [](const Table& t) {
    if (!t.is_single())
      return fmt::format("<Table of {} x {} blocks, {} weights, {} biases>", t.blocks().size(),
                         t.blocks().front().size(), t.snapshot().theta_size(), t.snapshot().bias_size());
    const WeightBlock& w = t.block();
    return "<Table " + std::to_string(w.weights.rows) + " x " + std::to_string(w.weights.cols) + ", " +
           std::to_string(w.weights.params) + " weights, " + std::to_string(w.bias.params) + " biases, channels (" +
           std::to_string(w.channels.out) + ", " + std::to_string(w.channels.in) + "), " +
           (w.is_tied() ? "tied" : "sparse") + ">";
  });
}

}  // namespace intertwine::python
