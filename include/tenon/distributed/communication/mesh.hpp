#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <vector>

#include <tenon/core/mistake.hpp>
#include <tenon/distributed/communication/topology.hpp>
#include <tenon/distributed/communication/world.hpp>
#include <tenon/expr/axes.hpp>

namespace tenon::compile_error {

/// The operation, the missing axis, and the mesh.
template <Spec Operation, Spec Axis, Spec Mesh>
struct axis_is_not_in_mesh;

/// An invalid mesh spec, and the reason.
template <Spec Mesh, Spec Why>
struct malformed_mesh;

}  // namespace tenon::compile_error

namespace tenon::internal {

/// The parsed axes of a mesh, or the error.
struct MeshShape {
  Shape shape{};
  FixedText mistake{};
};

/// Parses the axes of a mesh: unique names, with optional sizes.
constexpr MeshShape read_mesh(std::string_view spec) {
  Parsed const parsed = parse(spec);
  if (!parsed.ok()) return {Shape{}, FixedText(parsed.mistake)};
  if (parsed.shape.rank == 0) return {Shape{}, FixedText("a mesh has axes")};
  for (int i = 0; i < parsed.shape.rank; ++i) {
    Axis const& axis = parsed.shape[i];
    if (!axis.is_named()) return {Shape{}, FixedText("its axes have names")};
    if (axis.size == 0) return {Shape{}, FixedText("an axis has a rank at least")};
    for (int k = 0; k < i; ++k)
      if (parsed.shape[k].name == axis.name) return {Shape{}, FixedText("a name stands twice")};
  }
  return {parsed.shape, FixedText()};
}

template <Spec S>
struct MeshOf {
  static constexpr MeshShape read = read_mesh(S.view());
  static constexpr Shape const& shape = read.shape;
  static constexpr FixedText text = read.mistake;
};

template <Spec S>
constexpr auto check_mesh() {
  if constexpr (MeshOf<S>::read.mistake.empty()) return true;
  else return error::malformed_mesh<S, spec_of_text<MeshOf<S>>>{};
}

/// A spec of unique axis names.
template <Spec S>
concept MeshSpec = check_mesh<S>();

/// Whether a mesh has all these axes. ("" for all of them.)
template <Spec names, Spec mesh>
struct MeshAxes {
  static constexpr AxisChoice choice = choose_axes(MeshOf<mesh>::shape, names.view());
  static constexpr bool ok = choice.result == AxisSearch::ok;
  static constexpr FixedText text = choice.culprit;
};

/// "4 = tp 2 x pp 2"
inline std::string product_text(std::vector<MeshAxis> const& axes, std::string const& but = "") {
  std::string text;
  int product = 1;
  for (auto const& axis : axes) {
    if (axis.name == but) continue;
    product *= axis.size;
    text.append(text.empty() ? "" : " x ").append(axis.name).append(" ");
    text.append(std::to_string(axis.size));
  }
  return std::to_string(product) + " = " + text;
}

}  // namespace tenon::internal

namespace tenon {

/// A mesh of ranks with static axes: `Mesh<"dp=2 tp=2">(world)`. One omitted size is inferred from
/// the number of ranks, `Mesh<"dp tp=2">(world)`, or sizes are arguments, `Mesh<"dp tp">(world, 2,
/// 2)`. Row-major: Megatron's order tp-cp-ep-dp-pp is "pp dp ep cp tp". Throws `ValueError`. JAX:
/// `Mesh`. PyTorch: `init_device_mesh`.
template <Spec S>
  requires internal::MeshSpec<S>
class Mesh : public Topology {
 public:
  static constexpr auto spec = S;
  static constexpr Shape const& shape = internal::MeshOf<S>::shape;

  template <std::same_as<int>... Size>
  explicit Mesh(Group const& all, Size... sizes) : Topology(all, sized(all.size(), {sizes...})) {}
  template <std::same_as<int>... Size>
  explicit Mesh(World const& world, Size... sizes) : Mesh(world.group(), sizes...) {}
  /// Of the ranks of a `boost::mpi::communicator`.
  template <internal::mpi::HasCommunicator C, std::same_as<int>... Size>
  explicit Mesh(C const& communicator, Size... sizes) : Mesh(Group(communicator), sizes...) {}

  /// The number of ranks along an axis, and the coordinate of this rank.
  template <Spec axis>
    requires internal::MeshAxes<axis, S>::ok
  int size() const {
    return Topology::size(axis.view());
  }
  template <Spec axis>
    requires internal::MeshAxes<axis, S>::ok
  int rank() const {
    return Topology::rank(axis.view());
  }
  /// The ranks that differ from this rank along some axes only: `group<"dp tp">()`.
  template <Spec axes>
    requires internal::MeshAxes<axes, S>::ok
  Group const& group() const {
    return Topology::group(axes.view());
  }
  using Topology::group;
  using Topology::rank;
  using Topology::size;

  template <Spec axis>
    requires(!internal::MeshAxes<axis, S>::ok)
  auto size() const
      -> compile_error::axis_is_not_in_mesh<"size",
                                            internal::spec_of_text<internal::MeshAxes<axis, S>>, S>;
  template <Spec axis>
    requires(!internal::MeshAxes<axis, S>::ok)
  auto rank() const
      -> compile_error::axis_is_not_in_mesh<"rank",
                                            internal::spec_of_text<internal::MeshAxes<axis, S>>, S>;
  template <Spec axes>
    requires(!internal::MeshAxes<axes, S>::ok)
  auto group() const
      -> compile_error::axis_is_not_in_mesh<"group",
                                            internal::spec_of_text<internal::MeshAxes<axes, S>>, S>;

 private:
  [[noreturn]] static void refuse(std::string const& why) {
    throw ValueError(std::string("tenon::Mesh: \"").append(S.view()).append("\": ").append(why));
  }

  /// The axes with their sizes: from the spec, then from the arguments; one may be inferred.
  static std::vector<internal::MeshAxis> sized(int ranks, std::vector<int> const& given) {
    std::vector<internal::MeshAxis> axes;
    std::vector<std::size_t> open;
    for (internal::Axis const& axis : shape) {
      if (!axis.is_static()) open.push_back(axes.size());
      axes.push_back(
          {std::string(axis.name.view()), static_cast<int>(axis.is_static() ? axis.size : 1), 0});
    }
    if (given.size() == open.size())
      for (std::size_t k = 0; k < open.size(); ++k) axes[open[k]].size = given[k];
    else if (given.empty() && open.size() == 1) fill(ranks, axes, axes[open[0]]);
    else
      refuse(std::string("expected ").append(std::to_string(open.size())) + " sizes, got " +
             std::to_string(given.size()));
    return check(ranks, axes), axes;
  }
  static void fill(int ranks, std::vector<internal::MeshAxis> const& axes,
                   internal::MeshAxis& open) {
    int others = 1;
    for (auto const& axis : axes) others *= axis.size;
    if (ranks % others != 0)
      refuse(std::string("world size ").append(std::to_string(ranks)) + " is not divisible by " +
             internal::product_text(axes, open.name));
    open.size = ranks / others;
  }
  static void check(int ranks, std::vector<internal::MeshAxis> const& axes) {
    int product = 1;
    for (int i = 0; i < shape.rank; ++i) {
      internal::MeshAxis const& axis = axes[static_cast<std::size_t>(i)];
      if (axis.size < std::max<std::int64_t>(1, shape[i].lower) || axis.size > shape[i].upper)
        refuse(std::string("expected another size of ")
                   .append(axis.name)
                   .append(", got ")
                   .append(std::to_string(axis.size)));
      product *= axis.size;
    }
    if (product != ranks)
      refuse(std::string("world size ").append(std::to_string(ranks)) + " is not " +
             internal::product_text(axes));
  }
};

}  // namespace tenon

namespace tenon::internal {

template <Spec S>
struct tree::is_constant<Mesh<S>> : std::true_type {};

}  // namespace tenon::internal
