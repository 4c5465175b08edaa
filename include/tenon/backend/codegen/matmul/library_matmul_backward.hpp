#pragma once

#include <tenon/backend/codegen/emit/kernel.hpp>
#include <tenon/backend/codegen/launch/compiler.hpp>
#include <tenon/backend/codegen/matmul/library_matmul.hpp>
#include <tenon/core/config.hpp>
#include <tenon/eval/backend.hpp>

/// Floats split into three bfloat16 parts whose sum is exact, as `SplitFloat` on the CPU: a matmul
/// of the parts does not round its operands.
namespace tenon::internal::codegen {

inline constexpr int split_parts = 3;

/// The kernel. Its arguments: the floats, the three parts in sequence, and the number of floats.
Kernel split_kernel(Functions& functions);

/// The parts of `size` floats on a device.
template <class D>
SharedBuffer split(float const* from, std::int64_t size) {
  static typename D::Function const function = [] {
    Functions functions(BackendOf<D>::dialect::text, true, false);
    Kernel const kernel = split_kernel(functions);
    std::string text(functions.dialect().prelude);
    return Compiled<D>::function(kernel.name, text.append(functions.text()).append(kernel.text));
  }();
  SharedBuffer parts = DeviceBlocks<D>::instance().take(
      static_cast<std::size_t>(split_parts * size) * sizeof(bfloat16));
  Work work;
  work.rows = size;
  D::launch(function, {{from, 0, {}}, {parts.data(), 0, {}}, LaunchArgument::of(size)}, work);
  return parts;
}

}  // namespace tenon::internal::codegen

/// The adjoints of a matmul's operands by a library of the device: each is a matmul, too.
namespace tenon::internal::codegen {

/// Materializes an expression of one kernel.
template <class D, class E>
TensorOf<E> copied(E const& e) {
  using T = typename E::value_type;
  auto const copy = TensorOf<E>::uninitialised(e.sizes());
  auto* const to = reinterpret_cast<std::byte*>(const_cast<T*>(copy.data()));
  BackendOf<D>::fill(e, access_out(to, row_major(e.sizes(), E::shape.rank), sizeof(T)));
  return copy;
}

/// An operand before a cast, as elements of `T`: in place, or widened without loss.
template <class D, class T, class E>
OperandElements<T> elements_as(E const& own) {
  if constexpr (std::same_as<typename E::value_type, T>) return elements_of_operand<D>(own);
  else
    return cast_elements<T>(own, [](auto const& from) { return copied<D>(from).storage().buffer; });
}

/// An adjoint read by matmuls: itself, or parts that add up to it.
template <class T>
struct ReadAdjoint {
  T const* data;
  int parts = 1;
  std::int64_t size = 0;  ///< Of a part.
};

/// The matmuls with elements `T` that compute the adjoint of an operand with elements `S`: empty if
/// the library does not support them, or if it is not required.
template <class D, class T, class S>
struct FactorAdjoint {
  std::vector<Matrices<T, S>> products{};
  SharedBuffer read{};
  bool is_taken = true;
  std::byte* unset = nullptr;  ///< The adjoint, if they overwrite it.
  std::size_t bytes = 0;

  /// The memory to which they add, or which they overwrite if they cover it and it is new.
  std::byte* begin(ir::Node base, bool covers, Tape& tape) {
    std::int64_t const size = base.count();
    bool is_new = false;
    auto* const memory = covers ? tape.gradient_of<D>(base.mark(), size, sizeof(S), is_new)
                                : tape.gradient_of<D>(base.mark(), size, sizeof(S));
    if (is_new) unset = memory, bytes = static_cast<std::size_t>(size) * sizeof(S);
    return memory;
  }
  void add(std::vector<Matrices<T, S>> const& more) {
    is_taken = is_taken && !more.empty();
    products.insert(products.end(), more.begin(), more.end());
  }
  /// Initialises the adjoint, since others will add to it.
  void leave() const {
    if (unset != nullptr) D::clear(unset, bytes);
  }
};

template <class D, bool is_left, class T, class P>
auto adjoint_of_factor(P const& e, ReadAdjoint<T> const& adjoint, Tape& tape) {
  using S = typename P::value_type;
  ir::Node const product = node_of(e);
  OperandMemory const to = memory_of(uncast(product.operand_at(is_left ? 0 : 1)));
  FactorAdjoint<D, T, S> result;
  if (!tape.is_wanted(to.base.mark())) return result;
  auto const other = elements_as<D, T>(uncast(operand_at<(is_left ? 1 : 0)>(e)));
  LoopLabels const labels =
      transposed_labels(is_left ? labels_of(product, to.strides, other.strides())
                                : labels_of(product, other.strides(), to.strides),
                        is_left);
  auto* const memory = result.begin(to.base, covers(labels, to.base.count()), tape);
  S* const c = reinterpret_cast<S*>(memory) + to.start;
  for (int part = 0; part < adjoint.parts; ++part)
    result.add(taken<D>(labels, adjoint.data + part * adjoint.size, other.data(), c,
                        part > 0 || result.unset == nullptr));
  result.read = other.copy;
  return result;
}

/// Adds the adjoints of both operands by matmuls with elements `T`; false if not supported.
template <class D, class T, class P>
bool backward_with(P const& e, ReadAdjoint<T> const& adjoint, Tape& tape) {
  auto const left = adjoint_of_factor<D, true>(e, adjoint, tape);
  auto const right = adjoint_of_factor<D, false>(e, adjoint, tape);
  bool const takes = left.is_taken && right.is_taken;
  if (!takes) return left.leave(), right.leave(), false;
  multiply_all<D>(left.products);
  multiply_all<D>(right.products);
  return true;
}

/// Whether adjoints may be rounded to the 16-bit dtype of the other operand.
template <class D>
bool rounds_adjoints() {
  if constexpr (requires { D::rounds_adjoints(); }) return D::rounds_adjoints();
  else return false;
}

template <class D, class E>
inline constexpr bool has_adjoints_by_library = false;
template <class D, class E>
  requires is_taken_by_library<D, E>
inline constexpr bool has_adjoints_by_library<D, E> =
    MultipliesMatrices<D, typename E::value_type, typename E::value_type>;

/// The same for unconverted 16-bit operands: with a rounded adjoint, if that is allowed, or with
/// one split into bfloat16 parts. (An infinite operand then gives NaN, since a part may be zero.)
template <class D, class T, class P>
bool backward_by_halves(P const& e, float const* adjoint, Tape& tape) {
  std::int64_t const size = count(e.sizes(), P::shape.rank);
  if (rounds_adjoints<D>()) {
    View<float, spec_of<P>, D> const whole(adjoint, e.sizes(), row_major(e.sizes(), P::shape.rank));
    auto const rounded = copied<D>(with_dtype<T>(whole));
    return backward_with<D>(e, ReadAdjoint<T>{rounded.data()}, tape);
  }
  if constexpr (std::same_as<T, bfloat16>) {
    if (size == 0) return false;
    SharedBuffer const parts = split<D>(adjoint, size);
    auto const* const data = static_cast<T const*>(parts.data());
    return backward_with<D>(e, ReadAdjoint<T>{data, split_parts, size}, tape);
  } else {
    return false;
  }
}

/// Adds the adjoints of a matmul's operands by the library; false if not supported. Operands of
/// float16 are widened for it, as are those of bfloat16 if the library does not support them.
template <class D, class P>
bool backward_by_library(P const& e, typename P::value_type const* adjoint, Tape& tape) {
  if constexpr (has_adjoints_by_library<D, P>) {
    using T = UncastDtype<0, P>;
    if constexpr (HalfType<T>)
      if (backward_by_halves<D, T>(e, adjoint, tape)) return true;
    return backward_with<D>(e, ReadAdjoint<typename P::value_type>{adjoint}, tape);
  } else {
    return false;
  }
}

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::codegen {

/// Emits the stores of the parts of a row's float.
TENON_RUNTIME void emit_parts(Walk& walk, std::string const& size, int block) {
  Listing& listing = walk.listing;
  Symbol<float> x(listing, listing.value("f32", "adjoint[row]", {walk.rows.row}));
  for (int part = 0; part < split_parts; ++part) {
    Bits32 const all = bits(x) | select(x != x, Bits32(0x400000u), Bits32(0u));
    std::string const at = std::to_string(part) + " * " + size + " + row";
    auto const upper = cast<std::uint16_t>(all >> 16);
    listing.line(block, "product[" + at + "] = " + upper.text(listing) + ";");
    auto const is_finite = (all & Bits32(0x7f800000u)) != Bits32(0x7f800000u);
    Symbol<float> const rest = x - from_bits(all & Bits32(0xffff0000u));
    x = select(is_finite, rest, Symbol<float>(0.0f));
  }
}

TENON_RUNTIME Kernel split_kernel(Functions& functions) {
  Walk walk(functions);
  Quantity const size = walk.variables.fresh("size", 1);
  Loops loops(walk.listing, 0);
  (void)open_rows(walk, {size}, 1, 0, loops);
  emit_parts(walk, walk.variables.text(size), loops.block());
  loops.close();
  Kernel kernel{"split", {}, type_text<float>, 0, sizeof(float)};
  kernel.product_type = type_text<std::uint16_t>;
  return with_text(std::move(kernel), walk, "// product: three parts of each float\n",
                   {{Argument::Is::adjoint}, {Argument::Is::product}});
}

}  // namespace tenon::internal::codegen

#endif
