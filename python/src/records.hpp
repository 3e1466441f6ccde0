// Records: values that say nothing beyond their members. They are equal, hashed and pickled by them; what is made of a question instead is equal where
// the questions are.
#pragma once
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings.hpp"

namespace intertwine::python {

/// The members of a record, of its bases too, in an order in which they can make one; specialized beside its binding.
template <class T>
inline constexpr std::nullptr_t members = nullptr;
template <class T>
concept Record = !
std::is_null_pointer_v<std::remove_const_t<decltype(members<T>)>>;

/// A member as Python can compare, hash and pickle it, and back. \throws nb::cast_error for what was never written
template <class T>
struct Written {
  static nb::object to(const T& x) {
    if constexpr (Record<T>)
      return std::apply([&](auto... member) { return nb::make_tuple(written(x.*member)...); }, members<T>);
    else if constexpr (std::is_enum_v<T>)
      return nb::int_(static_cast<int>(x));
    else
      return nb::cast(x);
  }
  static T from(nb::handle o) {
    if constexpr (Record<T>) {
      constexpr std::size_t count = std::tuple_size_v<std::remove_const_t<decltype(members<T>)>>;
      const auto state = nb::cast<nb::tuple>(o);
      if (state.size() != count) throw nb::cast_error();
      return [&]<std::size_t... k>(std::index_sequence<k...>) {
        const auto part = [&]<std::size_t i>(std::integral_constant<std::size_t, i>) {
          using Member = std::remove_cvref_t<decltype(std::declval<T&>().*std::get<i>(members<T>))>;
          return Written<Member>::from(state[i]);
        };
        if constexpr (std::is_default_constructible_v<T>) {
          T made{};
          ((made.*std::get<k>(members<T>) = part(std::integral_constant<std::size_t, k>())), ...);
          return made;
        } else {
          return T{part(std::integral_constant<std::size_t, k>())...};
        }
      }
      (std::make_index_sequence<count>());
    } else if constexpr (std::is_enum_v<T>) {
      return static_cast<T>(nb::cast<int>(o));
    } else {
      return nb::cast<T>(o);
    }
  }

 private:
  template <class Member>
  static nb::object written(const Member& x) {
    return Written<Member>::to(x);
  }
};

template <class T>
struct Written<std::vector<T>> {
  static nb::object to(const std::vector<T>& list) {
    nb::list out;
    for (const T& x : list) out.append(Written<T>::to(x));
    return nb::tuple(out);
  }
  static std::vector<T> from(nb::handle o) {
    std::vector<T> list;
    for (const nb::handle x : nb::cast<nb::tuple>(o)) list.push_back(Written<T>::from(x));
    return list;
  }
};

template <class T>
struct Written<std::optional<T>> {
  static nb::object to(const std::optional<T>& x) { return x ? Written<T>::to(*x) : nb::none(); }
  static std::optional<T> from(nb::handle o) {
    if (o.is_none()) return std::nullopt;
    return Written<T>::from(o);
  }
};

template <>
struct Written<Cyclotomic> {
  static nb::object to(const Cyclotomic& a) { return to_python(a); }
  static Cyclotomic from(nb::handle o) { return exact_number(o); }
};

/// By its generator.
template <>
struct Written<AbelianField> {
  static nb::object to(const AbelianField& K) { return to_python(K.generator()); }
  static AbelianField from(nb::handle o) {
    const Cyclotomic generator = exact_number(o);
    return AbelianField::generated_by({&generator, 1});
  }
};

template <>
struct Written<FieldMatrix> {
  static nb::object to(const FieldMatrix& A) {
    return nb::make_tuple(Written<AbelianField>::to(A.field()), nb::cast(Matrix(A)));
  }
  static FieldMatrix from(nb::handle o) {
    const auto state = nb::cast<nb::tuple>(o);
    return nb::cast<Matrix>(state[1]).to_field().over(Written<AbelianField>::from(state[0]));
  }
};

template <>
struct Written<RationalMatrix> {
  static nb::object to(const RationalMatrix& A) { return nb::cast(Matrix(FieldMatrix(A))); }
  static RationalMatrix from(nb::handle o) { return nb::cast<Matrix>(o).to_field().to_rational(); }
};

/// ==, hash, copy and deepcopy of what key(value), a tuple, says all of.
template <class T, class Class, class Key>
void bind_by(Class& c, Key key) {
  c.def(
      "__eq__", [key](const T& a, const T& b) { return &a == &b || key(a).equal(key(b)); }, nb::is_operator(),
      nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"));
  c.def("__hash__", [key](const T& a) { return PyObject_Hash(key(a).ptr()); });
  bind_copies<T>(c);
}

/// ==, hash, copy, deepcopy and pickles of a record.
template <class T, class Class>
void bind_record(Class& c) {
  bind_by<T>(c, [](const T& a) { return Written<T>::to(a); });
  c.def(
      "__getstate__", [](const T& a) { return nb::borrow<nb::tuple>(Written<T>::to(a)); },
      nb::sig("def __getstate__(self) -> tuple[object, ...]"));
  c.def(
      "__setstate__", [](T& self, const nb::tuple& state) { new (&self) T(Written<T>::from(state)); }, nb::arg("state"),
      nb::sig("def __setstate__(self, state: tuple[object, ...]) -> None"));
}

}  // namespace intertwine::python
