#pragma once

// A table for each number of fields: C++20 structured bindings need a fixed number of names.

#include <cstddef>

#include <tenon/tree/bound.hpp>

namespace tenon::internal::tree {

/// The maximum number of fields of an aggregate, without <tenon/tree/wide.hpp> and with it.
inline constexpr std::size_t few_fields = 32, many_fields = 64;

template <std::size_t count>
struct FieldCount {};

/// References to the fields of an object with this number of fields.
template <class T>
constexpr auto bind_fields(T&, FieldCount<0>) {
  return tie_fields();
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<1>) {
  auto& [a] = object;
  return tie_fields(a);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<2>) {
  auto& [a, b] = object;
  return tie_fields(a, b);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<3>) {
  auto& [a, b, c] = object;
  return tie_fields(a, b, c);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<4>) {
  auto& [a, b, c, d] = object;
  return tie_fields(a, b, c, d);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<5>) {
  auto& [a, b, c, d, e] = object;
  return tie_fields(a, b, c, d, e);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<6>) {
  auto& [a, b, c, d, e, f] = object;
  return tie_fields(a, b, c, d, e, f);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<7>) {
  auto& [a, b, c, d, e, f, g] = object;
  return tie_fields(a, b, c, d, e, f, g);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<8>) {
  auto& [a, b, c, d, e, f, g, h] = object;
  return tie_fields(a, b, c, d, e, f, g, h);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<9>) {
  auto& [a, b, c, d, e, f, g, h, i] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<10>) {
  auto& [a, b, c, d, e, f, g, h, i, j] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<11>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<12>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<13>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<14>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<15>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<16>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<17>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<18>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<19>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<20>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<21>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<22>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<23>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<24>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<25>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<26>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<27>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z,
                    A);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<28>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B] =
      object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A,
                    B);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<29>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C] =
      object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A,
                    B, C);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<30>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D] =
      object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A,
                    B, C, D);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<31>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D,
         E] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A,
                    B, C, D, E);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<32>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D,
         E, F] = object;
  return tie_fields(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A,
                    B, C, D, E, F);
}

}  // namespace tenon::internal::tree
