#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/distributed/communication/topology.hpp>
#include <tenon/eval/move_to.hpp>
#include <tenon/random/key.hpp>
#include <tenon/tensor/number_text.hpp>

/// Compares what ranks make sharded tensors of: dtypes, sizes, keys, numbers, and on demand values.
namespace tenon::internal {

namespace mpi {

/// Whether values given to `shard` and `replicated` are compared.
inline bool& values_are_checked() {
  static bool yes = false;
  return yes;
}

/// The elements of a tensor as a hash, if values are compared.
template <TensorType X>
Details details_of_values(X const& x) {
  if (!values_are_checked()) return {};
  auto const host = moved_to<Cpu>(x);
  auto const bytes = static_cast<std::size_t>(host.size()) * sizeof(typename X::value_type);
  Fingerprint print;
  print.add(std::string_view(reinterpret_cast<char const*>(stored_elements(host)), bytes));
  return {print.value, [hash = print.value] { return "values of hash " + std::to_string(hash); }};
}

/// The number that a tensor is filled with.
template <class T>
Details details_of_value(T value) {
  Fingerprint print;
  print.add(std::string_view(reinterpret_cast<char const*>(&value), sizeof(value)));
  return {print.value, [value] { return "filled with " + constant_text(value); }};
}
/// The key and the numbers that a tensor is drawn with.
inline Details details_of_draw(Key const& key, std::initializer_list<double> numbers) {
  auto const& words = key.words();
  std::string text = "Key of words " + std::to_string(words[0]) + " " + std::to_string(words[1]);
  text.append(", numbers");
  for (double const number : numbers) text.append(" ").append(lone_number(number));
  Fingerprint print;
  print.add(text);
  return {print.value, [text = std::move(text)] { return text; }};
}

/// Throws `CommunicationError` on all ranks if they make a sharded tensor `R` of other global sizes
/// or of other numbers.
template <class R>
void compare_made(std::string_view operation, Topology const& mesh, Sizes const& sizes,
                  Details const& details, SourceLocation where = {}) {
  agree(mesh.compared(),
        {.operation = operation,
         .dtype = dtype_name<typename R::value_type>,
         .spec = R::spec.view(),
         .sizes = sizes,
         .rank = R::sharding.shape.rank,
         .where = where},
        details);
}

}  // namespace mpi

/// Enables the comparison of the values given to `shard` and `replicated`, by a hash: one pass over
/// the elements of each. Set it alike on all ranks. (Sizes are always compared.)
inline void check_values(bool yes) { mpi::values_are_checked() = yes; }

}  // namespace tenon::internal

namespace tenon {

using internal::check_values;

}  // namespace tenon
