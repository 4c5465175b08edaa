#pragma once

// A table for each number of fields, as in bindings.hpp.

#include <tenon/tree/bindings.hpp>

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

}  // namespace tenon::internal::tree
