#pragma once

#include <tenon/backend/codegen/attention/kernels.hpp>
#include <tenon/backend/codegen/cache/kernel_cache.hpp>
#include <tenon/backend/codegen/kernels/along_axis.hpp>
#include <tenon/backend/codegen/launch/compiler.hpp>
#include <tenon/backend/codegen/print/kernel_source.hpp>
#include <tenon/backend/contract.hpp>
#include <tenon/tensor/device_memory.hpp>

namespace tenon::internal::codegen {

/// Attention with elements `T` on a device that compiles kernel text. No sum is split over groups,
/// so that results are deterministic; it needs memory for two numbers per query.
template <class D, class Language, class T>
class Attention {
 public:
  using R = Computed<T>;
  using Place = typename AttentionAdjoints<T>::Place;

  static void compute(AttentionNumbers const& numbers, AttentionMemory<T> const& memory) {
    std::int64_t const results = numbers.rows * numbers.queries * numbers.width;
    if (results == 0) return;
    if (numbers.keys == 0)
      return D::clear(memory.out, static_cast<std::size_t>(results) * sizeof(T));
    Arguments all{memory_at(memory.out), memory_at(memory.log_sums)};
    add_operands(all, memory);
    add_sizes(all, numbers);
    launch(AttentionPart::values, numbers, all);
  }

  static void backward(AttentionNumbers const& numbers, AttentionMemory<T> const& memory,
                       AttentionAdjoints<T> const& adjoints) {
    if (numbers.rows * numbers.queries * numbers.keys * numbers.width == 0)
      return clear_all(numbers, adjoints);
    SharedBuffer const deltas = scratch(numbers.rows * numbers.queries);
    backward_deltas(numbers, memory, adjoints, deltas);
    if (adjoints.q.to != nullptr) backward_queries(numbers, memory, adjoints, deltas);
    backward_keys_and_values(numbers, memory, adjoints, deltas);
  }

 private:
  using Arguments = std::vector<LaunchArgument>;
  struct Known {
    typename D::Function function;
  };

  static LaunchArgument memory_at(void const* memory) { return {memory, 0, {}}; }
  static SharedBuffer scratch(std::int64_t elements) {
    return DeviceBlocks<D>::instance().take(static_cast<std::size_t>(elements) * sizeof(R));
  }
  static void add_operands(Arguments& all, AttentionMemory<T> const& memory) {
    for (T const* const operand : {memory.q, memory.k, memory.v}) all.push_back(memory_at(operand));
  }
  static void add_sizes(Arguments& all, AttentionNumbers const& numbers) {
    for (std::int64_t const size : {numbers.rows, numbers.heads, numbers.queries, numbers.keys})
      all.push_back(LaunchArgument::of(size));
  }
  static LaunchArgument adds_to(Place const& place) {
    return LaunchArgument::of(std::int64_t{place.is_new ? 0 : 1});
  }

  /// Without queries or keys, new adjoints are zeros.
  static void clear_all(AttentionNumbers const& numbers, AttentionAdjoints<T> const& adjoints) {
    auto const clear = [&](Place const& place, std::int64_t positions) {
      auto const bytes =
          static_cast<std::size_t>(numbers.rows * positions * numbers.width) * sizeof(R);
      if (place.to != nullptr && place.is_new && bytes > 0) D::clear(place.to, bytes);
    };
    clear(adjoints.q, numbers.queries);
    clear(adjoints.k, numbers.keys);
    clear(adjoints.v, numbers.keys);
  }

  static void backward_deltas(AttentionNumbers const& numbers, AttentionMemory<T> const& memory,
                              AttentionAdjoints<T> const& adjoints, SharedBuffer const& deltas) {
    Known const& known =
        find(-1, {}, [](Functions& functions) { return attention_deltas<T>(functions); });
    Work work;
    work.rows = numbers.rows * numbers.queries;
    D::launch(known.function,
              {memory_at(deltas.data()), memory_at(memory.out), memory_at(adjoints.of_result),
               LaunchArgument::of(work.rows), LaunchArgument::of(numbers.width)},
              work);
  }

  static void backward_queries(AttentionNumbers const& numbers, AttentionMemory<T> const& memory,
                               AttentionAdjoints<T> const& adjoints, SharedBuffer const& deltas) {
    Arguments all{memory_at(adjoints.q.to)};
    add_read(all, numbers, memory, adjoints, deltas);
    all.push_back(adds_to(adjoints.q));
    launch(AttentionPart::queries, numbers, all);
  }

  /// One kernel writes both: if one is not required, or keys and values are the same tensor, the
  /// other is written to scratch memory.
  static void backward_keys_and_values(AttentionNumbers const& numbers,
                                       AttentionMemory<T> const& memory,
                                       AttentionAdjoints<T> const& adjoints,
                                       SharedBuffer const& deltas) {
    Place const k = adjoints.k, v = adjoints.v;
    if (k.to == nullptr && v.to == nullptr) return;
    if (k.to != v.to && k.to != nullptr && v.to != nullptr)
      return backward_keys(numbers, memory, adjoints, deltas, k, v);
    SharedBuffer const unread = scratch(numbers.rows * numbers.keys * numbers.width);
    Place const nowhere{unread.as<R>(), true};
    if (k.to != nullptr) backward_keys(numbers, memory, adjoints, deltas, k, nowhere);
    if (v.to != nullptr) backward_keys(numbers, memory, adjoints, deltas, nowhere, v);
  }
  static void backward_keys(AttentionNumbers const& numbers, AttentionMemory<T> const& memory,
                            AttentionAdjoints<T> const& adjoints, SharedBuffer const& deltas,
                            Place const& k, Place const& v) {
    Arguments all{memory_at(k.to), memory_at(v.to)};
    add_read(all, numbers, memory, adjoints, deltas);
    all.push_back(adds_to(k));
    all.push_back(adds_to(v));
    launch(AttentionPart::keys, numbers, all);
  }
  static void add_read(Arguments& all, AttentionNumbers const& numbers,
                       AttentionMemory<T> const& memory, AttentionAdjoints<T> const& adjoints,
                       SharedBuffer const& deltas) {
    add_operands(all, memory);
    for (void const* const read :
         {static_cast<void const*>(adjoints.of_result), static_cast<void const*>(memory.log_sums),
          static_cast<void const*>(deltas.data())})
      all.push_back(memory_at(read));
    add_sizes(all, numbers);
  }

  /// Launches a kernel, cached or new. The key is everything on which its text depends.
  static void launch(AttentionPart part, AttentionNumbers const& numbers, Arguments const& all) {
    AttentionTiling const tiling = tiling_of(part, numbers, sizeof(R), loops_along_axis<D>());
    std::int64_t const scale = std::bit_cast<std::int64_t>(numbers.scale);
    std::vector<std::int64_t> const key{tiling.rows, tiling.columns, numbers.width,
                                        numbers.is_causal ? 1 : 0, scale};
    Known const& known = find(static_cast<int>(part), key, [&](Functions& functions) {
      return attention_part<T>(functions, part, numbers);
    });
    D::launch(known.function, all, work_of(part, tiling, numbers));
  }

  template <class Print>
  static Known const& find(int kind, std::vector<std::int64_t> key, Print const& print) {
    key.push_back(kind);
    return KernelCache<Attention, Known>::find(key, [&] {
      Functions functions(Language::text, true, loops_along_axis<D>());
      Kernel const kernel = print(functions);
      std::string text(Language::text.prelude);
      text += functions.text();
      text += kernel.text;
      return Known{Compiled<D>::function(kernel.name, text)};
    });
  }
};

/// The eager operations of a backend with a dialect, for supported dtypes.
template <class D, class Language>
struct AttendingBackend : BackendDefaults<D> {
  template <class T>
  static constexpr bool attends = std::is_void_v<Unsupported<Language, Computed<T>>>;

  template <class T>
  static void attend(AttentionNumbers const& numbers, AttentionMemory<T> const& memory) {
    Attention<D, Language, T>::compute(numbers, memory);
  }
  template <class T>
  static void backward_attention(AttentionNumbers const& numbers, AttentionMemory<T> const& memory,
                                 AttentionAdjoints<T> const& adjoints) {
    Attention<D, Language, T>::backward(numbers, memory, adjoints);
  }
};

}  // namespace tenon::internal::codegen
