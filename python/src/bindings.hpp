// The common part of all binding files: numbers between C++ and Python, work under limits, methods of every value.
//
// A binding converts, releases the interpreter's lock, calls the library and converts back; no mathematics. Every function
// names its arguments (nb::arg), says in one sentence what it gives, and is called by a test.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/sparse_matrix.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/hom/group.hpp"
#include "intertwine/hom/group_representation.hpp"
#include "intertwine/io/irrationalities.hpp"
#include "intertwine/machine.hpp"
#include "intertwine/task.hpp"

namespace nb = nanobind;

namespace intertwine::python {

/// A property that values of this kind have not: in Python a DomainError that is an AttributeError too, so that hasattr() says False.
class NoSuchProperty : public DomainError {
 public:
  using DomainError::DomainError;
};

/// Gives the value of f for a property; where f refuses, the value has no property of this name.
template <class F>
decltype(auto) property_of(F&& f) {
  try {
    return f();
  } catch (const DomainError& e) {
    throw NoSuchProperty(e.what(), e.remedy());
  }
}

// --- One function for each binding file, in the order in which classes need each other -------------------------------------

void bind_errors(nb::module_& m);                 // module.cpp: errors, limits
void bind_exact(nb::module_& m);                  // exact.cpp: Cyclotomic
void bind_matrices(nb::module_& m);               // matrices.cpp: Matrix
void bind_combinatorics(nb::module_& m);          // combinatorics.cpp: Partition, Tableau
void bind_symmetric_functions(nb::module_& m);    // symmetric_functions.cpp: SymmetricFunction and its bases
void bind_groups(nb::module_& m);                 // groups.cpp: Group, and Permutation of permutation.cpp
void bind_group_representations(nb::module_& m);  // group_representations.cpp: what finite groups add to Representation
void bind_conjugacy_classes(nb::module_& m);      // conjugacy_classes.cpp: ConjugacyClasses
void bind_automorphisms(nb::module_& m);          // graphs.cpp: Automorphisms, Group.automorphisms
void bind_space_groups(nb::module_& m);           // space_groups.cpp: SpaceGroup
void bind_characters(nb::module_& m);             // characters.cpp: CharacterTable, ClassFunction
void bind_representations(nb::module_& m);        // representations.cpp: Representation
void bind_decompositions(nb::module_& m);         // decompositions.cpp: Decomposition, Constituent, IsotypicComponent
void bind_orthonormal_bases(nb::module_& m);      // orthonormal.cpp: OrthonormalBasis, OrthonormalComponent
void bind_equivariant(nb::module_& m);            // equivariant.cpp: Hom, Certificate
void bind_kernels(nb::module_& m);                // kernels.cpp: KernelSpace, KernelBlock
void bind_gl(nb::module_& m);                     // gl.cpp: SchurFunctor, Cauchy decompositions, Branching
void bind_lie();                                  // lie.cpp: highest weights of Group and Representation
void bind_ring(nb::module_& m);                   // ring.cpp: CoordinateRing, Bitableau, MinorIdeal
void bind_continuous(nb::module_& m);   // continuous.cpp: what classical groups add to Group and Representation
void bind_polynomials(nb::module_& m);  // polynomials.cpp: PolynomialMaps
void bind_molien(nb::module_& m);       // molien.cpp: MolienSeries
void bind_couplings(
    nb::module_&
        m);  // couplings.cpp: SignedRoot, Coupling, OrthogonalCopies, ClebschGordan, OrthonormalForm, SteerableKernels
void bind_physics(nb::module_& m);       // physics.cpp: Molecule, Species, CorrelationTable
void bind_tensor_forms(nb::module_& m);  // tensor_forms.cpp: TensorForm, TensorProjection
void bind_crystals(nb::module_& m);      // crystals.cpp: Crystal, CrystalSite, CrystalModes
void bind_sdp(nb::module_& m);           // sdp.cpp: Problem, ReducedBlock, Reduction
void bind_tables(nb::module_& m);        // tables.cpp: Table, BlockProof, load_table, verify
void bind_numeric(nb::module_& m);       // numeric.cpp: Plan
void bind_xla(nb::module_& m);           // xla.cpp: xla_handlers

// --- Numbers -----------------------------------------------------------------------------------------------------------------

nb::object to_python(const Integer& a);   ///< an int
nb::object to_python(const Rational& a);  ///< an int, or a Fraction where it is none
/// An int, a Fraction, or a Cyclotomic where it is irrational.
nb::object to_python(const Cyclotomic& a);
/// Nothing unless `o` is an int or has an index (NumPy's integers).
std::optional<Integer> as_integer(nb::handle o) noexcept;
/// Nothing unless `o` is an integer, or has integers as numerator and denominator (Fraction, SymPy's rationals).
std::optional<Rational> as_rational(nb::handle o) noexcept;
/// After a call of Python that failed where that is an answer; Ctrl-C comes again with the next look at signals.
void forget_error() noexcept;
/// "Fraction".
std::string python_type(nb::handle o);
/// An int, a Fraction, a Cyclotomic, a cyclotomic number of SymPy, or text such as "1/2" or "(1+sqrt(5))/2".
/// \throws DomainError for others; for floats it names the nearest simple exact number.
Cyclotomic exact_number(nb::handle o);
/// "gap", "square_roots" or "atlas". \throws DomainError
IrrationalNotation notation_named(const std::string& name);

/// A number that Python has as int, Fraction or Cyclotomic.
struct Exact {
  Cyclotomic value;
};

// --- Values that come in several shapes -----------------------------------------------------------------------------------

/// A permutation, or its cycles as text ("(1,2,3)", 1-based), or the list of its images (0-based).
struct PermutationLike {
  nb::object object;
  /// \throws DomainError, ParseError; also unless it permutes so many points
  Permutation on(std::size_t degree) const;
  /// The degree is that of the permutation, or the largest point named.
  Permutation by_itself() const;
};

/// A Partition, or the list of its parts.
struct PartitionLike {
  nb::object object;
  /// \throws DomainError
  Partition value() const;
};
/// "Partition([2, 1])".
std::string partition_text(const Partition& lambda);
/// Nothing bounds nothing.
int bound_of(const std::optional<int>& bound);

/// A name of a file: text, or what os.fspath() takes.
struct Path {
  std::filesystem::path value;
};

/// A dense or sparse exact matrix: sparse with rational entries, otherwise dense over the field of its entries.
class Matrix {
 public:
  explicit Matrix(SparseMatrix A) : value_(std::move(A)) {}
  /// Rational ones become sparse.
  explicit Matrix(const FieldMatrix& A);
  std::uint64_t rows() const;
  std::uint64_t cols() const;
  Cyclotomic operator()(std::uint64_t i, std::uint64_t j) const;
  const SparseMatrix* sparse() const { return std::get_if<SparseMatrix>(&value_); }
  const FieldMatrix* dense() const { return std::get_if<FieldMatrix>(&value_); }
  /// \throws LimitError if the task does not allow the memory.
  FieldMatrix to_field(const Task& task = {}) const;
  struct Entry {
    std::uint64_t row, col;
    Cyclotomic value;
  };
  /// The entries that are not 0, in row-major order.
  std::vector<Entry> entries() const;
  friend bool operator==(const Matrix& A, const Matrix& B) { return A.value_ == B.value_; }

 private:
  std::variant<SparseMatrix, FieldMatrix> value_;
};
/// A Matrix, a two-dimensional array of integers, or a list of rows of exact numbers. \throws DomainError
Matrix exact_matrix(nb::handle o);
/// The elements of a basis of Hom, one after the other.
std::vector<Matrix> elements_of(const IntertwinerSpace& space, const Task& task);

/// An argument or a result whose Python type is said here, and looked at by the function itself.
template <class Tag>
struct Typed {
  nb::object object;
};

struct AnyTag {  ///< a result whose type depends on the kind of the group
  static constexpr auto name = nb::detail::const_name("typing.Any");
};

#define INTERTWINE_MATRIX_TYPES                                                                  \
  "Matrix | collections.abc.Sequence[collections.abc.Sequence[int | str | fractions.Fraction | " \
  "Cyclotomic]] "                                                                                \
  "| numpy.typing.NDArray[typing.Any]"
struct MatrixTag {  ///< exact_matrix
  static constexpr auto name = nb::detail::const_name(INTERTWINE_MATRIX_TYPES);
};
struct MatricesTag {
  static constexpr auto name = nb::detail::const_name("collections.abc.Iterable[" INTERTWINE_MATRIX_TYPES "]");
};
#undef INTERTWINE_MATRIX_TYPES
struct PermutationsTag {  ///< the tag of PermutationLike
  static constexpr auto name =
      nb::detail::const_name("collections.abc.Iterable[Permutation | str | collections.abc.Sequence[int]]");
};

// --- Work under limits -------------------------------------------------------------------------------------------------------

struct MemoryTag {
  static constexpr auto name = nb::detail::const_name("int | str");
};
struct SecondsTag {
  static constexpr auto name = nb::detail::const_name("float");
};
struct ThreadsTag {
  static constexpr auto name = nb::detail::const_name("int");
};
struct ProgressTag {
  static constexpr auto name = nb::detail::const_name("bool | collections.abc.Callable[[str, int, int], object]");
};

/// The limits and threads of one call, and those of the blocks `with limits(...)` around it in this thread or task of asyncio.
class Limits {
 public:
  Limits() = default;
  Limits(const Typed<MemoryTag>& memory, const Typed<SecondsTag>& seconds, const Typed<ProgressTag>& progress,
         const Typed<ThreadsTag>& threads, const Typed<MemoryTag>& disk = {nb::none()});

  /// work(task) without the interpreter's lock. Ctrl-C, and what a progress function raises, stop the work and are raised.
  template <class Work>
  auto run(Work&& work) const {
    const std::shared_ptr<Watch> watch = start();
    const Task task = task_of(watch);
    std::optional<DiskBound> disk;
    if (const auto bytes = disk_of(*watch)) disk.emplace(*bytes);
    using Result = std::invoke_result_t<Work, const Task&>;
    try {
      if constexpr (std::is_void_v<Result>) {
        {
          const nb::gil_scoped_release unlocked;
          work(task);
        }
        finish(*watch);
      } else {
        std::optional<Result> result;
        {
          const nb::gil_scoped_release unlocked;
          result.emplace(work(task));
        }
        finish(*watch);
        return Result(std::move(*result));
      }
    } catch (const nb::python_error&) {
      throw;
    } catch (...) {
      finish(*watch);  // what stopped the work comes before the message that it was stopped
      throw;
    }
  }

 private:
  struct Watch;
  std::shared_ptr<Watch> start() const;
  static Task task_of(const std::shared_ptr<Watch>& watch);
  static std::optional<std::uint64_t> disk_of(const Watch& watch);
  /// \throws nb::python_error if a signal or the progress function raised something
  static void finish(Watch& watch);
  std::uint64_t memory_ = 0;  ///< 0: none is stated, and what is free bounds the work
  std::optional<std::uint64_t> disk_;
  std::optional<double> seconds_;
  std::optional<nb::object> progress_;
  std::optional<unsigned> threads_;
  friend class LimitsBlock;
};

/// f(limits, arguments...) as a function of the arguments and `memory`, `seconds`, `progress`, `threads`.
template <class Result, class... A>
auto limited(Result (*f)(const Limits&, A...)) {
  return [f](A... arguments, Typed<MemoryTag> memory, Typed<SecondsTag> seconds, Typed<ProgressTag> progress,
             Typed<ThreadsTag> threads) -> Result {
    return f(Limits(memory, seconds, progress, threads), std::forward<A>(arguments)...);
  };
}
/// Binds f(limits, self, arguments...) with the keywords `memory`, `seconds`, `progress` and `threads`.
template <class Class, class F, class... Extra>
void def_limited(Class& c, const char* name, F f, const Extra&... extra) {
  c.def(name, limited(+f), extra..., nb::kw_only(), nb::arg("memory") = nb::none(), nb::arg("seconds") = nb::none(),
        nb::arg("progress") = nb::none(), nb::arg("threads") = nb::none());
}
/// Defines a static function under limits.
template <class Class, class F, class... Extra>
void def_limited_static(Class& c, const char* name, F f, const Extra&... extra) {
  c.def_static(name, limited(+f), extra..., nb::kw_only(), nb::arg("memory") = nb::none(),
               nb::arg("seconds") = nb::none(), nb::arg("progress") = nb::none(), nb::arg("threads") = nb::none());
}
template <class Class, class Result, class Self>
void def_property(Class& c, const char* name, Result (*f)(const Limits&, Self), const char* doc) {
  c.def_prop_ro(
      name, [f](Self self) -> Result { return f(Limits(), self); }, doc);
}
/// A property that may take long: under the limits of the blocks around.
template <class Class, class F>
void prop_limited(Class& c, const char* name, F f, const char* doc) {
  def_property(c, name, +f, doc);
}

/// A method that intertwine/<file>.py has as a function of the value and what follows it.
template <class Class>
void def_python(Class& c, const char* name, const char* file, const char* function, const char* signature,
                const char* doc) {
  c.def(
      name, [file, function](nb::handle self) { return nb::object(nb::module_::import_(file).attr(function)(self)); },
      nb::sig(signature), doc);
}

// --- What every value can do --------------------------------------------------------------------------------------------------

/// Displays of LaTeX as every notebook takes them: between dollars.
inline std::string notebook_displays(std::string latex) {
  for (const auto* bracket : {"\\[\n", "\n\\]"})
    for (std::size_t at = 0; (at = latex.find(bracket, at)) != std::string::npos;) latex.replace(at, 3, "$$");
  return latex;
}

/// The class of T, to add methods to it.
template <class T>
nb::class_<T> class_of() {
  return nb::borrow<nb::class_<T>>(nb::type<T>());
}

struct MemoTag {
  static constexpr auto name = nb::detail::const_name("dict[int, typing.Any]");
};

/// An immutable value is its own copy.
template <class T, class Class>
void bind_copies(Class& c) {
  c.def(
      "__copy__", [](T& self) -> T& { return self; }, nb::rv_policy::reference);
  c.def(
      "__deepcopy__", [](T& self, const Typed<MemoTag>&) -> T& { return self; }, nb::arg("memo"),
      nb::rv_policy::reference);
}

/// ==, hash, copy and deepcopy of an immutable value. `hash` may take long: it works under no limits.
template <class T, class Class, class Hash>
void bind_value(Class& c, Hash hash) {
  c.def(
      "__eq__", [](const T& a, const T& b) { return a == b; }, nb::is_operator(), nb::arg("other"),
      nb::sig("def __eq__(self, other: object, /) -> bool"));
  c.def("__hash__", [hash](const T& a) { return static_cast<Py_hash_t>(hash(a)); });
  bind_copies<T>(c);
}

/// For __reduce__: a class and its arguments.
template <class... A>
nb::tuple reduced(nb::handle type, A&&... arguments) {
  return nb::make_tuple(type, nb::make_tuple(std::forward<A>(arguments)...));
}
/// For __reduce__: o.method(arguments...). Methods themselves cannot be pickled.
template <class... A>
nb::tuple reduced_by_method(nb::handle o, const char* method, A&&... arguments) {
  const nb::object call = nb::module_::import_("operator").attr("methodcaller")(method, std::forward<A>(arguments)...);
  return nb::make_tuple(call, nb::make_tuple(o));
}
inline constexpr const char* reduce_signature =
    "def __reduce__(self) -> tuple[collections.abc.Callable[..., object], tuple[object, ...]]";

/// The text as Python writes a string.
std::string quoted(const std::string& text);
/// A hash of many hashes, in order.
class Hasher {
 public:
  Hasher& add(std::size_t x) {
    state_ = (state_ ^ (x + 0x9e3779b97f4a7c15ULL + (state_ << 6) + (state_ >> 2))) * 0xbf58476d1ce4e5b9ULL;
    state_ ^= state_ >> 31;
    return *this;
  }
  Hasher& add(const std::string& x) { return add(std::hash<std::string>()(x)); }
  std::size_t value() const { return state_; }

 private:
  std::size_t state_ = 0x94d049bb133111ebULL;
};
std::size_t hash_of(const Permutation& g);
std::size_t hash_of(const hom::Group& G);
std::size_t hash_of(const hom::Representation& V);
/// The text of repr(): "Group('S4')".
std::string group_text(const hom::Group& G);
/// The value of __reduce__.
nb::object reduced_group(const hom::Group& G);
/// A factor of a product with a classical group, whose name gives it back. \throws DomainError where there is none
hom::Group named_factor(const hom::Group& G);
/// "Group('S4').rep('perm')".
std::string representation_text(const hom::Representation& V);
/// What Group.rep takes for a representation that is known by its character: [(highest weight or name, multiplicity), ...].
nb::object constituents_of(const hom::Representation& V);

/// The character table of G. The last few are kept, since a group does not keep its own.
CharacterTable table_of(const FiniteGroup& G, const Task& task);

/// An index of Python, negative ones from the end, below size. \throws nb::index_error
std::size_t index_below(std::int64_t i, std::size_t size);
/// A row of a character table: its place, or what the table calls it. row_given: DomainError with the names for another name
using RowLike = std::variant<std::int64_t, std::string>;
std::size_t row_given(const CharacterTable& table, const RowLike& row);

// --- Kinds of groups and of representations -----------------------------------------------------------------------------------

/// The name of a kind in sentences.
template <class Kind>
inline constexpr const char* kind_name = nullptr;
template <>
inline constexpr const char* kind_name<FiniteGroup> = "finite groups";
template <>
inline constexpr const char* kind_name<ContinuousGroup> = "classical groups and their products with finite ones";
template <>
inline constexpr const char* kind_name<Representation> = "representations of finite groups";
template <>
inline constexpr const char* kind_name<ContinuousRepresentation> = "representations by matrices of classical groups";

/// A value that was given where another kind is taken, for the sentence on the call that is refused for it.
void note_kind(const hom::Group& given, const char* taken) noexcept;
void note_kind(const hom::Representation& given, const char* taken) noexcept;
/// Once an argument of the right kind was given.
void forget_kind() noexcept;

}  // namespace intertwine::python

namespace nanobind::detail {

/// A kind that a class of Python holds among others. What takes the kind refuses other values, and what gives it gives the class.
template <class Whole, class Kind>
struct kind_caster {
  static constexpr auto Name = make_caster<Whole>::Name;
  template <class T>
  using Cast = precise_cast_t<T>;
  template <class T>
  bool can_cast() const noexcept {
    return value != nullptr;
  }
  bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
    make_caster<Whole> whole;
    if (source.is_none() || !whole.from_python(source, flags, cleanup)) return false;
    const Whole& given = *whole.operator Whole*();
    value = const_cast<Kind*>(given.template as<Kind>());  // nobody writes to it: bindings take constants
    if constexpr (intertwine::python::kind_name<Kind> != nullptr) {
      if (value == nullptr)
        intertwine::python::note_kind(given, intertwine::python::kind_name<Kind>);
      else
        intertwine::python::forget_kind();
    }
    return value != nullptr;
  }
  template <class T>
  static handle from_cpp(T&& kind, rv_policy, cleanup_list* cleanup) noexcept {
    if constexpr (std::is_pointer_v<std::remove_reference_t<T>>)
      return kind == nullptr ? none().release() : make_caster<Whole>::from_cpp(Whole(*kind), rv_policy::move, cleanup);
    else
      return make_caster<Whole>::from_cpp(Whole(Kind(std::forward<T>(kind))), rv_policy::move, cleanup);
  }
  operator Kind*() { return value; }
  operator Kind&() { return *value; }
  operator Kind&&() { return std::move(*value); }
  Kind* value = nullptr;
};

template <>
struct type_caster<intertwine::FiniteGroup> : kind_caster<intertwine::hom::Group, intertwine::FiniteGroup> {};
template <>
struct type_caster<intertwine::ContinuousGroup> : kind_caster<intertwine::hom::Group, intertwine::ContinuousGroup> {};
template <>
struct type_caster<intertwine::Representation>
    : kind_caster<intertwine::hom::Representation, intertwine::Representation> {};
template <>
struct type_caster<intertwine::ContinuousRepresentation>
    : kind_caster<intertwine::hom::Representation, intertwine::ContinuousRepresentation> {};

template <>
struct type_caster<intertwine::Integer> {
  NB_TYPE_CASTER(intertwine::Integer, const_name("int"))
  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    auto number = intertwine::python::as_integer(source);
    if (number) value = std::move(*number);
    return number.has_value();
  }
  static handle from_cpp(const intertwine::Integer& a, rv_policy, cleanup_list*) noexcept {
    return intertwine::python::to_python(a).release();
  }
};

template <>
struct type_caster<intertwine::Rational> {
  NB_TYPE_CASTER(intertwine::Rational, const_name("int | fractions.Fraction"))
  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    auto number = intertwine::python::as_rational(source);
    if (number) value = std::move(*number);
    return number.has_value();
  }
  static handle from_cpp(const intertwine::Rational& a, rv_policy, cleanup_list*) noexcept {
    return intertwine::python::to_python(a).release();
  }
};

template <>
struct type_caster<intertwine::python::Exact> {
  NB_TYPE_CASTER(intertwine::python::Exact, const_name("int | fractions.Fraction | Cyclotomic"))
  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    if (nb::isinstance<intertwine::Cyclotomic>(source)) {
      value.value = *nb::inst_ptr<intertwine::Cyclotomic>(source);
      return true;
    }
    const auto number = intertwine::python::as_rational(source);
    if (number) value.value = intertwine::Cyclotomic(*number);
    return number.has_value();
  }
  static handle from_cpp(const intertwine::python::Exact& a, rv_policy, cleanup_list*) noexcept {
    return intertwine::python::to_python(a.value).release();
  }
};

template <>
struct type_caster<intertwine::python::PermutationLike> {
  NB_TYPE_CASTER(intertwine::python::PermutationLike, const_name("Permutation | str | collections.abc.Sequence[int]"))
  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    value.object = borrow(source);
    return true;
  }
};

template <>
struct type_caster<intertwine::python::PartitionLike> {
  NB_TYPE_CASTER(intertwine::python::PartitionLike, const_name("Partition | collections.abc.Sequence[int]"))
  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    value.object = borrow(source);
    return true;
  }
};

template <>
struct type_caster<intertwine::python::Path> {
  NB_TYPE_CASTER(intertwine::python::Path, const_name("str | os.PathLike[str]"))
  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    const object name = steal(PyOS_FSPath(source.ptr()));
    // The bytes of the file system, which need not be UTF-8.
    const object bytes =
        name.is_valid() && PyUnicode_Check(name.ptr()) ? steal(PyUnicode_EncodeFSDefault(name.ptr())) : object();
    intertwine::python::forget_error();
    if (!bytes.is_valid()) return false;
    const std::string_view text(PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr())));
    if (text.find('\0') != text.npos) return false;  // the system would take what is before it for the name
    value.value = text;
    return true;
  }
};

template <class Tag>
struct type_caster<intertwine::python::Typed<Tag>> {
  NB_TYPE_CASTER(intertwine::python::Typed<Tag>, Tag::name)
  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    value.object = borrow(source);
    return true;
  }
  static handle from_cpp(intertwine::python::Typed<Tag> typed, rv_policy, cleanup_list*) noexcept {
    return typed.object.release();
  }
};

}  // namespace nanobind::detail
