#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <tenon/tree/bindings.hpp>

// A table for each number of fields, as in bindings.hpp.

namespace tenon::internal::tree {

/// Whether the aggregate accepts this number of initialisers. Each is `{}`, which initialises
/// exactly one field of any type: an object convertible to any type would be spread over the
/// elements of an array, and is ambiguous for a `std::optional`.
template <class T>
constexpr bool takes(FieldCount<0>) {
  return requires { T{}; };
}
template <class T>
constexpr bool takes(FieldCount<1>) {
  return requires { T{{}}; };
}
template <class T>
constexpr bool takes(FieldCount<2>) {
  return requires { T{{}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<3>) {
  return requires { T{{}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<4>) {
  return requires { T{{}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<5>) {
  return requires { T{{}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<6>) {
  return requires { T{{}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<7>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<8>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<9>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<10>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<11>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<12>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<13>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<14>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<15>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<16>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<17>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<18>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<19>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<20>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<21>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<22>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<23>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<24>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<25>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<26>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<27>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<28>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<29>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<30>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<31>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<32>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<33>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}

/// Converts to any base class of `T`, and to nothing else.
template <class T>
struct BaseOf {
  template <class Base>
    requires(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>)
  operator Base() const;
};
struct Nothing {};

/// The first element of an aggregate with base classes is a base. (`Nothing` distinguishes a base
/// from a first field that accepts any value, as `std::any` does.)
template <class T>
inline constexpr bool has_base_class = requires { T{BaseOf<T>{}}; } && !requires { T{Nothing{}}; };

/// Whether the fields of structs of this type are counted by <tenon/tree/wide.hpp>.
template <class T>
concept CountedByWide =
    requires { count_many_fields(std::type_identity<T>(), FieldCount<few_fields + 1>()); };

template <class T, std::size_t count = 0>
consteval std::size_t count_fields() {
  if constexpr (count > few_fields && CountedByWide<T>) {
    return count_many_fields(std::type_identity<T>(), FieldCount<few_fields + 1>());
  } else if constexpr (count > few_fields) {
    return count;
  } else if constexpr (takes<T>(FieldCount<count + 1>())) {
    return count_fields<T, count + 1>();
  } else {
    return count;
  }
}

/// The number of fields of an aggregate; one more than the maximum where there are more.
template <class T>
inline constexpr std::size_t field_count = count_fields<T>();

template <class T>
inline constexpr bool has_too_many_fields = field_count<T> > few_fields &&
                                            (field_count<T> > many_fields || !CountedByWide<T>);

/// References to the fields of an aggregate, in order: `FieldReferences<Field&...>`; const if the
/// object is. Rejected with diagnostics: base classes, fields that cannot be default-constructed
/// (references among them), more than 32 fields (64 with <tenon/tree/wide.hpp>). Const fields are
/// supported.
template <class T>
constexpr auto fields(T& object) {
  using Struct = std::remove_const_t<T>;
  static_assert(takes<Struct>(FieldCount<0>()),
                "tenon::tree: a field cannot be default-constructed (is it a reference?)");
  static_assert(
      !has_too_many_fields<Struct>,
      "tenon::tree: a struct has more than 32 fields: include <tenon/tree/wide.hpp> for up "
      "to 64, or nest a struct");
  static_assert(!has_base_class<Struct>, "tenon::tree: a struct has a base class; make it a field");
  if constexpr (takes<Struct>(FieldCount<0>()) && !has_too_many_fields<Struct> &&
                !has_base_class<Struct>) {
    return bind_fields(object, FieldCount<field_count<Struct>>());
  } else {
    return tie_fields();
  }
}

}  // namespace tenon::internal::tree
