#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <tenon/eval/attention.hpp>
#include <tenon/eval/backward_by_host.hpp>
#include <tenon/eval/contract/backward.hpp>
#include <tenon/eval/contract/contraction.hpp>
#include <tenon/eval/depthwise.hpp>
#include <tenon/eval/draw.hpp>
#include <tenon/eval/kernel.hpp>
#include <tenon/eval/linalg/plain_factors.hpp>
#include <tenon/eval/machine.hpp>
#include <tenon/eval/multi_output.hpp>
#include <tenon/expr/linalg/cholesky.hpp>

/// The interface between evaluation and backends. A backend inherits `BackendDefaults` of its
/// device, and ends in `static_assert(Backend<Name>)`. An `e` is a materialized expression:
/// elementwise ops, reductions along rows, views and gathers, as one kernel. A `product` is a node
/// `Contract` of two tensors. `out` and `adjoint` give address and strides; `to` and `from` are
/// row-major. Backward adds to the adjoints of leaves on a tape.
namespace tenon::internal {

template <Device D>
struct DefaultsOfAll {
  using device = D;
  /// Whether gradients are supported; if not, no `backward` is compiled.
  static constexpr bool differentiates = true;

  /// Whether there is fused attention for elements `T`: `attend(numbers, memory)` and
  /// `backward_attention(numbers, memory, adjoints)`; on the host both with `AttentionOptions`.
  /// Default: matmuls and a softmax.
  template <class T>
  static constexpr bool attends = false;

  /// Whether there are kernels for depthwise convolutions of elements `T`, on the host, with memory
  /// in the order of the arguments: `convolve_depthwise(numbers, x, weight, y)`,
  /// `depthwise_operand_adjoint(numbers, dy, weight, dx)` and `depthwise_weight_adjoint(numbers, x,
  /// dy, dweight)`. Default: contractions of windows.
  template <class T>
  static constexpr bool convolves_depthwise = false;

  /// Whether reductions of a matmul are computed in its kernel.
  static constexpr bool reduces_products = false;

  /// Computes a matmul to `value`, and `e`, elementwise ops that read it there, to `out`, the same
  /// memory or another.
  template <class P, class E>
  static void contract_with_epilogue(P const& product, typename P::value_type* value, E const& e,
                                     MemoryAccess const& out) {
    BackendOf<D>::contract(product, value);
    BackendOf<D>::fill(e, out);
  }
};

/// For host devices. Everything has a default: loops, element by element, on one thread. `machine`
/// and `parallel_for` accelerate most of it.
template <Device D>
struct BackendDefaults : DefaultsOfAll<D> {
  /// How many elements a loop computes at once, and how it loads, stores and reduces them.
  using machine = ScalarMachine;
  /// Decompositions of one matrix.
  using factors = linalg::PlainFactors;

  /// Calls f(chunk, scratch) for all chunks, in any order, possibly concurrently: concurrent calls
  /// have disjoint scratch memory.
  template <class F>
  static void parallel_for(std::int64_t chunks, std::size_t scratch_bytes, F const& f) {
    SharedBuffer const scratch(scratch_bytes);
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) f(chunk, scratch.as<std::byte>());
  }
  /// The number of parts into which chunks of rows are divided, each with a copy of the kernel.
  static std::int64_t parts(std::int64_t chunks) { return chunks; }

  /// All elements of `e` to `out`. Default: rows by `machine`, chunks of them by `parallel_for`.
  template <class E>
  TENON_INLINE static void fill(E const& e, MemoryAccess const& out) {
    run_fused<BackendOf<D>>(e, out);
  }
  /// Elementwise outputs over the same axes, in order: an operand may have the memory of an earlier
  /// output, for its new values, or of the same or a later one, for its old values. Default: one
  /// after another.
  template <class... E>
  static void fill_together(OutputOf<E> const&... outputs) {
    (BackendOf<D>::fill(outputs.expression, outputs.access()), ...);
  }
  template <class E>
  TENON_INLINE static void backward(E const& e, MemoryAccess const& adjoint, Tape& tape) {
    sweep<BackendOf<D>>(e, adjoint, tape);
  }

  /// Whether `e`, whose tensors are inline, is evaluated by loops of constant length. If so there
  /// are `fill_inline(e, to)` and `backward_inline(e, from, tape)`.
  template <class E>
  static consteval bool fills_inline() {
    return false;
  }

  /// Default: a plan for `multiply`.
  template <class E>
  static void contract(E const& product, typename E::value_type* to) {
    run_plan<BackendOf<D>>(product, to);
  }
  template <class E>
  static void backward_contract(E const& product, typename E::value_type const* from, Tape& tape) {
    backward_contraction<BackendOf<D>>(product, from, tape);
  }

  /// The matmul of a plan; `after(part, columns)` is called for every part once it is computed: all
  /// but the last of a row have `columns` columns. Default: `product`s by `parallel_for`.
  template <bool reads_steps, class T>
  static void multiply(ProductPlan<T> const& plan, AfterPart<T> const& after) {
    run_tasks<BackendOf<D>>(plan, after);
  }
  /// Whether `multiply` supports plans with `scattered` operands (implicit im2col of convolutions)
  /// and `direct` ones (depthwise convolutions).
  template <class T>
  static constexpr bool multiplies_im2col = false;
  /// Whether there is `multiply_winograd(plan)`, which computes plans with the labels `winograd`.
  template <class T>
  static constexpr bool multiplies_winograd = false;
  /// Whether it takes 16-bit operands, and `takes_halves` whether that beats a copy as floats.
  template <class T>
  static constexpr bool multiplies_halves = false;
  template <class T>
  static bool takes_halves(MatrixProduct<T> const&) {
    return false;
  }

  /// A matmul of two matrices on one thread, and the bytes of `scratch` that it needs.
  template <class T>
  static void product(MatrixProduct<T> const& p, std::byte* /*scratch*/) {
    plain_product(p);
  }
  template <class T>
  static std::size_t product_scratch(MatrixProduct<T> const&) {
    return 0;
  }

  /// Random words of a stream from word `first` on. Default: Philox by `machine`.
  static void draw(op::PhiloxKey key, std::uint32_t stream, std::int64_t first, std::uint32_t* to,
                   std::int64_t words) {
    draw_words<BackendOf<D>>(key, stream, first, to, words);
  }
};

/// For a device with separate memory, whose addresses are passed. Nothing is needed beyond
/// `DeviceWithMemory`: a host device computes what is not replaced, between copies.
template <DeviceWithMemory D>
struct BackendDefaults<D> : DefaultsOfAll<D> {
  /// The host device that computes what is not replaced.
  using host = Cpu;

  template <class E>
  static void fill(E const& e, MemoryAccess const& out) {
    fill_by_host<typename BackendOf<D>::host>(e, out);
  }
  template <class E>
  static void backward(E const& e, MemoryAccess const& adjoint, Tape& tape) {
    backward_on_host<typename BackendOf<D>::host>(e, adjoint, tape);
  }
  template <class E>
  static void contract(E const& product, typename E::value_type* to) {
    fill_by_host<typename BackendOf<D>::host>(product, row_major_access(to, product));
  }
  template <class E>
  static void backward_contract(E const& product, typename E::value_type const* from, Tape& tape) {
    backward_on_host<typename BackendOf<D>::host>(product, row_major_access(from, product), tape);
  }

  static void draw(op::PhiloxKey key, std::uint32_t stream, std::int64_t first, std::uint32_t* to,
                   std::int64_t words) {
    if (words == 0) return;
    SharedBuffer const drawn(static_cast<std::size_t>(words) * sizeof(std::uint32_t));
    BackendOf<typename BackendOf<D>::host>::draw(key, stream, first, drawn.as<std::uint32_t>(),
                                                 words);
    copy_from_host<D>(to, drawn.data(), drawn.bytes());
  }

  /// Eager functions of tensors, with their gradients. (On the host they use the functions above.)
  template <class R>
  static R cumsum(R const& x, int axis, bool reversed) {
    auto const f = [=](auto, auto const& here) { return cumsum_along(here, axis, reversed); };
    return by_host<R, typename BackendOf<D>::host>(D::name, "cumsum", f, x);
  }
  template <class R>
  static R cumprod(R const& x, int axis) {
    auto const f = [=](auto, auto const& here) { return cumprod_along(here, axis); };
    return by_host<R, typename BackendOf<D>::host>(D::name, "cumprod", f, x);
  }
  /// The indices of the first elements in sorted order along an axis, ascending or descending.
  template <class R, class E>
  static R argsort(E const& x, Sizes const& sizes, int axis, bool largest_first) {
    auto const f = [&]<class Here>(std::type_identity<Here>, auto const& here) {
      return ordered_places<Here>(here, sizes, axis, largest_first);
    };
    return by_host<R, typename BackendOf<D>::host>(D::name, "sort", f, x);
  }
  /// `x` with slices along an axis replaced by others, or by a number.
  template <class R, class P, class V>
  static R set(R const& x, int axis, P const& positions, V const& value) {
    auto const f = [=](auto, auto const& here, auto const& places, auto const& other) {
      return replaced_slices(here, axis, places, other);
    };
    return by_host<R, typename BackendOf<D>::host>(D::name, "set", f, x, positions, value);
  }
  /// `f` is the host implementation; `Name` identifies it, as `SolveName`.
  template <class Name, class R, class F, class... X>
  static R linear_algebra(F const& f, X const&... x) {
    return by_host<R, typename BackendOf<D>::host>(D::name, Name::name, f, x...);
  }
};

template <class B>
using Square = Tensor<float, "2 2", typename B::device>;
template <class B>
using SquareProduct = decltype(matmul(std::declval<Square<B>>(), std::declval<Square<B>>()));

template <class B>
concept HostBackend = requires(void (*f)(std::int64_t, std::byte*), Square<B> x, float* to,
                               Tape& tape, ProductPlan<float> plan, AfterPart<float> after) {
  typename B::machine::template vector<float>;
  typename B::factors;
  B::parallel_for(1, sizeof(float), f);
  { B::parts(1) } -> std::same_as<std::int64_t>;
  requires !B::template fills_inline<Square<B>>() ||
               requires { B::fill_inline(x, to), B::backward_inline(x, to, tape); };
  B::template multiply<B::template multiplies_im2col<float>>(plan, after);
  requires !B::template multiplies_winograd<float> || requires { B::multiply_winograd(plan); };
  { B::takes_halves(MatrixProduct<bfloat16>()) } -> std::same_as<bool>;
  B::product(plan.matrix, nullptr);
  { B::product_scratch(plan.matrix) } -> std::same_as<std::size_t>;
};

template <class B>
concept DistantBackend = requires(Square<B> const& x, AttentionNumbers const& n,
                                  AttentionMemory<float> const& m, AttentionAdjoints<float> a) {
  requires B::host::is_host;
  requires !B::template attends<float> ||
               requires { B::attend(n, m), B::backward_attention(n, m, a); };
  B::cumsum(x, 0, false);
  B::cumprod(x, 0);
  B::template argsort<Tensor<std::int32_t, "2 2", typename B::device>>(x, x.sizes(), 0, true);
  B::set(x, 0, x, x);
  B::template linear_algebra<linalg::CholeskyName, Square<B>>(nullptr, x);
};

template <class B>
concept EvaluatingBackend =
    requires(Square<B> const& x, SquareProduct<B> const& product, MemoryAccess const& out,
             float* to, Tape& tape, std::uint32_t* words) {
      { B::differentiates } -> std::convertible_to<bool>;
      B::fill(x, out);
      B::backward(x, out, tape);
      B::contract(product, to);
      B::backward_contract(product, to, tape);
      B::contract_with_epilogue(product, to, x, out);
      B::draw(op::PhiloxKey(), 0u, 0, words, 4);
    };

}  // namespace tenon::internal

namespace tenon {

/// A backend with the complete interface, found by its device.
template <class B>
concept Backend =
    std::same_as<BackendOf<typename B::device>, B> && internal::EvaluatingBackend<B> &&
    (internal::HostBackend<B> || internal::DistantBackend<B>);

using internal::BackendDefaults;

}  // namespace tenon
