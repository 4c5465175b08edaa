#pragma once

#include <tenon/eval/graph/graph.hpp>
#include <tenon/tensor/tensor.hpp>

/// Tensors into a graph and out of it.
namespace tenon::graph {

/// The elements of a tensor; those of the 16-bit dtypes as `float`.
template <TensorType E>
[[gnu::cold]] Elements elements_of(E const& tensor) {
  using T = Computed<typename E::value_type>;
  Element const element = element_of<T>;
  Extent const extent{E::rank, tensor.sizes()};
  if constexpr (HalfType<typename E::value_type>) {
    SharedBuffer const memory(static_cast<std::size_t>(tensor.size()) * sizeof(T));
    for (std::int64_t i = 0; i < tensor.size(); ++i)
      memory.as<T>()[i] = static_cast<T>(tensor.data()[i]);
    return {element, extent, memory};
  } else if constexpr (!E::holds_elements) return {element, extent, tensor.storage().buffer};
  else {
    SharedBuffer const memory(static_cast<std::size_t>(tensor.size()) * element.bytes);
    if (tensor.size() > 0) std::memcpy(memory.data(), tensor.data(), memory.bytes());
    return {element, extent, memory};
  }
}

/// The value that a tensor stands for.
template <TensorType E>
[[gnu::cold]] Id id_of(E const& tensor) {
  return Graph::current->of_tensor(tensor.mark(), elements_of(tensor));
}

/// Elements as a tensor.
template <TensorType R>
[[gnu::cold]] R tensor_over(Elements const& from) {
  if constexpr (!R::holds_elements && !HalfType<typename R::value_type>) {
    return R::adopt(from.memory, from.extent.sizes);
  } else {
    R result = R::uninitialised(from.extent.sizes);
    auto const* const elements = from.memory.as<Computed<typename R::value_type>>();
    for (std::int64_t i = 0; i < result.size(); ++i)
      result.mutable_data()[i] = static_cast<typename R::value_type>(elements[i]);
    return result;
  }
}

/// A value as a tensor, which stands for it where it varies.
template <TensorType R>
[[gnu::cold]] R tensor_of(Id id) {
  Elements const from = Graph::current->elements_of(id);
  R result = tensor_over<R>(from);
  if (is_open() && Graph::current->varies(id)) result.set_mark({Graph::current->serial, id.number});
  return result;
}

/// The same, repeated to these sizes where it is a single number.
template <TensorType R>
[[gnu::cold]] R tensor_of(Id id, Sizes const& sizes) {
  return tensor_of<R>(Graph::current->expanded(id, {R::rank, sizes}));
}

/// One number in a tensor of these sizes.
template <TensorType R>
[[gnu::cold]] R repeated(Computed<typename R::value_type> number, Sizes const& sizes) {
  R result = R::uninitialised(sizes);
  std::fill_n(result.mutable_data(), result.size(), static_cast<typename R::value_type>(number));
  return result;
}

}  // namespace tenon::graph
