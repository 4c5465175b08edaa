#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <tenon/eval/flat_kernel.hpp>
#include <tenon/optim/leaves.hpp>
#include <tenon/tensor/storage.hpp>

/// The update of small leaves in one run over all of them.
namespace tenon::internal::optim {

/// The leaves of a dtype to which a step does the same. The update of the first one is recorded.
/// Where it is one kernel over contiguous memory, that kernel runs over the memory of all others at
/// once; else each is updated on its own.
class LeafBatch {
 public:
  static constexpr std::size_t most_streams = 8;
  static constexpr std::int64_t most_elements = chunk_elements;  ///< Of a leaf.
  /// The elements of parameter, gradient and slots.
  using Streams = std::array<void const*, most_streams>;
  using Leaves = std::span<LeafRef const>;

  LeafBatch() = default;
  LeafBatch(LeafBatch const&) = delete;
  LeafBatch& operator=(LeafBatch const&) = delete;
  ~LeafBatch();

  bool is_recorded() const { return state_ == State::recorded; }
  /// Whether no leaf has been updated so far.
  bool is_new() const { return state_ == State::none; }

  /// Whether leaves can be part of a batch: small ones, in no recording.
  static bool fit(Leaves leaves);

  /// Calls `update()`, which changes the rows of parameter and slots, and records it.
  template <TensorType Row, std::size_t n, class Update>
  void record(std::array<Row, n> const& rows, Update const& update) {
    std::array<Row, n> const before = rows;  // so that results have memory of their own
    Recording const recording(kernel_);
    update();
    bool const is_one_kernel = recording.is_one_kernel();
    state_ = is_one_kernel && find_sources(elements_of(before), elements_of(rows)) ? State::recorded
                                                                                   : State::refused;
  }

  /// Adds a leaf, whose update runs later: parameter, gradient and slots.
  void add(Leaves leaves, std::size_t element_bytes);

  /// Updates all leaves that were added.
  void run();

 private:
  enum class State { none, recorded, refused };
  /// Records the kernels over contiguous memory that run during its lifetime.
  class Recording {
   public:
    explicit Recording(FlatKernel& kernel) { FlatKernel::recorded = &kernel; }
    Recording(Recording const&) = delete;
    Recording& operator=(Recording const&) = delete;
    ~Recording() { FlatKernel::recorded = around_; }

    bool is_one_kernel() const {
      FlatKernel const& kernel = *FlatKernel::recorded;
      return kernels_run == kernels_ + 1 && kernel.runs == 1 && kernel.loop != nullptr;
    }

   private:
    FlatKernel* around_ = FlatKernel::recorded;
    std::int64_t kernels_ = kernels_run;
  };
  struct Leaf {
    std::int64_t size;
    Streams before, now;
  };
  /// Where an address of the kernel comes from: the elements of a stream before or after its
  /// update, or a constant.
  struct Source {
    std::int8_t stream = -1;
    bool is_result = false;
  };

  template <class Row, std::size_t n>
  static Streams elements_of(std::array<Row, n> const& rows) {
    Streams elements{};
    for (std::size_t i = 0; i < n; ++i) elements[i] = stored_elements(rows[i]);
    return elements;
  }
  void const* result_for(LeafRef const& leaf, std::size_t element_bytes);
  bool find_sources(Streams const& before, Streams const& now);
  bool is_in_place_safe() const;
  Source source_of(std::size_t i, Streams const& before, Streams const& now) const;
  void update(Leaf const& leaf) const;

  State state_ = State::none;
  FlatKernel kernel_;
  std::array<Source, FlatKernel::most_addresses> sources_{};
  std::array<bool, most_streams> is_result_{};
  std::vector<Leaf> leaves_;
  std::vector<SharedBuffer> kept_;
};

/// Those of a step: of float32 and float64, with weight decay and without.
class LeafBatches {
 public:
  LeafBatch& of(std::size_t element_bytes, bool decays) {
    return batches_[element_bytes / 8 * 2 + (decays ? 1 : 0)];
  }
  void run();

 private:
  std::array<LeafBatch, 4> batches_;
};

}  // namespace tenon::internal::optim

#if TENON_DEFINES_RUNTIME

#include <tenon/backend/cpu/threads.hpp>

namespace tenon::internal::optim {

TENON_RUNTIME LeafBatch::~LeafBatch() = default;

TENON_RUNTIME void LeafBatches::run() {
  for (LeafBatch& batch : batches_) batch.run();
}

[[gnu::noinline]] TENON_RUNTIME LeafBatch::Source LeafBatch::source_of(std::size_t i,
                                                                       Streams const& before,
                                                                       Streams const& now) const {
  for (std::size_t k = 0; k < most_streams; ++k) {
    if (kernel_.at[i] == nullptr) continue;
    if (kernel_.at[i] == before[k]) return {static_cast<std::int8_t>(k), false};
    if (kernel_.at[i] == now[k]) return {static_cast<std::int8_t>(k), true};
  }
  return {};
}

[[gnu::noinline]] TENON_RUNTIME bool LeafBatch::fit(Leaves leaves) {
  std::int64_t const size = leaves[0].size();
  if (leaves.size() > most_streams || size == 0 || size > most_elements) return false;
  for (LeafRef const& leaf : leaves)
    if (leaf.size() != size || leaf.mark() != TapeMark()) return false;
  return true;
}

[[gnu::noinline]] TENON_RUNTIME void LeafBatch::add(Leaves leaves, std::size_t element_bytes) {
  Leaf leaf{leaves[0].size(), {}, {}};
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    leaf.before[k] = leaf.now[k] = leaves[k].elements();
    if (is_result_[k]) leaf.now[k] = result_for(leaves[k], element_bytes);
  }
  leaves_.push_back(leaf);
}

/// The memory of a result: its own, if nothing else reads it.
TENON_RUNTIME void const* LeafBatch::result_for(LeafRef const& leaf, std::size_t element_bytes) {
  SharedBuffer* const buffer = leaf.buffer();
  if (buffer != nullptr && !buffer->is_spare()) {
    kept_.push_back(*buffer);
    *buffer = SharedBuffer(static_cast<std::size_t>(leaf.size()) * element_bytes);
  }
  return leaf.elements();
}

/// Whether every stream is either unchanged or a result, and no other memory is read or written.
[[gnu::noinline]] TENON_RUNTIME bool LeafBatch::find_sources(Streams const& before,
                                                             Streams const& now) {
  for (std::size_t i = 0; i < kernel_.size; ++i) {
    bool const is_result = kernel_.kinds[i] == FlatKernel::result;
    if (!is_result && kernel_.kinds[i] != FlatKernel::input) continue;
    sources_[i] = source_of(i, before, now);
    if (sources_[i].stream < 0 || (is_result && !sources_[i].is_result)) return false;
    if (is_result) is_result_[static_cast<std::size_t>(sources_[i].stream)] = true;
  }
  for (std::size_t k = 0; k < most_streams; ++k) {
    if (before[k] != now[k] && !is_result_[k]) return false;
    for (std::size_t other = 0; other < k; ++other)
      if (before[k] != nullptr && before[k] == before[other]) return false;
  }
  return is_in_place_safe();
}

/// Whether no expression reads the old elements of a stream whose new ones are already stored.
[[gnu::noinline]] TENON_RUNTIME bool LeafBatch::is_in_place_safe() const {
  std::array<bool, most_streams> is_stored{};
  for (std::size_t i = 0; i < kernel_.size; ++i) {
    if (sources_[i].stream < 0) continue;
    bool& stored = is_stored[static_cast<std::size_t>(sources_[i].stream)];
    if (kernel_.kinds[i] == FlatKernel::result) stored = true;
    else if (stored && !sources_[i].is_result) return false;
  }
  return true;
}

[[gnu::noinline]] TENON_RUNTIME void LeafBatch::update(Leaf const& leaf) const {
  FlatKernel::Addresses at;
  for (std::size_t i = 0; i < kernel_.size; ++i) {
    auto const k = static_cast<std::size_t>(sources_[i].stream);
    if (sources_[i].stream < 0) at[i] = kernel_.constant(i);
    else at[i] = sources_[i].is_result ? leaf.now[k] : leaf.before[k];
  }
  kernel_.loop(at.data(), 0, leaf.size, false);
}

[[gnu::noinline]] TENON_RUNTIME void LeafBatch::run() {
  if (leaves_.empty()) return;
  ++kernels_run;
  std::vector<std::size_t> begins;
  std::int64_t elements = chunk_elements;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    if (elements >= chunk_elements) begins.push_back(i), elements = 0;
    elements += leaves_[i].size;
  }
  auto const chunks = static_cast<std::int64_t>(begins.size());
  begins.push_back(leaves_.size());
  parallel_for(chunks, 0, [&](std::int64_t chunk, std::byte*) {
    auto const at = static_cast<std::size_t>(chunk);
    for (std::size_t i = begins[at]; i < begins[at + 1]; ++i) update(leaves_[i]);
  });
  leaves_.clear(), kept_.clear();
}

}  // namespace tenon::internal::optim

#endif
