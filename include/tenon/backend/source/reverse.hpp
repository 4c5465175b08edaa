#pragma once

#include <tenon/backend/source/along.hpp>
#include <tenon/backend/source/dealing.hpp>
#include <tenon/backend/source/rows.hpp>

namespace tenon::source {

/// What is known while a kernel is printed that passes adjoints back.
class Reverse {
 public:
  Reverse(Walk& walk, Wanted const& wanted, Dealing const& dealing)
      : walk_(&walk), wanted_(&wanted), dealing_(&dealing), outer_(walk.listing, 0) {}
  Reverse(Reverse const&) = delete;

  int own_product = tenon::own_product;  ///< The kernel that computed what a recipe reads as such.

  Walk& walk() { return *walk_; }
  Listing& listing() { return walk_->listing; }
  int block() const { return block_; }
  LeafAdjoints const& adjoints() const { return adjoints_; }
  Quantities const& sizes() const { return sizes_; }
  int rank() const { return rank_; }
  Quantity const& chunks() const { return chunks_; }
  bool wants(TapeMark mark) const { return (*wanted_)(mark); }

  /// How the rows are worked on, if no two members of a group meet at an element then.
  void cut(Cut cut);

  /// Opens the loops over rows; says in them what `say(places)` says.
  void rows(Quantities const& sizes, int rank, Callback<void(Places const&)> const& say);

  /// Says something in loops that are open, and closes them: before each what waits for its end.
  void within(Loops& loops, Callback<void()> const& say);

  /// Adds a share of an adjoint to a sum in a block; at the end of the block, deepest folds first,
  /// the sum is passed on by `pass(sum)`.
  void wait(Identity const& key, int depth, int block, Dtype const& dtype, Value const& share,
            std::function<void(int)> const& pass);

  /// The elements of a leaf's adjoint lie otherwise than its axes: no member has any of its own.
  void tear(LeafAdjoint const& adjoint) { adjoints_.find(adjoint).is_torn = true; }

  /// Adds to an element of the adjoint of a leaf; of one that the inner loops do not change, once.
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
  Dealing const* dealing_;
  Loops outer_;
  int block_ = 0;
  int dealt_ = 0;
  Quantities sizes_{};
  int rank_ = 0;
  Quantity chunks_{};
  std::string chunk_;
  LeafAdjoints adjoints_;
  std::vector<Waiting> waiting_;
};

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/reverse.ipp>
#endif
