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
  void cut(Cut cut) {
    cut.pieces = 1;
    if (dealing_->has_members || !cut.has_members) walk_->cut = cut;
  }

  /// Opens the loops over rows; says in them what `say(places)` says.
  template <class Say>
  void rows(Quantities const& sizes, int rank, Say const& say) {
    std::copy_n(sizes.begin(), rank, sizes_.begin());
    rank_ = rank;
    if (dealing_->is_spread) walk_->cut = Cut{256, true, 1};
    Places const at =
        dealing_->has_chunks ? open_chunks() : open_rows(*walk_, sizes, rank, 0, outer_);
    if (!dealing_->has_chunks) dealt_ = outer_.block();
    (void)listing().within(dealt_, [&] { return within(outer_, [&] { say(at); }), 0; });
  }

  /// Says something in loops that are open, and closes them: before each what waits for its end.
  template <class Say>
  void within(Loops& loops, Say const& say) {
    int const around = block_;
    block_ = loops.block();
    say();
    loops.close([&](int block) { finish(block); });
    block_ = around;
  }

  /// Adds a share of an adjoint to a sum in a block; at the end of the block, deepest folds first,
  /// the sum is passed on by `pass(sum)`.
  template <class T, class Pass>
  void wait(Identity const& key, int depth, int block, Symbol<T> const& share, Pass const& pass) {
    auto known = std::ranges::find(waiting_, key, &Waiting::key);
    if (known == waiting_.end()) {
      int const sum = listing().variable(type_text<T>, literal(T(0)), block);
      auto const all = [this, block, pass](int own) { join<T>(own, block), pass(own); };
      waiting_.push_back({key, depth, block, sum, all});
      known = waiting_.end() - 1;
    }
    add(listing().text(known->sum), share.text());
  }

  /// The elements of a leaf's adjoint lie otherwise than its axes: no member has any of its own.
  void tear(LeafAdjoint const& adjoint) { adjoints_.find(adjoint).is_torn = true; }

  /// Adds to an element of the adjoint of a leaf; of one that the inner loops do not change, once.
  template <class T>
  void add_to_leaf(LeafAdjoint const& adjoint, Following const& rows, IndexText const& index,
                   Identity const& element, Symbol<T> const& share, Places const& at, int rank) {
    auto& entry = adjoints_.find(adjoint);
    entry.follow(rows);
    std::size_t const number = adjoints_.number(entry);
    AlongRow const along = along_row(*walk_, rank, at);
    if (!along.is_apart) entry.is_joint = true;
    else if (walk_->cut.has_members) entry.follow_members(along.axes);
    std::string const to = element_text(number, index.text);
    std::string const owner = owner_text(*walk_, dealing_->axis_of(number), at);
    int const block = listing().innermost(index.names);
    if (block == block_) return add(to, share.text(), owner);
    wait(element, -1, block, share,
         [this, to, owner](int sum) { add(to, listing().text(sum), owner); });
  }

 private:
  struct Waiting {
    Identity key;
    int depth;
    int block;
    int sum;
    std::function<void(int)> pass;
  };

  /// Adds in the block: where all members of a group are together, the one who is the owner.
  void add(std::string const& to, std::string const& share,
           std::string const& owner = "member == 0") {
    bool const is_one = walk_->cut.has_members && walk_->is_together(block_);
    std::string const who = is_one ? "if (" + owner + ") " : "";
    listing().line(block_, who + to + " += " + share + ";");
  }
  /// The sum of what all members have.
  template <class T>
  void join(int sum, int block) {
    if (walk_->cut.has_members && walk_->is_together(block))
      Lanes<op::SumFold, T>(*walk_, block).together(sum, block);
  }

  /// What waits for the end of a block. Those that are folded deeper come first: they add to the
  /// others.
  void finish(int block) {
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

  std::string element_text(std::size_t adjoint, std::string const& index) {
    LeafAdjoint const& own = adjoints_.all()[adjoint].adjoint;
    if (!dealing_->has_parts(adjoint)) return own.name + "[" + index + "]";
    std::string const elements = product_text(walk_->variables, own.leaf.sizes, 0, max_rank);
    bool const is_product = elements.find('*') != std::string::npos;
    std::string const stride = is_product ? "(" + elements + ")" : elements;
    return own.name + "[" + chunk_ + " * " + stride + " + " + index + "]";
  }

  /// The axes that are kept, or the others, and 1 for the rest.
  Quantities sizes_of_axes(bool are_kept) const {
    Quantities result{};
    for (std::size_t i = 0; i < max_rank; ++i)
      if (dealing_->kept[i] == are_kept) result[i] = sizes_[i];
    return result;
  }
  std::string count_text(Quantities const& sizes) {
    return product_text(walk_->variables, sizes, 0, max_rank);
  }

  /// Finds the places along some axes from the number of the row among them.
  void unravel(int number, Quantities const& sizes, bool are_kept, Places& at) {
    Indexing const indexing{listing(), walk_->variables, {rank_, number, sizes}};
    auto const is_one = [](Quantity const& size) { return size.is_one(); };
    bool const is_only = std::ranges::count_if(sizes, is_one) == max_rank - 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank_); ++i) {
      if (dealing_->kept[i] != are_kept || sizes[i].is_one()) continue;
      at[i] = {{is_only ? number : indexing.name(Rows::term(static_cast<int>(i)))}};
    }
  }

  /// The loop over the rows of a chunk, or over those that a member has of it.
  std::string header_of_chunk(std::string const& rows, std::string const& chunks) const {
    std::string const members = dealing_->is_spread ? " * 256" : "";
    std::string const first = chunk_ + members + (dealing_->is_spread ? " + member" : "");
    return "for (i64 r = " + first + "; r < " + rows + "; r += " + chunks + members + ")";
  }

  /// Rows that are dealt out are chunks of rows: each walks every so manieth row.
  Places open_chunks() {
    Listing& l = listing();
    chunks_ = {dealing_->chunks};
    if (!dealing_->is_static) chunks_ = walk_->variables.fresh("chunks", dealing_->chunks);
    Quantities const kept = sizes_of_axes(true), others = sizes_of_axes(false);
    std::string const chunks = walk_->variables.text(chunks_), columns = count_text(kept);
    std::string const count = columns == "1" ? chunks : chunks + " * " + columns;
    int const header = outer_.enter_header(header_of_rows(*walk_, count));
    int const row = l.parameter("row", header);
    bool const is_product = columns.find('*') != std::string::npos;
    std::string const by = is_product ? "(" + columns + ")" : columns;
    int const chunk = columns == "1" ? row : l.value("i64", "row / " + by, {row});
    int const column = columns == "1" ? row : l.value("i64", "row % " + by, {row});
    chunk_ = l.text(chunk);
    dealt_ = header;
    Places at{};
    unravel(column, kept, true, at);
    int const own = outer_.enter_header(header_of_chunk(count_text(others), chunks));
    if (dealing_->is_spread) walk_->apart.push_back(own);
    unravel(l.parameter("r", own), others, false, at);
    return at;
  }

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
