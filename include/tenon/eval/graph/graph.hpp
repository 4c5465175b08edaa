#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/core/rules/broadcast.hpp>
#include <tenon/tensor/index.hpp>
#include <tenon/tensor/mark.hpp>
#include <tenon/tensor/memory.hpp>

namespace tenon {

class Tape;

}  // namespace tenon

/// Derivatives of derivatives. Inside another recording an evaluation is not one fused kernel with
/// a reverse sweep: it is a graph of primitive values, whose derivatives are such values again.
/// Every kernel has to be ready for that, few programs ask for it: so kernels see no more than this
/// interface, and only programs that include <tenon/autodiff/higher_order.hpp> compile the rest.
namespace tenon::graph {

/// The number of a value in its graph: its inputs have smaller ones.
struct Id {
  std::uint32_t number = 0;
};

/// The sizes of a value.
struct Extent {
  int rank = 0;
  Sizes sizes = ones();

  std::int64_t count() const { return tenon::count(sizes, rank); }
  bool is(Extent const& other) const { return rank == other.rank && sizes == other.sizes; }
};

/// What elements are made of; only floating ones have adjoints.
struct Element {
  std::uint8_t bytes = 1;
  bool is_float = false, is_double = false;

  bool is_floating() const { return is_float || is_double; }
};
template <class T>
inline constexpr Element element_of{sizeof(T), std::is_same_v<T, float>, std::is_same_v<T, double>};

/// Elements as they lie in a tensor: row-major.
struct Elements {
  Element element;
  Extent extent;
  SharedBuffer memory;
};

/// How the adjoints of a tensor that a tape around records, in the memory of its device, come to
/// the graph, and are added to by it.
struct Surroundings {
  SharedBuffer (*brought)(SharedBuffer const& adjoint);
  void (*add)(Elements const& share, Tape& tape, TapeMark mark);
};

/// The elements of a value in another order: axis k of the result walks along the value's axis
/// `order[k]`; -1 is a new axis, or one that repeats the elements.
struct Reordering {
  Extent extent;
  AxisMap order;
  ElementIndex start{};

  /// Strides of the result, from those of the value.
  Sizes strides(Sizes const& of_value) const {
    Sizes result{};
    for (int k = 0; k < extent.rank; ++k) {
      int const axis = order[static_cast<std::size_t>(k)];
      if (axis >= 0) at(result, k) = at(of_value, axis);
    }
    return result;
  }
};

/// How a fold lies on its operand: axis k of the operand is axis `order[k]` of the result; -1 is
/// folded.
struct Folding {
  Reordering back;  ///< From the result to the operand: repeats along what was folded.
  Extent result;
};

/// The adjoints of the values between some leaves and what was made of them. A value that several
/// results come from has a part for each.
class Adjoints {
 public:
  virtual ~Adjoints() = default;
  /// Does the value depend on the leaves?
  virtual bool wants(Id value) const = 0;
  /// Adds a share to the adjoint of a value; of one that does not depend on the leaves, nothing.
  virtual void add(Id value, Id share, std::size_t part = 0) = 0;
  /// An adjoint, or what was added so far; null where that is nothing.
  virtual Id const* of(Id value, std::size_t part = 0) const = 0;
};

/// How the adjoint of a value is passed on to its inputs.
struct Rule {
  virtual ~Rule() = default;
  virtual void pull(Id self, std::span<Id const> inputs, Adjoints& adjoints) const = 0;
};

/// An op on elements of given dtypes: its values, and what its derivative makes of an adjoint.
struct MapOp {
  using Operands = std::array<std::byte const*, 3>;

  Element result;
  void (*run)(std::byte* to, Operands const& from, std::int64_t count);
  /// Null where it has none.
  void (*pull)(Id self, std::span<Id const> inputs, Id adjoint, Adjoints& adjoints);
};

/// A fold of elements of a given dtype.
struct FoldOp {
  void (*fill)(std::byte* to, std::int64_t count);
  void (*run)(std::byte* to, std::int64_t to_step, std::byte const* from, std::int64_t from_step,
              std::int64_t count);
  void (*pull)(Id self, Id input, Id adjoint, Folding const& folding, Adjoints& adjoints);
};

/// For every element of a result, the one of the operand that it is: its row-major position.
using Positions = std::shared_ptr<std::vector<std::int64_t> const>;

/// Which elements of a value are from an input: element `to[i]` is the input's `from[i]`.
struct Origin {
  std::vector<std::int64_t> from, to;

  void add(std::int64_t source, std::int64_t place) {
    from.push_back(source);
    to.push_back(place);
  }
};

struct Contracting;

/// A value that leaves a graph, and its mark on the tape around.
struct Result {
  Id id;
  TapeMark mark{};
  Surroundings const* surroundings = nullptr;
};

/// The values that a thread made since a derivative was asked for inside another one. A tensor's
/// mark names the value that the tensor stands for.
class Graph {
 public:
  virtual ~Graph() = default;

  /// The graph that values of this thread are put into.
  static inline thread_local Graph* current = nullptr;

  /// Makes a graph; null where no file of the program includes <tenon/autodiff/higher_order.hpp>.
  static inline std::shared_ptr<Graph> (*make)() = nullptr;

  std::uint32_t serial = 0;

  /// Elements without history.
  virtual Id constant(Elements elements) = 0;
  /// One number.
  virtual Id number(Element element, void const* number) = 0;
  /// What a tensor of this mark stands for, with these elements.
  virtual Id of_tensor(TapeMark mark, Elements elements, Surroundings const& around) = 0;
  /// Elements with their history.
  virtual Id made(Elements elements, std::span<Id const> inputs, std::unique_ptr<Rule const>) = 0;
  virtual Elements elements_of(Id id) const = 0;
  virtual bool varies(Id id) const = 0;
  /// The same value as a new leaf, whose input is the value itself.
  virtual Id as_leaf(Id before) = 0;
  /// The adjoints of leaves for these adjoints of results; none where nothing depends on a leaf.
  virtual std::vector<std::optional<Id>> gradients(std::span<Id const> results,
                                                   std::span<Id const> adjoints,
                                                   std::span<Id const> leaves) = 0;
  /// Does a value depend on what the tape around records?
  virtual bool has_leaves_around() const = 0;
  /// Passes the adjoints that the tape around has for results on to what it records.
  virtual void pull_around(std::span<Result const> results, Tape& tape) = 0;

  /// The op applied to every element; operands that are single numbers are for all.
  virtual Id map(MapOp const& op, std::span<Id> x) = 0;
  /// The same, the operands repeated as a map broadcasts them.
  virtual Id map(MapOp const& op, std::span<Id> x, AxisMap const* maps, Extent const& extent) = 0;
  virtual Id sum(Id x, Folding const& folding) = 0;
  virtual Id fold(FoldOp const& op, Id x, Folding const& folding) = 0;
  virtual Id product(Id a, Id b, Contracting const& contracting, Extent const& result) = 0;
  /// The elements of x reordered; a single number is repeated first to the extent `whole`.
  virtual Id view(Id x, Extent const& whole, Reordering const& reordering) = 0;
  /// x repeated to an extent, where it is one number.
  virtual Id expanded(Id x, Extent const& to) = 0;
  /// The same elements, row-major, under another extent of as many; one number is repeated.
  virtual Id reshaped(Id x, Extent const& to) = 0;
  /// Elements chosen by data.
  virtual Id take(Id x, Positions const& from, Extent const& extent) = 0;
  /// Elements put together of parts, each a box of the whole.
  virtual Id boxes(Elements whole, std::span<Id const> parts, std::vector<Reordering> boxes) = 0;
  /// Elements of which each is one of an input.
  virtual Id origins(Elements whole, std::span<Id const> inputs, std::span<Origin> origins) = 0;
};

/// Is a graph being made on this thread?
inline bool is_open() {
  return recording != 0 && Graph::current != nullptr && Graph::current->serial == recording;
}

/// A value as the bodies of derivatives see it: they compute with it as with a number.
template <class T>
struct Number {
  using value_type = T;
  Id id;

  explicit Number(Id of) : id(of) {}
  explicit Number(T constant) : id(Graph::current->number(element_of<T>, &constant)) {}
};

}  // namespace tenon::graph
