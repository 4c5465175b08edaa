#pragma once

#include <tenon/backend/codegen/attention/attention.hpp>
#include <tenon/backend/codegen/cache/device_adjoints.hpp>
#include <tenon/backend/codegen/cache/kernel_cache.hpp>
#include <tenon/backend/codegen/kernels/along_axis.hpp>
#include <tenon/backend/codegen/kernels/expression_kernels.hpp>
#include <tenon/backend/codegen/kernels/random.hpp>
#include <tenon/backend/codegen/launch/compiler.hpp>
#include <tenon/backend/codegen/launch/device_scratch.hpp>
#include <tenon/backend/codegen/matmul/library_matmul_backward.hpp>
#include <tenon/backend/codegen/print/kernel_source.hpp>
#include <tenon/eval/backward_by_host.hpp>
#include <tenon/eval/materialize.hpp>

namespace tenon::internal::codegen {

/// A device that compiles kernel text at run time, and launches kernels.
template <class D>
concept CompilingDevice =
    DeviceWithMemory<D> && requires(typename D::Function function, std::string const& text,
                                    std::vector<LaunchArgument> const& arguments, Work work) {
      { D::compile(text, text) } -> std::same_as<typename D::Function>;
      D::launch(function, arguments, work);
    };

/// A backend that prints kernels in a dialect, compiles them on the device, and caches them for
/// expressions that differ only in memory and scalars.
template <CompilingDevice D, class Language>
struct SourceBackend : AttendingBackend<D, Language> {
  using Defaults = BackendDefaults<D>;
  using dialect = Language;

  template <class E>
  static void fill(E const& e, MemoryAccess const& out) {
    if constexpr (is_supported<E>) compute(node_with_text(e), out);
    else note_unsupported<E>(), Defaults::fill(e, out);
  }

  template <class E>
  static void contract(E const& product, typename E::value_type* out) {
    if (multiply_by_library<D>(product, out)) return hold_while_recording(product);
    if constexpr (is_supported<E>) compute(node_with_text(product), row_major_access(out, product));
    else note_unsupported<E>(), Defaults::contract(product, out);
  }

  /// Computes a matmul and the expression that reads it at `value`, where it is stored unless the
  /// result is stored there.
  template <class P, class E>
  static void contract_with_epilogue(P const& product, typename P::value_type* value, E const& e,
                                     MemoryAccess const& out) {
    bool const fits = is_row_major(out.stride, e.sizes(), E::shape.rank);
    if (fits && compute_by_library<D, TensorOf<P>>(product, e, out.data))
      return hold_while_recording(product), hold_while_recording(e);
    if (multiply_by_library<D>(product, value)) return hold_while_recording(product), fill(e, out);
    if constexpr (is_supported<P> && is_supported<E>) {
      bool const is_any = fits && count(e.sizes(), E::shape.rank) > 0;
      if (is_any && tiles_of(functions_of_device(), node_with_text(product)))
        return compute_tiles(node_with_text(product), value, node_with_text(e), out);
    }
    Defaults::contract_with_epilogue(product, value, e, out);
  }

  template <class E>
  static void backward(E const& e, MemoryAccess const& adjoint, Tape& tape) {
    if constexpr (!is_supported<E>)
      return note_unsupported<E>(), Defaults::backward(e, adjoint, tape);
    else backward_there(e, adjoint, tape);
  }

  template <class E>
  static void backward_contract(E const& product, typename E::value_type const* adjoint,
                                Tape& tape) {
    if (backward_by_library<D>(product, adjoint, tape)) return hold_while_recording(product);
    if constexpr (is_supported<E>) pass_back(node_with_text(product), adjoint, tape);
    else note_unsupported<E>(), Defaults::backward_contract(product, adjoint, tape);
  }

  /// Draws by a kernel, from word 0.
  static void draw(op::PhiloxKey key, std::uint32_t stream, std::int64_t first, std::uint32_t* to,
                   std::int64_t words) {
    if (first != 0) return Defaults::draw(key, stream, first, to, words);
    static typename D::Function const function = [] {
      Functions functions = functions_of_device();
      return function_of(functions, draw_kernel(functions));
    }();
    if (words == 0) return;
    Work work;
    work.rows = (words + 3) / 4;
    D::launch(function, draw_arguments(key, stream, to, words), work);
  }

 private:
  using Known = CachedKernel<typename D::Function>;
  using AllKnown = std::vector<Known>;
  enum class Part : std::int64_t { whole, strided, tiled, tiled_stored, backward };

  /// Whether the language supports all dtypes of an expression; otherwise the host computes it.
  template <class E>
  static constexpr bool is_supported = std::is_void_v<UnsupportedDtype<Language, E>>;
  template <class E>
  static void note_unsupported() {
    note_fallback(D::name, dtype_name<UnsupportedDtype<Language, E>>);
  }

  template <class E>
  static void backward_there(E const& e, MemoryAccess const& adjoint, Tape& tape) {
    if (is_row_major(adjoint.stride, e.sizes(), E::shape.rank))
      return pass_back(node_with_text(e), adjoint.data, tape);
    using T = typename E::value_type;
    auto const* const from = reinterpret_cast<T const*>(adjoint.data);
    View<T, spec_of<E>, D> const part(from, e.sizes(), adjoint.stride);
    auto const whole = Tensor<T, spec_of<E>, D>::uninitialised(e.sizes());
    fill(part, row_major_access(whole.data(), whole));
    pass_back(node_with_text(e), whole.data(), tape);
  }

  template <class E>
  static void hold_while_recording(E const& e) {
    if constexpr (is_supported<E>) hold_while_recording(node_with_text(e));
  }
  static void hold_while_recording(Node e) {
    auto* const lender = DeviceLender<D>::current;
    if (lender != nullptr)
      hold_leaves(e, [&](SharedBuffer const& buffer) { lender->hold(buffer); });
  }

  /// A pass of an expression, as part of the key of its kernels.
  static KernelInstance kernel_instance(Part part, Tape const* tape,
                                        std::initializer_list<Node> recipes) {
    KernelInstance own{tape};
    own.key.reserve(64);  // sufficient for most expressions
    own.key.push_back(static_cast<std::int64_t>(part));
    for (Node const e : recipes) {
      hold_while_recording(e);
      own.note_type(e);
      own.note(e);
    }
    return own;
  }

  /// Launches the kernels of an expression, cached or new.
  static void compute(Node e, MemoryAccess const& out) {
    Sizes const sizes = e.sizes();
    if (count(sizes, e.rank()) == 0) return;
    bool const is_part = !is_row_major(out.stride, sizes, e.rank());
    KernelInstance own = kernel_instance(is_part ? Part::strided : Part::whole, nullptr, {e});
    if (is_part) own.note_all(out.stride);
    run_known(own, out.data, [&](Functions& functions) {
      return kernels_of(functions, e, is_part ? &out : nullptr, e->wanted_row);
    });
  }

  static void compute_tiles(Node product, void const* value, Node e, MemoryAccess const& out) {
    bool const stores = value != static_cast<void const*>(out.data);
    KernelInstance const own =
        kernel_instance(stores ? Part::tiled_stored : Part::tiled, nullptr, {product, e});
    run_known(own, out.data, [&](Functions& functions) {
      return kernels_of(functions, product, ProductValue{value, stores}, e);
    });
  }

  /// Launches the kernels cached for a kernel instance; `print(functions)` creates them.
  using Print = Callback<std::vector<Kernel>(Functions&)>;
  static AllKnown const& known(KernelInstance const& own, Print const& print) {
    return KernelCache<SourceBackend, AllKnown>::find(own.key, [&] {
      Functions functions = functions_of_device();
      return compiled(functions, print(functions), own);
    });
  }
  static void run_known(KernelInstance const& own, void const* result, Print const& print) {
    start(known(own, print), own, result, NoAdjoints());
  }
  template <class Adjoints>
  static void start(AllKnown const& all, KernelInstance const& own, void const* whole,
                    Adjoints adjoints) {
    DeviceScratch<D> scratch;
    auto const memory_of = [&](auto const& leaf) { return adjoints.memory_of(leaf); };
    for (Known const& known : all)
      D::launch(known.function, known.arguments_for(own, whole, memory_of, scratch), known.work);
  }

  /// Launches the kernels that add the adjoint of an expression to those of its leaves.
  static void pass_back(Node e, void const* adjoint, Tape& tape) {
    if (e.count() == 0) return;
    KernelInstance const own = kernel_instance(Part::backward, &tape, {e});
    auto const& all = known(own, [&](Functions& functions) {
      auto const wanted = [&](TapeMark mark) { return tape.is_wanted(mark); };
      return backward_of({functions, "backward" + ops_text(e), wanted}, e);
    });
    start(all, own, adjoint, DeviceAdjoints<D>(tape, own));
  }

  static Functions functions_of_device() {
    return Functions(Language::text, true, loops_along_axis<D>());
  }

  static typename D::Function function_of(Functions const& functions, Kernel const& kernel) {
    std::string text(Language::text.prelude);
    text += functions.text();
    text += kernel.text;
    return Compiled<D>::function(kernel.name, text);
  }
  static AllKnown compiled(Functions const& functions, std::vector<Kernel> const& kernels,
                           KernelInstance const& own) {
    AllKnown all;
    all.reserve(kernels.size());
    for (Kernel const& kernel : kernels)
      all.push_back(Known::of(function_of(functions, kernel), kernel, own));
    return all;
  }
};

}  // namespace tenon::internal::codegen

namespace tenon::codegen {

using internal::codegen::CompilingDevice;
using internal::codegen::SourceBackend;

}  // namespace tenon::codegen
