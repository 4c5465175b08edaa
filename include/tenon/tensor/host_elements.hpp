#pragma once

#include <cstddef>

#include <tenon/tensor/tensor.hpp>
#include <tenon/tensor/transfers.hpp>

namespace tenon::internal {

/// A copy of elements on the host.
template <class T>
struct HostCopy {
  SharedBuffer elements;

  operator T const*() const { return elements.as<T>(); }
};

/// The elements of a tensor, row-major, readable by the host: the tensor's own, or a copy of those
/// in a device's memory, which synchronises.
template <TensorType E>
constexpr auto host_elements(E const& tensor) {
  using T = typename E::value_type;
  if constexpr (E::device::is_host) {
    return tensor.storage().data();
  } else {
    auto const size = static_cast<std::size_t>(tensor.size());
    HostCopy<T> copy{SharedBuffer(size * sizeof(T))};
    if (size > 0)
      copy_to_host<typename E::device>(copy.elements.data(), tensor.storage().data(),
                                       size * sizeof(T));
    return copy;
  }
}

/// The same for one element.
template <class D, class T>
constexpr T host_element(T const* elements, std::int64_t place) {
  if constexpr (D::is_host) {
    return elements[place];
  } else {
    T value;
    copy_to_host<D>(&value, elements + place, sizeof(T));
    return value;
  }
}

}  // namespace tenon::internal
