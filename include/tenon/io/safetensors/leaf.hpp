#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tenon/core/axis.hpp>
#include <tenon/core/config.hpp>
#include <tenon/core/format.hpp>
#include <tenon/io/safetensors/dtype.hpp>
#include <tenon/tensor/device.hpp>
#include <tenon/tensor/tensor.hpp>
#include <tenon/tensor/transfers.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::internal::safetensors {

/// A tensor, a number, or a key: types that a file can store.
template <class Leaf>
inline constexpr bool is_storable = StorableType<Leaf> || tree::is_key<Leaf>;
template <class T, Spec S, class D>
inline constexpr bool is_storable<Tensor<T, S, D>> = StorableType<T>;

/// Whether files can store something of a type; true where another error has the reason.
template <class Tree>
constexpr bool has_leaves() {
  if constexpr (Expression<Tree>) return true;
  else
    return !tree::check_well_formed<tree::Stored, Tree>() ||
           tree::node_of<tree::Stored, Tree> != tree::Node::passed;
}

template <class Tree>
constexpr void check_tree() {
  static_assert(!Expression<Tree> || is_tensor<Tree>,
                "tenon::safetensors: an expression is not stored; evaluate it first, with eval");
  static_assert(has_leaves<Tree>(),
                "tenon::safetensors: there is neither a tensor nor a number in this type");
}

template <class Leaf>
constexpr void check_storable() {
  static_assert(!is_tensor<Leaf> || is_storable<Leaf>,
                "tenon::safetensors: the dtype of a tensor has no name in files");
  static_assert(is_tensor<Leaf> || is_storable<Leaf>,
                "tenon::safetensors: a leaf is neither a tensor nor a number");
}

/// The number of elements in a file per element of a leaf: the two parts of a complex128, else 1.
template <class T>
inline constexpr std::int64_t parts_of = std::is_same_v<T, std::complex<double>> ? 2 : 1;

/// The representation of a leaf in a file: its dtype and its axes. A number has none, a key two
/// words. The parts of a complex128 are a last axis.
template <class Leaf>
struct Form {
  using Element = Leaf;
  static Shape shape() { return Shape{}; }
  static Sizes sizes(Leaf const&) { return unit_sizes(); }
  static Leaf const* data(Leaf const& leaf) { return &leaf; }
};
template <class T, Spec S, class D>
struct Form<Tensor<T, S, D>> {
  using Element = T;
  static Shape shape() { return Tensor<T, S, D>::shape; }
  static Sizes sizes(Tensor<T, S, D> const& leaf) { return leaf.sizes(); }
  static T const* data(Tensor<T, S, D> const& leaf) { return stored_elements(leaf); }
};
template <>
struct Form<Key> {
  using Element = std::uint32_t;
  static Shape shape() {
    Shape words{};
    words[words.rank++] = axis_of_size(2);
    return words;
  }
  static Sizes sizes(Key const&) { return first_sizes(2); }
  static Element const* data(Key const& key) { return key.words().data(); }
};

template <class Leaf>
constexpr StoredDtype const& dtype_in_file() {
  return stored_dtype<typename Form<Leaf>::Element>();
}

/// The axes of a leaf in a file, from its type.
template <class Leaf>
Shape shape_in_file() {
  constexpr std::int64_t parts = parts_of<typename Form<Leaf>::Element>;
  if constexpr (is_tensor<Leaf>)
    static_assert(
        parts == 1 || Leaf::rank < max_rank,
        "tenon::safetensors: a complex128 has at most 7 axes here, its parts are another");
  Shape result = Form<Leaf>::shape();
  if (parts > 1) result[result.rank++] = axis_of_size(parts);
  return result;
}

/// The sizes of a leaf, of a key its two words.
template <class Leaf>
std::vector<std::int64_t> sizes_of_leaf(Leaf const& leaf) {
  Sizes const sizes = Form<Leaf>::sizes(leaf);
  return {sizes.begin(), sizes.begin() + Form<Leaf>::shape().rank};
}

/// The sizes of the axes in a file.
template <class Leaf>
std::vector<std::int64_t> sizes_in_file(Leaf const& leaf) {
  constexpr std::int64_t parts = parts_of<typename Form<Leaf>::Element>;
  std::vector<std::int64_t> result = sizes_of_leaf(leaf);
  if (parts > 1) result.push_back(parts);
  return result;
}

template <class Leaf>
std::size_t bytes_in_file(Leaf const& leaf) {
  auto const elements = count(Form<Leaf>::sizes(leaf), Form<Leaf>::shape().rank);
  return static_cast<std::size_t>(elements) * sizeof(typename Form<Leaf>::Element);
}

/// The name of a leaf in a file: its path, `value` if the tree is a single leaf.
std::string entry_name(tree::Path const& path);

/// The prefix of the metadata keys under which the specs of entries are stored.
inline constexpr std::string_view spec_key = "tenon.spec.";

std::string quoted_spec(std::string_view dtype, std::string_view spec);

/// A leaf to be written to a file.
struct Item {
  std::string name;
  StoredDtype const* dtype;
  std::vector<std::int64_t> sizes;
  void const* data;
  std::size_t bytes;
  void (*bring)(void* to, void const* from, std::size_t bytes);  ///< Copies from a device; null for
                                                                 ///< host memory.
  std::string spec{};                                            ///< Its axes.
};

/// The function that copies the elements of a leaf to the host.
template <class Leaf>
constexpr auto bringer_of() -> decltype(Item::bring) {
  return nullptr;
}
template <TensorType Leaf>
  requires DeviceWithMemory<typename Leaf::device>
constexpr auto bringer_of() -> decltype(Item::bring) {
  return [](void* to, void const* from, std::size_t bytes) {
    copy_to_host<typename Leaf::device>(to, from, bytes);
  };
}

/// The elements of an item in the memory of the host: those of a device are copied.
class HostElements {
 public:
  explicit HostElements(Item const& item);

  void const* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::vector<std::byte> copy_{};
  void const* data_;
  std::size_t bytes_;
};

}  // namespace tenon::internal::safetensors

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::safetensors {

TENON_RUNTIME std::string entry_name(tree::Path const& path) {
  std::string const name = path.text();
  return name.empty() ? "value" : name;
}

TENON_RUNTIME std::string quoted_spec(std::string_view dtype, std::string_view spec) {
  return std::string(dtype).append(" \"").append(spec).append("\"");
}

TENON_RUNTIME HostElements::HostElements(Item const& item) : data_(item.data), bytes_(item.bytes) {
  if (item.bring == nullptr || item.bytes == 0) return;
  copy_.resize(item.bytes);
  item.bring(copy_.data(), item.data, item.bytes);
  data_ = copy_.data();
}

}  // namespace tenon::internal::safetensors

#endif
