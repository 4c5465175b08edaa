#pragma once

// bits::record(name, x) adds all bits of a tensor or of a tree to the hash `name` of the running
// test case. With TENON_BITS=FILE in the environment the program writes its hashes to this file,
// and tests/bits/compare says which of them changed.

#include <cstddef>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>

#include "hash.hpp"

namespace bits {

/// Compilers differ in the sign and the payload of a NaN: all count as one. Zeros keep their sign.
template <class T>
void add_element(Hash& hash, T const& x) {
  if constexpr (requires { x.real(); }) {
    bits::add_element(hash, x.real());
    bits::add_element(hash, x.imag());
  } else if (x != x) {
    hash.add("NaN", 3);
  } else {
    hash.add(&x, sizeof(T));
  }
}

template <tenon::TensorType E>
void add_tensor(Hash& hash, E const& x) {
  constexpr auto dtype = tenon::internal::dtype_name<typename E::value_type>;
  hash.add(dtype.data(), dtype.size());
  auto const sizes = x.sizes();
  for (std::size_t axis = 0; axis < E::rank; ++axis) hash.add(sizes[axis]);
  auto const* const from = tenon::internal::stored_elements(x);
  for (std::int64_t i = 0; i < x.size(); ++i) bits::add_element(hash, from[i]);
}

/// "float32 on cpu".
template <class T, class D>
std::string name_of() {
  return std::string(tenon::internal::dtype_name<T>).append(" on ").append(D::name);
}

/// All that a checkpoint of the tree has: tensors, numbers and keys.
template <class Tree>
void record(std::string const& name, Tree const& tree) {
  if (file() == nullptr) return;
  Hash& hash = hash_of(name);
  tenon::tree::for_each<tenon::internal::tree::Stored>(
      [&]<class Leaf>(Leaf const& leaf) {
        if constexpr (tenon::TensorType<Leaf>) bits::add_tensor(hash, leaf);
        else hash.add(&leaf, sizeof(Leaf));
      },
      tree);
}

inline void record(std::string const& name, std::vector<double> const& numbers) {
  if (file() == nullptr) return;
  for (double const x : numbers) bits::add_element(hash_of(name), x);
}

}  // namespace bits
