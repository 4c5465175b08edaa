#pragma once

#include <tuple>

#include <tenon/backend/source/adjoints.hpp>
#include <tenon/backend/source/attention.hpp>
#include <tenon/backend/source/backward.hpp>
#include <tenon/backend/source/compiled.hpp>
#include <tenon/backend/source/draw.hpp>
#include <tenon/backend/source/kernel_source.hpp>
#include <tenon/backend/source/lines.hpp>
#include <tenon/backend/source/pieces.hpp>
#include <tenon/backend/source/products_backward.hpp>
#include <tenon/backend/source/recall.hpp>
#include <tenon/backend/source/scratch.hpp>
#include <tenon/backend/source/tiled.hpp>
#include <tenon/eval/pull_by_host.hpp>
#include <tenon/eval/recipe_text.hpp>

namespace tenon::source {

/// A device that compiles the text of kernels when the program runs, and starts them.
template <class D>
concept CompilingDevice =
    DistantDevice<D> && requires(typename D::Function function, std::string const& text,
                                 std::vector<LaunchArgument> const& arguments, Work work) {
      { D::compile(text, text) } -> std::same_as<typename D::Function>;
      D::launch(function, arguments, work);
    };

/// What is known of the backward kernels of a recipe is known by this.
template <class E>
struct BackwardOf {};

/// A backend that prints its kernels in a dialect, lets the device compile them, and keeps them
/// for the next recipe that is the same but for its memory and its numbers.
template <CompilingDevice D, class Language>
struct SourceBackend : AttendingBackend<D, Language> {
  using device = D;
  using dialect = Language;

  template <class E>
  static void fill(E const& e, MemoryAccess const& out) {
    if constexpr (speaks_of<E>) compute(e, out, has_fold<E> ? wanted_row<E> : 0);
    else note_unspoken<E>(), fill_by_host<Cpu>(e, out);
  }

  template <class E>
  static void contract(E const& product, typename E::value_type* out) {
    if (multiplied_by_library<D>(product, out)) return hold_while_recording(product);
    MemoryAccess const access =
        access_out(reinterpret_cast<std::byte*>(out), row_major(product.sizes(), E::shape.rank),
                   sizeof(typename E::value_type));
    if constexpr (speaks_of<E>) compute(product, access, 0);
    else note_unspoken<E>(), fill_by_host<Cpu>(product, access);
  }

  /// Computes a product and the recipe that reads it at `value`, where it lies afterwards unless
  /// the result lies there.
  template <class P, class E>
  static void contract_with_epilogue(P const& product, typename P::value_type* value, E const& e,
                                     MemoryAccess const& out) {
    if (lies_row_major(out.stride, e) && ended_by_library<D, TensorOf<P>>(product, e, out.data))
      return hold_while_recording(product), hold_while_recording(e);
    if (multiplied_by_library<D>(product, value))
      return hold_while_recording(product), fill(e, out);
    if constexpr (speaks_of<P> && speaks_of<E> && is_tileable<P>) {
      bool const fits = lies_row_major(out.stride, e) && count(e.sizes(), E::shape.rank) > 0;
      if (fits && tiles_of(functions_of_device(), product))
        return compute_tiles(product, value, e, out);
    }
    contract(product, value);
    fill(e, out);
  }

  template <class E>
  static void pull(E const& e, MemoryAccess const& adjoint, Tape& tape) {
    if constexpr (!speaks_of<E>) return note_unspoken<E>(), pull_by_host<Cpu>(e, adjoint, tape);
    else pull_there(e, adjoint, tape);
  }

  template <class E>
  static void pull_contract(E const& product, typename E::value_type const* adjoint, Tape& tape) {
    if (pulled_by_library<D>(product, adjoint, tape)) return hold_while_recording(product);
    if constexpr (speaks_of<E>) pass_back(product, adjoint, tape);
    else note_unspoken<E>(), pull_by_host<Cpu>(product, access_at(adjoint, product), tape);
  }

  /// Random words by a kernel: nothing is drawn on the host.
  static void draw(op::PhiloxKey key, std::uint32_t stream, std::uint32_t* to, std::int64_t words) {
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
  using Known = Recalled<typename D::Function>;

  /// Has the language all dtypes of a recipe? The host computes what it has no words for.
  template <class E>
  static constexpr bool speaks_of = std::is_void_v<UnspokenDtype<Language, E>>;
  template <class E>
  static void note_unspoken() {
    note_fallback(D::name, dtype_name<UnspokenDtype<Language, E>>);
  }

  template <class E>
  static void pull_there(E const& e, MemoryAccess const& adjoint, Tape& tape) {
    if (lies_row_major(adjoint.stride, e)) return pass_back(e, adjoint.data, tape);
    using T = typename E::value_type;
    auto const* const from = reinterpret_cast<T const*>(adjoint.data);
    View<T, spec_of<E>, D> const part(from, e.sizes(), adjoint.stride);
    auto const whole = Tensor<T, spec_of<E>, D>::uninitialised(e.sizes());
    fill(part, access_at(whole.data(), whole));
    pass_back(e, whole.data(), tape);
  }

  template <class E>
  static void hold_while_recording(E const& e) {
    if (auto* const lender = DeviceLender<D>::current) Occurrence::hold(*lender, e);
  }

  /// Starts the kernel of a recipe: one that is known, or a new one.
  template <class E>
  static void compute(E const& e, MemoryAccess const& out, int row_axes) {
    if (count(e.sizes(), E::shape.rank) == 0) return;
    hold_while_recording(e);
    Occurrence own;
    bool const is_part = !lies_row_major(out.stride, e);
    if (is_part) own.note_all(out.stride);
    own.note(e);
    run_known<E>(own, out.data, [&](Functions& functions) {
      return kernels_of(functions, e, is_part ? &out : nullptr, row_axes);
    });
  }

  template <class P, class E>
  static void compute_tiles(P const& product, typename P::value_type* value, E const& e,
                            MemoryAccess const& out) {
    hold_while_recording(product);
    hold_while_recording(e);
    Occurrence own;
    bool const stores = reinterpret_cast<std::byte const*>(value) != out.data;
    own.key.push_back(stores ? 1 : 0);
    own.note(product);
    own.note(e);
    run_known<std::tuple<P, E>>(own, out.data, [&](Functions& all) {
      return std::vector{tiled(all, *tiles_of(all, product), product, e, {value, stores})};
    });
  }

  /// Starts the kernels of what is known by a type and an occurrence; `print(functions)` are
  /// they.
  template <class What, class Print>
  static void run_known(Occurrence const& own, void const* result, Print const& print) {
    auto const& all = Recall<What, std::vector<Known>>::find(own.key, [&] {
      Functions functions = functions_of_device();
      return compiled(functions, print(functions), own);
    });
    start(all, own, result, NoAdjoints());
  }
  template <class Adjoints>
  static void start(std::vector<Known> const& all, Occurrence const& own, void const* whole,
                    Adjoints adjoints) {
    DeviceScratch<D> scratch;
    auto const memory_of = [&](auto const& leaf) { return adjoints.memory_of(leaf); };
    for (Known const& known : all)
      D::launch(known.function, known.arguments_for(own, whole, memory_of, scratch), known.work);
  }

  /// The kernel of a recipe, after those that fold pieces of long rows.
  template <class E>
  static std::vector<Kernel> kernels_of(Functions& functions, E const& e, MemoryAccess const* part,
                                        int row_axes) {
    if constexpr (has_fold<E>) {
      Cut const cut = cut_of(functions, e, row_axes);
      if (cut.pieces > 1) {
        PieceKernels pieces(functions, cut, "fold" + ops_text(e));
        pieces.add(e);
        pieces.kernels.push_back(kernel_of(functions, e, part, row_axes, &pieces));
        return std::move(pieces.kernels);
      }
    }
    return {kernel_of(functions, e, part, row_axes)};
  }

  /// The kernel of a recipe whose result lies row-major, or as `part` says. Where an element of a
  /// map asks for the place of its row along each axis, a processor walks the last axis in a
  /// loop.
  template <class E>
  static Kernel kernel_of(Functions& functions, E const& e, MemoryAccess const* part, int row_axes,
                          PieceKernels const* pieces = nullptr) {
    if constexpr (is_tileable<E>) {
      auto const numbers = tiles_of(functions, e);
      if (numbers) return tiled(functions, *numbers, e, e);
    }
    Walk walk(functions);
    walk.has_steps_of_result = part != nullptr;
    if (part != nullptr) walk.steps_of_result = walk.memories.strides(E::shape.rank, part->stride);
    if (pieces != nullptr) walk.cut = pieces->cut(), walk.folded = &pieces->folded;
    print_rows(walk, e, row_axes);
    bool const asks = row_axes == 0 && walk.rows.are_taken_apart;
    if (asks && walks_lines() && has_long_lines(e)) return kernel_of(functions, e, part, 1);
    return finished(walk, e, "kernel" + ops_text(e));
  }

  static bool walks_lines() {
    if constexpr (requires { D::walks_lines(); }) return D::walks_lines();
    else return false;
  }

  /// Starts the kernels that add the adjoint of a recipe to those of its leaves.
  template <class E>
  static void pass_back(E const& e, void const* adjoint, Tape& tape) {
    if (count(e.sizes(), E::shape.rank) == 0) return;
    hold_while_recording(e);
    Occurrence own{&tape};
    own.note(e);
    auto const& all = Recall<BackwardOf<E>, std::vector<Known>>::find(own.key, [&] {
      Functions functions = functions_of_device();
      auto const wanted = [&](TapeMark mark) { return tape.is_wanted(mark); };
      return compiled(functions, pulled({functions, "pull" + ops_text(e), wanted}, e), own);
    });
    start(all, own, adjoint, DeviceAdjoints<D>(tape, own));
  }

  static Functions functions_of_device() { return Functions(Language::text, true, walks_lines()); }

  static typename D::Function function_of(Functions const& functions, Kernel const& kernel) {
    std::string text(Language::text.prelude);
    text += functions.text();
    text += kernel.text;
    return Compiled<D>::function(kernel.name, text);
  }
  static std::vector<Known> compiled(Functions const& functions, std::vector<Kernel> const& kernels,
                                     Occurrence const& own) {
    std::vector<Known> all;
    all.reserve(kernels.size());
    for (Kernel const& kernel : kernels)
      all.push_back(Known::of(function_of(functions, kernel), kernel, own));
    return all;
  }
};

}  // namespace tenon::source
