#pragma once

#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/core/dtype.hpp>
#include <tenon/core/rules/broadcast.hpp>
#include <tenon/eval/tape/kept.hpp>
#include <tenon/tensor/index.hpp>
#include <tenon/tensor/live_recordings.hpp>
#include <tenon/tensor/memory.hpp>
#include <tenon/tensor/owner.hpp>

namespace tenon::internal {

class Tape;

}  // namespace tenon::internal

/// Higher-order derivatives. Inside another recording an evaluation is not one fused kernel with a
/// reverse sweep: it is a graph of primitive values, whose derivatives are again such values. Every
/// kernel has to support this but few programs use it: kernels depend on this interface only, and
/// only programs that include <tenon/autodiff/higher_order.hpp> compile the rest.
namespace tenon::internal::graph {

/// The number of a value in its graph: its inputs have smaller ones.
struct Id {
  std::uint32_t number = 0;
};

/// The sizes of a value.
struct Extent {
  int rank = 0;
  Sizes sizes = unit_sizes();

  std::int64_t count() const { return tenon::internal::count(sizes, rank); }
  bool is(Extent const& other) const { return rank == other.rank && sizes == other.sizes; }
};

/// The type of elements; floating ones have adjoints, and complex ones would.
struct Element {
  std::uint8_t bytes = 1;
  bool is_float = false, is_double = false, is_complex = false;

  bool may_vary() const { return is_float || is_double || is_complex; }
};
template <class T>
inline constexpr Element element_of{sizeof(T), std::is_same_v<T, float>, std::is_same_v<T, double>,
                                    ComplexType<T>};

/// The bytes of the largest element.
inline constexpr std::size_t most_element_bytes = 2 * sizeof(double);

/// Complex numbers have first derivatives only.
[[noreturn, gnu::cold]] inline void refuse_complex() {
  throw Error(
      "tenon::grad: expected real numbers in a derivative of a derivative, got complex ones");
}

/// Row-major elements of a tensor.
struct Elements {
  Element element;
  Extent extent;
  SharedBuffer memory;
};

/// How adjoints of tensors recorded by the enclosing tape are copied from the memory of their
/// device to the graph, and added to by it.
struct Surroundings {
  SharedBuffer (*copied_to_device)(SharedBuffer const& adjoint);
  void (*add)(Elements const& share, Tape& tape, TapeMark mark);
};

/// A view of the elements of a value: axis k of the result walks along the value's axis `order[k]`;
/// -1 is a new axis, or one that repeats the elements.
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

/// The axes of a reduction: axis k of the operand is axis `order[k]` of the result; -1 is reduced.
struct ReducedAxes {
  Reordering back;  ///< From the result to the operand: repeats along the reduced axes.
  Extent result;
};

/// The adjoints of the values between some leaves and results. A value with several outputs has a
/// part for each.
class Adjoints {
 public:
  virtual ~Adjoints() = default;
  /// Whether the value depends on the leaves.
  virtual bool wants(Id value) const = 0;
  /// Adds a contribution to the adjoint of a value; does nothing if it does not depend on the
  /// leaves.
  virtual void add(Id value, Id share, std::size_t part = 0) = 0;
  /// The adjoint accumulated so far; null if nothing was added.
  virtual Id const* of(Id value, std::size_t part = 0) const = 0;
};

/// Passes the adjoint of a value on to its inputs.
struct Rule {
  virtual ~Rule() = default;
  virtual void backward(Id self, std::span<Id const> inputs, Adjoints& adjoints) const = 0;
};

/// An op on elements of given dtypes: its values, and its backward.
struct MapOp {
  using Operands = std::array<std::byte const*, 3>;

  Element result;
  void (*run)(std::byte* to, Operands const& from, std::int64_t count);
  /// Null if it has no derivative.
  void (*backward)(Id self, std::span<Id const> inputs, Id adjoint, Adjoints& adjoints);
};

/// A reduction of elements of a given dtype.
struct ReductionOp {
  void (*fill)(std::byte* to, std::int64_t count);
  void (*run)(std::byte* to, std::int64_t to_step, std::byte const* from, std::int64_t from_step,
              std::int64_t count);
  void (*backward)(Id self, Id input, Id adjoint, ReducedAxes const& folding, Adjoints& adjoints);
};

/// For every element of a result, the row-major position of its source in the operand.
using Positions = Shared<std::vector<std::int64_t> const>;

/// The elements of a value that come from an input: element `to[i]` is the input's `from[i]`.
struct Origin {
  std::vector<std::int64_t> from, to;

  void add(std::int64_t source, std::int64_t place);
};

struct Contracting;

/// A value that leaves a graph, and its mark on the enclosing tape.
struct Result {
  Id id;
  TapeMark mark{};
  Surroundings const* surroundings = nullptr;
};

/// The values that a thread computes inside nested derivatives. The mark of a tensor contains the
/// number of its value.
class Graph {
 public:
  virtual ~Graph() = default;

  /// The graph of this thread to which values are added.
  static inline thread_local Graph* current = nullptr;

  /// Creates a graph; null where no file of the program includes <tenon/autodiff/higher_order.hpp>.
  static inline Shared<Graph> (*make)() = nullptr;

  std::uint32_t serial = 0;

  /// Elements without history.
  virtual Id constant(Elements elements) = 0;
  /// One number.
  virtual Id number(Element element, void const* number) = 0;
  /// The value of a tensor with this mark and these elements.
  virtual Id of_tensor(TapeMark mark, Elements elements, Surroundings const& around) = 0;
  /// Elements with their history.
  virtual Id made(Elements elements, std::span<Id const> inputs, Owner<Rule const>) = 0;
  virtual Elements elements_of(Id id) const = 0;
  virtual bool varies(Id id) const = 0;
  /// The same value as a new leaf, whose input is the value itself.
  virtual Id as_leaf(Id before) = 0;
  /// The adjoints of leaves for these adjoints of results; none where no result depends on the
  /// leaf.
  virtual std::vector<std::optional<Id>> gradients(std::span<Id const> results,
                                                   std::span<Id const> adjoints,
                                                   std::span<Id const> leaves) = 0;
  /// Whether a value depends on what the enclosing tape records.
  virtual bool has_leaves_around() const = 0;
  /// Passes the enclosing tape's adjoints of results on to the values that it records.
  virtual void backward_around(std::span<Result const> results, Tape& tape) = 0;

  /// The op applied to every element; single-number operands broadcast.
  virtual Id map(MapOp const& op, std::span<Id> x) = 0;
  /// The same, the operands repeated as a map broadcasts them.
  virtual Id map(MapOp const& op, std::span<Id> x, AxisMap const* maps, Extent const& extent) = 0;
  virtual Id sum(Id x, ReducedAxes const& folding) = 0;
  virtual Id reduction(ReductionOp const& op, Id x, ReducedAxes const& folding) = 0;
  virtual Id product(Id a, Id b, Contracting const& contracting, Extent const& result) = 0;
  /// The elements of x under a reordering; a single number is first repeated to the extent `whole`.
  virtual Id view(Id x, Extent const& whole, Reordering const& reordering) = 0;
  /// x repeated to an extent, if it is a single number.
  virtual Id expanded(Id x, Extent const& to) = 0;
  /// The same elements, row-major, under another extent of equal size; a single number is repeated.
  virtual Id reshaped(Id x, Extent const& to) = 0;
  /// Elements selected by data.
  virtual Id take(Id x, Positions const& from, Extent const& extent) = 0;
  /// A concatenation of parts, each a box of the whole.
  virtual Id boxes(Elements whole, std::span<Id const> parts,
                   std::span<Reordering const> boxes) = 0;
  /// Elements each of which comes from one of the inputs.
  virtual Id origins(Elements whole, std::span<Id const> inputs, std::span<Origin> origins) = 0;
};

/// Whether a graph is being recorded on this thread.
inline bool is_open() {
  return recording != 0 && Graph::current != nullptr && Graph::current->serial == recording;
}

/// Whether an expression belongs to the graph that is being recorded; false if there is none.
bool is_joined_by(void const* expression, ExpressionLayout const& layout);

/// A value as the definitions of derivatives use it: with the operations of a number.
template <class T>
struct Number {
  using value_type = T;
  Id id;

  explicit Number(Id of) : id(of) {}
  explicit Number(T constant) : id(Graph::current->number(element_of<T>, &constant)) {}
};

}  // namespace tenon::internal::graph

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::graph {

[[gnu::cold]] TENON_RUNTIME void Origin::add(std::int64_t source, std::int64_t place) {
  from.push_back(source);
  to.push_back(place);
}

TENON_RUNTIME bool is_joined_by(void const* expression, ExpressionLayout const& layout) {
  return is_open() && depends_on_recording(expression, layout);
}

}  // namespace tenon::internal::graph

#endif
