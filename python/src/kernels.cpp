// Kernels between homogeneous spaces.
#include <algorithm>
#include <variant>

#include "bindings.hpp"
#include "forms.hpp"
#include "intertwine/equivariant/mackey_basis.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/kernels_file.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "records.hpp"

namespace intertwine::python {

namespace {

/// A block knows its space, of which its values are.
struct Block {
  KernelSpace space;
  std::size_t index;
  std::uint64_t first;  ///< the number of its first kernel
  const KernelBlock& block() const { return space.blocks()[index]; }
};

}  // namespace

template <>
inline constexpr auto members<Block> = std::tuple(&Block::space, &Block::index, &Block::first);

namespace {

using RepresentationOrText = std::variant<Representation, std::string>;

Representation representation_of(const FiniteGroup& G, const RepresentationOrText& given, const Task& task) {
  const auto* const V = std::get_if<Representation>(&given);
  return V ? *V : parse_representation(G, std::get<std::string>(given), task);
}

std::vector<Block> blocks_of(const KernelSpace& space) {
  std::vector<Block> list;
  std::uint64_t first = 0;
  for (std::size_t k = 0; k < space.blocks().size(); ++k) {
    list.push_back({space, k, first});
    first += space.blocks()[k].values.params();
  }
  return list;
}

/// Are both the same space, with the same basis?
bool same_kernels(const KernelSpace& a, const KernelSpace& b) {
  const auto same = [](const KernelBlock& x, const KernelBlock& y) {
    const IntertwinerSpace &v = x.values, &w = y.values;
    return std::ranges::equal(v.start(), w.start()) && std::ranges::equal(v.row(), w.row()) &&
           std::ranges::equal(v.col(), w.col()) && v.values() == w.values();
  };
  return a.group() == b.group() && a.source() == b.source() && a.target() == b.target() &&
         std::ranges::equal(a.blocks(), b.blocks(), same);
}

void bind_block(nb::module_& m) {
  nb::class_<Block> c(m, "KernelBlock", nb::is_final(), "The kernels that live on one double coset H g K.");
  c.def_prop_ro(
      "representative", [](const Block& b) { return b.block().representative; }, "g.");
  c.def_prop_ro(
      "size", [](const Block& b) { return b.block().size; }, "|H g K| = |H| |K| / |stabilizer|.");
  c.def_prop_ro(
      "stabilizer", [](const Block& b) { return b.block().stabilizer; }, "The meet of H and g K g^-1.");
  c.def_prop_ro(
      "dimension", [](const Block& b) { return b.block().values.params(); }, "The number of kernels.");
  c.def_prop_ro(
      "values",
      [](const Block& b) {
        return Limits().run([&](const Task& task) {
          std::vector<Matrix> list;
          for (std::uint64_t k = 0; k < b.block().values.params(); ++k) {
            task.poll();
            list.emplace_back(b.space.value(b.first + k, b.block().representative));
          }
          return list;
        });
      },
      "A basis of what a kernel may be at g: dim rho x dim sigma, exact.");
  c.def("__repr__", [](const Block& b) {
    return "<KernelBlock of " + b.block().representative.to_string() + ", size " + b.block().size.str() + ", " +
           std::to_string(b.block().values.params()) + " kernels>";
  });
  bind_record<Block>(c);
}

void bind_space(nb::class_<KernelSpace>& c) {
  using S = KernelSpace;
  c.def_prop_ro("group", &S::group, "G.");
  c.def_prop_ro("source", &S::source, "sigma, a representation of K.");
  c.def_prop_ro("target", &S::target, "rho, a representation of H.");
  c.def_prop_ro(
      "blocks", [](const S& s) { return blocks_of(s); },
      "One for each double coset H g K, those without a kernel too; the first is that of g = 1.");
  c.def_prop_ro("dimension", &S::dimension, "The number of kernels, by double cosets (Mackey's formula).");
  c.def_prop_ro("character_dimension", &S::character_dimension,
                "The inner product of the induced characters, which is the same number.");
  c.def_prop_ro("route", &S::route, "How the induced characters were compared.");
  c.def_prop_ro(
      "field", [](const S& s) { return s.field().to_string(); }, "The field of the values.");
  c.def("__len__", &S::dimension);
  def_limited(
      c, "value",
      [](const Limits& limits, const S& s, std::int64_t k, PermutationLike x) {
        const std::size_t number = index_below(k, s.dimension());
        const Permutation g = x.on(s.group().degree());
        return limits.run([&](const Task&) { return Matrix(s.value(number, g)); });
      },
      nb::arg("k"), nb::arg("x"), "kappa_k(x) for an element x of G: an exact matrix, dim rho x dim sigma.");
  def_limited(
      c, "intertwiner",
      [](const Limits& limits, const S& s, std::int64_t k) {
        const std::size_t number = index_below(k, s.dimension());
        return limits.run([&](const Task& task) { return Matrix(s.intertwiner(number, task)); });
      },
      nb::arg("k"),
      "The matrix of the map with kernel kappa_k from sigma.induce(G) to rho.induce(G): an element of "
      "sigma.induce(G) >> "
      "rho.induce(G).");
  def_limited(
      c, "verify", [](const Limits& limits, const S& s) { limits.run([&](const Task& task) { verify(s, task); }); },
      "Proves again that the kernels give equivariant maps, independent ones, and as many as there are; "
      "VerificationError names\n"
      "the first claim that fails.");
  c.def(
      "to_json", [](const S& s) { return to_json(record(s)); }, "All of it as a JSON object.");
  bind_own_format(c);
  bind_kernel_picture<[](const S& s, const Task& task) { return kernel_picture(s, task); }>(c);
  bind_element_forms<[](const S& s, const Task&) { return record(s); }>(c);
  c.def(
      "describe", [](const S& s, bool elements) { return to_text(record(s, {.elements = elements})); },
      nb::arg("elements") = false, "A line for every double coset, for people. elements: the matrices as well.");
}

}  // namespace

void bind_kernels(nb::module_& m) {
  bind_block(m);
  nb::class_<KernelSpace> c(m, "KernelSpace", nb::is_final(),
                            "A basis of the kernels kappa: G -> matrices with kappa(h g k) = rho(h) kappa(g) "
                            "sigma(k), of all equivariant linear "
                            "maps\n"
                            "from the induced representation of sigma to that of rho: see kernel_basis().");
  bind_space(c);
  c.def("__repr__", [](const KernelSpace& s) {
    return "<KernelSpace of " + s.group().name() + ", " + std::to_string(s.dimension()) + " kernels on " +
           std::to_string(s.blocks().size()) + " double cosets>";
  });
  c.def(
      "__eq__", [](const KernelSpace& a, const KernelSpace& b) { return same_kernels(a, b); }, nb::is_operator(),
      nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"));
  c.def("__hash__", [](const KernelSpace& s) {
    return static_cast<Py_hash_t>(
        Hasher().add(hash_of(s.group())).add(s.source().to_string()).add(s.target().to_string()).value());
  });
  bind_copies<KernelSpace>(c);
  c.def(
      "__reduce__",
      [](const KernelSpace& s) {
        if (!same_kernels(s, mackey_basis(s.group(), s.target().group(), s.source().group(), s.target(), s.source())))
          throw DomainError(
              "kernels of a file with a basis of its own are not pickled: send the file, and verify() it "
              "there");
        return nb::make_tuple(
            nb::module_::import_("intertwine._gates").attr("kernel_basis"),
            nb::make_tuple(s.group(), s.target().group(), s.source().group(), s.target(), s.source()));
      },
      nb::sig(reduce_signature));
  def_limited(
      m, "kernel_basis",
      [](const Limits& limits, const FiniteGroup& G, const FiniteGroup& H, const FiniteGroup& K,
         const RepresentationOrText& rho, const RepresentationOrText& sigma) {
        return limits.run([&](const Task& task) {
          return mackey_basis(G, H, K, representation_of(H, rho, task), representation_of(K, sigma, task), task);
        });
      },
      nb::arg("G"), nb::arg("H"), nb::arg("K"), nb::arg("rho"), nb::arg("sigma"),
      "The kernels kappa(h g k) = rho(h) kappa(g) sigma(k) of the equivariant linear maps from features of "
      "type sigma on G/K to "
      "features\n"
      "of type rho on G/H; rho is a representation of the subgroup H and sigma one of K, or the text of one "
      "such as 'sign'. One block a double "
      "coset, counted "
      "twice:\n"
      "by Mackey's formula and by characters.");
}

}  // namespace intertwine::python
