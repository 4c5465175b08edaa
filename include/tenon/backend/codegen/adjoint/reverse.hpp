#pragma once

#include <tenon/backend/codegen/adjoint/partitioning.hpp>
#include <tenon/backend/codegen/emit/along_row.hpp>
#include <tenon/backend/codegen/emit/rows.hpp>
#include <tenon/core/config.hpp>

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

namespace tenon::internal::codegen {

TENON_RUNTIME void Reverse::cut(Cut cut) {
  cut.pieces = 1;
  if (partitioning_->has_members || !cut.has_members) walk_->cut = cut;
}

TENON_RUNTIME void Reverse::rows(Quantities const& sizes, int rank,
                                 Callback<void(Places const&)> const& emit) {
  std::copy_n(sizes.begin(), rank, sizes_.begin());
  rank_ = rank;
  if (partitioning_->is_spread) walk_->cut = Cut{256, true, 1};
  Places const at =
      partitioning_->has_chunks ? open_chunks() : open_rows(*walk_, sizes, rank, 0, outer_);
  if (!partitioning_->has_chunks) partitioned_ = outer_.block();
  (void)listing().within(partitioned_, [&] { return within(outer_, [&] { emit(at); }), 0; });
}

TENON_RUNTIME void Reverse::within(Loops& loops, Callback<void()> const& emit) {
  int const around = block_;
  block_ = loops.block();
  emit();
  loops.close([&](int block) { finish(block); });
  block_ = around;
}

TENON_RUNTIME void Reverse::wait(Identity const& key, int depth, int block, Dtype const& dtype,
                                 Value const& share, std::function<void(int)> const& pass) {
  auto known = std::ranges::find(waiting_, key, &Waiting::key);
  if (known == waiting_.end()) {
    int const sum =
        listing().variable(dtype.text, dtype.literal(listing().dialect(), Value()), block);
    auto const all = [this, &dtype, block, pass](int own) { join(dtype, own, block), pass(own); };
    waiting_.push_back({key, depth, block, sum, all});
    known = waiting_.end() - 1;
  }
  add(listing().text(known->sum), text_of(listing(), share, dtype));
}

TENON_RUNTIME void Reverse::add_to_leaf(LeafAdjoint const& adjoint, Following const& rows,
                                        IndexText const& index, Identity const& element,
                                        Dtype const& dtype, Value const& share, Places const& at,
                                        int rank) {
  auto& entry = adjoints_.find(adjoint);
  entry.follow(rows);
  std::size_t const number = adjoints_.number(entry);
  AlongRow const along = along_row(*walk_, rank, at);
  if (!along.is_apart) entry.is_joint = true;
  else if (walk_->cut.has_members) entry.follow_members(along.axes);
  std::string const to = element_text(number, index.text);
  std::string const owner = owner_text(*walk_, partitioning_->axis_of(number), at);
  int const block = listing().innermost(index.names);
  if (block == block_) return add(to, text_of(listing(), share, dtype), owner);
  wait(element, -1, block, dtype, share,
       [this, to, owner](int sum) { add(to, listing().text(sum), owner); });
}

/// Emits an addition in the block; if all work items of a group run it, only the owner adds.
TENON_RUNTIME void Reverse::add(std::string const& to, std::string const& share,
                                std::string const& owner) {
  bool const is_one = walk_->cut.has_members && walk_->is_together(block_);
  std::string const who = is_one ? "if (" + owner + ") " : "";
  listing().line(block_, who + to + " += " + share + ";");
}
/// Emits the sum over all work items.
TENON_RUNTIME void Reverse::join(Dtype const& dtype, int sum, int block) {
  if (walk_->cut.has_members && walk_->is_together(block))
    Lanes(*walk_, sum_of(dtype), block).together(sum, block);
}

/// Emits the sums deferred to the end of a block. Those of deeper reductions come first, since they
/// add to the others.
TENON_RUNTIME void Reverse::finish(int block) {
  for (block_ = block;;) {
    auto next = waiting_.end();
    for (auto i = waiting_.begin(); i != waiting_.end(); ++i) {
      if (i->block == block && (next == waiting_.end() || i->depth > next->depth)) next = i;
    }
    if (next == waiting_.end()) return;
    Waiting const done = std::move(*next);
    waiting_.erase(next);
    done.pass(done.sum);
  }
}

TENON_RUNTIME std::string Reverse::element_text(std::size_t adjoint, std::string const& index) {
  LeafAdjoint const& own = adjoints_.all()[adjoint].adjoint;
  if (!partitioning_->has_parts(adjoint)) return own.name + "[" + index + "]";
  std::string const elements = product_text(walk_->variables, own.leaf.sizes, 0, max_rank);
  return own.name + "[" + chunk_ + " * " + factor_text(elements) + " + " + index + "]";
}

/// The sizes of the kept axes, or of the others, and 1 for the rest.
TENON_RUNTIME Quantities Reverse::sizes_of_axes(bool are_kept) const {
  Quantities result{};
  for (std::size_t i = 0; i < max_rank; ++i)
    if (partitioning_->kept[i] == are_kept) result[i] = sizes_[i];
  return result;
}
/// Computes the indices along some axes from the linear index of the row among them.
TENON_RUNTIME void Reverse::unravel(int number, Quantities const& sizes, bool are_kept,
                                    Places& at) {
  Indexing const indexing{listing(), walk_->variables, {rank_, number, sizes}};
  auto const is_one = [](Quantity const& size) { return size.is_one(); };
  bool const is_only = std::ranges::count_if(sizes, is_one) == max_rank - 1;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rank_); ++i) {
    if (partitioning_->kept[i] != are_kept || sizes[i].is_one()) continue;
    at[i] = {{is_only ? number : indexing.name(Rows::term(static_cast<int>(i)))}};
  }
}

/// The loop over the rows of a chunk, or over those of a work item.
TENON_RUNTIME std::string Reverse::header_of_chunk(std::string const& rows,
                                                   std::string const& chunks) const {
  std::string const members = partitioning_->is_spread ? " * 256" : "";
  std::string const first = chunk_ + members + (partitioning_->is_spread ? " + member" : "");
  return filled(walk_->dialect().strided_loop, {"i64", "r", first, rows, chunks + members});
}

/// Rows are partitioned into chunks: a chunk iterates over its rows with a stride.
TENON_RUNTIME Places Reverse::open_chunks() {
  Listing& l = listing();
  chunks_ = {partitioning_->chunks};
  if (!partitioning_->is_static) chunks_ = walk_->variables.fresh("chunks", partitioning_->chunks);
  Quantities const kept = sizes_of_axes(true), others = sizes_of_axes(false);
  std::string const chunks = walk_->variables.text(chunks_), columns = count_text(kept);
  std::string const count = columns == "1" ? chunks : chunks + " * " + columns;
  int const header = outer_.enter_header(header_of_rows(*walk_, count));
  int const row = l.parameter("row", header);
  std::string const by = factor_text(columns);
  int const chunk = columns == "1" ? row : l.value("i64", "row / " + by, {row});
  int const column = columns == "1" ? row : l.value("i64", "row % " + by, {row});
  chunk_ = l.text(chunk);
  partitioned_ = header;
  Places at{};
  unravel(column, kept, true, at);
  int const own = outer_.enter_header(header_of_chunk(count_text(others), chunks));
  if (partitioning_->is_spread) walk_->apart.push_back(own);
  unravel(l.parameter("r", own), others, false, at);
  return at;
}

}  // namespace tenon::internal::codegen

#endif
