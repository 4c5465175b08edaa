#pragma once

#include <tenon/eval/fallback.hpp>
#include <tenon/eval/graph/graph.hpp>
#include <tenon/eval/tape/tape.hpp>
#include <tenon/ir/describe.hpp>
#include <tenon/tensor/host_elements.hpp>
#include <tenon/tensor/transfers.hpp>

/// Conversion of tensors to graph values and back. The graph is in host memory: elements on a
/// device with separate memory are copied.
namespace tenon::internal::graph {

/// The elements of a tensor or a view of dtype `T`; those of the 16-bit dtypes as `float`.
template <class T>
[[gnu::cold]] Elements elements_of(ir::Node leaf) {
  Element const element = element_of<Computed<T>>;
  Extent const extent{leaf.rank(), leaf.sizes()};
  auto const count = static_cast<std::size_t>(extent.count());
  SharedBuffer const* const shared = leaf.buffer();
  if constexpr (!NarrowType<T>)
    if (shared != nullptr) return {element, extent, *shared};
  SharedBuffer const memory(count * element.bytes);
  if constexpr (NarrowType<T>) {
    std::vector<T> copy(count);
    if (count > 0) leaf->leaf->copy(leaf.address(), reinterpret_cast<std::byte*>(copy.data()));
    for (std::size_t i = 0; i < count; ++i)
      memory.as<Computed<T>>()[i] = static_cast<Computed<T>>(copy[i]);
  } else if (count > 0) {
    leaf->leaf->copy(leaf.address(), memory.as<std::byte>());
  }
  return {element, extent, memory};
}
template <TensorType E>
Elements elements_of(E const& tensor) {
  return elements_of<typename E::value_type>(node_of(tensor));
}

/// A tensor in memory that the host can read.
template <TensorType E>
[[gnu::cold]] auto on_host(E const& tensor) {
  if constexpr (E::device::is_host) {
    return tensor;
  } else {
    auto result = Tensor<typename E::value_type, E::spec, Cpu>::uninitialised(tensor.sizes());
    auto const elements = host_elements(tensor);
    for (std::int64_t i = 0; i < tensor.size(); ++i) result.own_memory()[i] = elements[i];
    return result;
  }
}

/// Adjoints of dtype `T` on the device `D`, on the enclosing tape.
template <class D, class T>
struct AroundOf {
  [[gnu::cold]] static SharedBuffer copied_to_device(SharedBuffer const& adjoint) {
    if constexpr (D::is_host) {
      return adjoint;
    } else {
      SharedBuffer copy(adjoint.bytes());
      if (adjoint.bytes() > 0) copy_to_host<D>(copy.data(), adjoint.data(), adjoint.bytes());
      return copy;
    }
  }
  [[gnu::cold]] static void add(Elements const& share, Tape& tape, TapeMark mark) {
    std::int64_t const count = share.extent.count();
    auto* const to = reinterpret_cast<T*>(tape.gradient_of<D>(mark, count, sizeof(T)));
    if (count == 0) return;
    if constexpr (D::is_host) {
      add_up(to, share.memory.as<T>(), count);
    } else {
      SharedBuffer const sum(share.memory.bytes());
      copy_to_host<D>(sum.data(), to, sum.bytes());
      add_up(sum.as<T>(), share.memory.as<T>(), count);
      copy_from_host<D>(to, sum.data(), sum.bytes());
    }
  }

 private:
  static void add_up(T* to, T const* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) to[i] += from[i];
  }
};
template <class D, class T>
inline constexpr Surroundings surroundings{&AroundOf<D, T>::copied_to_device, &AroundOf<D, T>::add};

/// The graph value of a tensor or a view. (A tensor may have the mark of one with other axes.)
template <class D, class T>
[[gnu::cold]] Id id_of(ir::Node leaf) {
  TapeMark const mark = leaf.mark();
  if (is_recorded(mark) && mark.tape == Graph::current->serial)
    return Graph::current->reshaped({mark.slot}, {leaf.rank(), leaf.sizes()});
  if constexpr (!D::is_host) note_fallback(D::name, "a gradient of a gradient");
  return Graph::current->of_tensor(mark, elements_of<T>(leaf), surroundings<D, Computed<T>>);
}
template <TensorType E>
Id id_of(E const& tensor) {
  return id_of<typename E::device, typename E::value_type>(node_of(tensor));
}

/// Elements as a tensor.
template <TensorType R>
[[gnu::cold]] R tensor_over(Elements const& from) {
  using T = typename R::value_type;
  if constexpr (R::device::is_host && !R::holds_elements && !NarrowType<T>) {
    return R::adopt(from.memory, from.extent.sizes);
  } else {
    R result = R::uninitialised(from.extent.sizes);
    auto const* const elements = from.memory.as<Computed<T>>();
    result.set_elements([&, size = result.size()](T* to) {
      for (std::int64_t i = 0; i < size; ++i) to[i] = static_cast<T>(elements[i]);
    });
    return result;
  }
}

/// A value as a tensor, marked with the value if it depends on a leaf.
template <TensorType R>
[[gnu::cold]] R tensor_of(Id id) {
  Elements const from = Graph::current->elements_of(id);
  R result = tensor_over<R>(from);
  if (is_open() && Graph::current->varies(id)) result.set_mark({Graph::current->serial, id.number});
  return result;
}

/// The same, repeated to these sizes if it is a single number.
template <TensorType R>
[[gnu::cold]] R tensor_of(Id id, Sizes const& sizes) {
  return tensor_of<R>(Graph::current->expanded(id, {R::rank, sizes}));
}

/// One number in all elements of a tensor of these sizes.
template <TensorType R>
[[gnu::cold]] R repeated(Computed<typename R::value_type> number, Sizes const& sizes) {
  using T = typename R::value_type;
  R result = R::uninitialised(sizes);
  result.set_elements(
      [&, size = result.size()](T* to) { std::fill_n(to, size, static_cast<T>(number)); });
  return result;
}

}  // namespace tenon::internal::graph
