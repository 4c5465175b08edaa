#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/distributed/communication/call.hpp>
#include <tenon/distributed/communication/topology.hpp>
#include <tenon/distributed/sharding/shard.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/tree/tree.hpp>

/// The layout of a pipeline stream, sent before its elements: a fixed number of integers for each
/// stream type. Micro-batch and type, then for each optional whether it has a value, and for each
/// tensor its sizes; for a sharded one also the global sizes.
namespace tenon::internal {

template <class T>
consteval bool is_stream();

template <class Parts>
inline constexpr bool are_streams = false;
template <class... Part>
inline constexpr bool are_streams<tree::FieldReferences<Part&...>> =
    (is_stream<std::remove_const_t<Part>>() && ...);

template <class T>
consteval bool is_stream() {
  if constexpr (TensorType<T>) return true;
  else if constexpr (is_shard<T>) return TensorType<typename T::local_type>;
  else if constexpr (tree::is_array<T> || tree::is_optional<T>)
    return is_stream<typename T::value_type>();
  else if constexpr (tree::is_tuple<T> || (std::is_class_v<T> && std::is_aggregate_v<T>))
    return are_streams<tree::Parts<T>>;
  else return false;
}

}  // namespace tenon::internal

namespace tenon {

/// What stages can send: a tensor, a sharded tensor, or a tuple, struct, array or optional of
/// these. (Not a vector: its length would be unknown to the receiver.)
template <class T>
concept StreamType = internal::is_stream<T>();

}  // namespace tenon

namespace tenon::internal {

namespace mpi {

/// A stream with its expressions materialized.
template <class X>
auto evaluated_stream(X&& x) {
  using S = Unqualified<X>;
  if constexpr (is_shard<S>) {
    Sharded<typename S::value_type, S::spec, typename S::device> value = std::forward<X>(x);
    return value;
  } else {
    return as_value(std::forward<X>(x));
  }
}

using Layout = std::vector<std::int64_t>;

/// Calls `f(tensor)` for every tensor of a stream, in order; for a sharded one with the local
/// shard.
template <class Stream, class F>
void for_each_tensor(Stream& stream, F const& f) {
  using S = std::remove_const_t<Stream>;
  if constexpr (TensorType<S>) {
    f(stream);
  } else if constexpr (is_shard<S>) {
    f(stream.unchecked_local);
  } else if constexpr (tree::is_optional<S>) {
    if (stream) for_each_tensor(*stream, f);
  } else if constexpr (tree::is_array<S>) {
    for (auto& part : stream) for_each_tensor(part, f);
  } else {
    tree::apply([&](auto&... part) { (for_each_tensor(part, f), ...); }, tree::parts(stream));
  }
}

template <class Parts>
inline constexpr std::size_t lengths_of = 0;

/// The number of integers in the layout of a stream.
template <class S>
consteval std::size_t length_of() {
  if constexpr (TensorType<S>) return std::size_t{S::rank};
  else if constexpr (is_shard<S>) return std::size_t{2 * S::local_type::rank};
  else if constexpr (tree::is_optional<S>) return 1 + length_of<typename S::value_type>();
  else if constexpr (tree::is_array<S>)
    return std::tuple_size_v<S> * length_of<typename S::value_type>();
  else return lengths_of<tree::Parts<S>>;
}
template <class... Part>
inline constexpr std::size_t lengths_of<tree::FieldReferences<Part&...>> =
    (std::size_t{0} + ... + length_of<std::remove_const_t<Part>>());

template <class S>
inline constexpr std::size_t layout_length = 2 + length_of<S>();

/// A hash of the stream type.
template <StreamType S>
std::int64_t stream_fingerprint() {
  Fingerprint print;
  auto const add = [&]<class T>(auto const& self, std::type_identity<T>) -> void {
    if constexpr (TensorType<T> || is_shard<T>) {
      print.add(dtype_name<typename T::value_type>);
      print.add(T::spec.view());
    } else if constexpr (tree::is_optional<T> || tree::is_array<T>) {
      self(self, std::type_identity<typename T::value_type>());
    } else {
      [&]<class... Part>(std::type_identity<tree::FieldReferences<Part&...>>) {
        (self(self, std::type_identity<std::remove_const_t<Part>>()), ...);
      }(std::type_identity<tree::Parts<T>>());
    }
  };
  add(add, std::type_identity<S>());
  return static_cast<std::int64_t>(print.value);
}

/// Writes the layout of a stream at `to`, and advances it.
template <class S>
void write_layout(S const& stream, std::int64_t*& to) {
  auto const write = [&](Sizes const& sizes, int rank) {
    to = std::copy_n(sizes.data(), rank, to);
  };
  if constexpr (TensorType<S>) {
    write(stream.sizes(), S::rank);
  } else if constexpr (is_shard<S>) {
    write(stream.unchecked_local.sizes(), S::local_type::rank);
    write(stream.sizes(), S::local_type::rank);
  } else if constexpr (tree::is_optional<S>) {
    *to++ = stream.has_value();
    if (stream) write_layout(*stream, to);
    else to += length_of<typename S::value_type>();
  } else if constexpr (tree::is_array<S>) {
    for (auto const& part : stream) write_layout(part, to);
  } else {
    tree::apply([&](auto const&... part) { (write_layout(part, to), ...); }, tree::parts(stream));
  }
}

template <StreamType S>
Layout layout_of(S const& stream, int micro_batch) {
  Layout layout(layout_length<S>);
  layout[0] = micro_batch, layout[1] = stream_fingerprint<S>();
  std::int64_t* to = layout.data() + 2;
  write_layout(stream, to);
  return layout;
}

/// Reads a layout and creates streams with uninitialised elements.
struct LayoutReader {
  std::int64_t const* from;
  std::shared_ptr<Topology const> const& mesh;

  template <class S>
  S read() {
    if constexpr (TensorType<S>) {
      return S::uninitialised(sizes(S::rank));
    } else if constexpr (is_shard<S>) {
      if (!mesh)
        fail<ValueError>({"Stages", "mesh", "a mesh, as the stream is sharded", "a group alone"});
      auto local = read<typename S::local_type>();
      return S{std::move(local), Placement(mesh, sizes(S::local_type::rank))};
    } else if constexpr (tree::is_optional<S>) {
      if (*from++ != 0) return S(read<typename S::value_type>());
      from += length_of<typename S::value_type>();
      return S();
    } else if constexpr (tree::is_array<S>) {
      S stream;
      for (auto& part : stream) part = read<typename S::value_type>();
      return stream;
    } else {
      return read_parts<S>(std::type_identity<tree::Parts<S>>());
    }
  }

 private:
  Sizes sizes(int rank) {
    Sizes all = unit_sizes();
    std::copy_n(from, rank, all.data());
    from += rank;
    return all;
  }
  // Braced initialisation evaluates the parts in order.
  template <class S, class... Part>
  S read_parts(std::type_identity<tree::FieldReferences<Part&...>>) {
    return S{read<std::remove_const_t<Part>>()...};
  }
};

/// An uninitialised stream with the sizes of a layout.
template <StreamType S>
S blank(Layout const& layout, std::shared_ptr<Topology const> const& mesh) {
  return LayoutReader{layout.data() + 2, mesh}.read<S>();
}

}  // namespace mpi

}  // namespace tenon::internal
