#pragma once

#include <tenon/backend/codegen/adjoint/partitioning.hpp>
#include <tenon/backend/codegen/emit/along_row.hpp>
#include <tenon/backend/codegen/emit/rows.hpp>

namespace tenon::internal::codegen {

/// The state while a backward kernel is printed.
class Reverse {
 public:
  Reverse(Walk& walk, Wanted const& wanted, Partitioning const& partitioning)
      : walk_(&walk), wanted_(&wanted), partitioning_(&partitioning), outer_(walk.listing, 0) {}
  Reverse(Reverse const&) = delete;

  int own_product = tenon::internal::own_product;  ///< The kernel that computed `own_product`.

  Walk& walk() { return *walk_; }
  Listing& listing() { return walk_->listing; }
  int block() const { return block_; }
  LeafAdjoints const& adjoints() const { return adjoints_; }
  Quantities const& sizes() const { return sizes_; }
  int rank() const { return rank_; }
  Quantity const& chunks() const { return chunks_; }
  bool wants(TapeMark mark) const { return (*wanted_)(mark); }

  /// Applies a partition of the rows, provided no two work items of a group add to one element.
  void cut(Cut cut);

  /// Opens the loops over rows and emits `emit(places)` in them.
  void rows(Quantities const& sizes, int rank, Callback<void(Places const&)> const& emit);

  /// Emits into open loops and closes them, each after its deferred sums.
  void within(Loops& loops, Callback<void()> const& emit);

  /// Adds a contribution to the sum of an adjoint in a block; at the end of the block, deepest
  /// reductions first, `pass(sum)` propagates it.
  void wait(Identity const& key, int depth, int block, Dtype const& dtype, Value const& share,
            std::function<void(int)> const& pass);

  /// The adjoint's elements do not follow the axes of the leaf: no work item owns any of them.
  void tear(LeafAdjoint const& adjoint) { adjoints_.find(adjoint).is_torn = true; }

  /// Adds to an element of the adjoint of a leaf, outside of the loops on which it does not depend.
  void add_to_leaf(LeafAdjoint const& adjoint, Following const& rows, IndexText const& index,
                   Identity const& element, Dtype const& dtype, Value const& share,
                   Places const& at, int rank);

 private:
  struct Waiting {
    Identity key;
    int depth;
    int block;
    int sum;
    std::function<void(int)> pass;
  };

  void add(std::string const& to, std::string const& share,
           std::string const& owner = "member == 0");
  void join(Dtype const& dtype, int sum, int block);
  void finish(int block);
  std::string element_text(std::size_t adjoint, std::string const& index);
  Quantities sizes_of_axes(bool are_kept) const;
  std::string count_text(Quantities const& sizes) {
    return product_text(walk_->variables, sizes, 0, max_rank);
  }
  void unravel(int number, Quantities const& sizes, bool are_kept, Places& at);
  std::string header_of_chunk(std::string const& rows, std::string const& chunks) const;
  Places open_chunks();

  Walk* walk_;
  Wanted const* wanted_;
  Partitioning const* partitioning_;
  Loops outer_;
  int block_ = 0;
  int partitioned_ = 0;
  Quantities sizes_{};
  int rank_ = 0;
  Quantity chunks_{};
  std::string chunk_;
  LeafAdjoints adjoints_;
  std::vector<Waiting> waiting_;
};

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/codegen/adjoint/reverse.ipp>
#endif
