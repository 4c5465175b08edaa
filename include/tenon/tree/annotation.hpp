#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/core/annotation/annotation.hpp>
#include <tenon/core/annotation/check.hpp>
#include <tenon/core/annotation/leaves.hpp>
#include <tenon/tree/walk.hpp>

/// Annotations of trees: `tree::Float<"?n m"> auto const& model`. All tensors of a tree fit one
/// annotation; a word is one size in all of them, `?n` may differ between them. A pattern over
/// several trees of one structure, `tree::fits<"?n, ?n", X, Y>`, binds `?n` in the tensors of one
/// place. As in `Float` and `fits`, sizes known at run time fit; `tree::check` compares them.
/// jaxtyping: `PyTree[Float[Array, "?n m"], "T"]`.
namespace tenon::compile_error {

/// The first tensor that does not fit: its path, the mismatched word and the reason, the annotation
/// and the shapes at this place.
template <Spec Path, Spec Mistake, Spec Annotation, Spec... Shapes>
struct leaf_does_not_fit;

/// The first place where trees that a pattern compares have different parts.
template <Spec Operation, Spec Path>
struct trees_differ_in_structure;

}  // namespace tenon::compile_error

namespace tenon::internal::tree {

/// Traversal of all tensors, also within `Frozen`.
struct Tensors {
  template <class T>
  static constexpr bool visits = is_tensor<T>;
  static constexpr bool opens_frozen = true;
};

/// The match of the types of trees of one structure, up to the first mismatch.
template <std::size_t M>
struct TreeMatch {
  LeafMatcher<M> leaves{};
  std::array<Shape, M> shapes{};  ///< Of the last leaves.
  PathText path{};                ///< Of the mismatch.
  bool is_one_structure = true;

  constexpr bool fits() const { return is_one_structure && leaves.matcher.result.fits; }
};

template <std::size_t N, std::size_t M>
struct TypeMatcher {
  Annotation<N> const& annotation;
  TreeMatch<M> match{};

  template <class First, class... Rest>
  constexpr void visit(PathText const& path) {
    constexpr Node node = node_of<Tensors, First>;
    if (!match.fits()) return;
    match.path = path;
    match.is_one_structure = (same_node<Tensors, First, Rest>() && ...);
    if constexpr ((same_node<Tensors, First, Rest>() && ...)) {
      if constexpr (node == Node::leaf) {
        match.shapes = {First::shape, Rest::shape...};
        match.leaves.next(annotation, match.shapes);
      } else if constexpr (node == Node::record) {
        visit_parts<First, Rest...>(PartIndices<First>(), path);
      } else if constexpr (node != Node::passed) {
        visit<Inner<First>, Inner<Rest>...>(path);
      }
    }
  }

 private:
  template <class T>
  using Inner = std::remove_const_t<typename InnerOf<T>::type>;

  template <class First, class... Rest, std::size_t... i>
  constexpr void visit_parts(std::index_sequence<i...>, PathText const& path) {
    (visit_part<i, First, Rest...>(path), ...);
  }
  template <std::size_t i, class First, class... Rest>
  constexpr void visit_part(PathText const& path) {
    visit<std::remove_const_t<PartAt<i, Parts<First>>>,
          std::remove_const_t<PartAt<i, Parts<Rest>>>...>(path.below(part_text<First, i>().view()));
  }
};

/// The number of annotations that the words of one tree, or of several, need.
template <Spec S, WordMeaning words>
inline constexpr std::size_t annotations = are_variables(words) ? pattern_arguments<S> : 1;

template <Spec S, WordMeaning words, class... T>
constexpr auto match_types() {
  TypeMatcher<annotations<S, words>, sizeof...(T)> matcher{
      annotation_of<S, words, annotations<S, words>>};
  matcher.template visit<T...>(PathText());
  return matcher.match;
}

/// The match of types with an annotation, its text and path, and the shapes at this place.
template <Spec S, WordMeaning words, class... T>
struct TreesMatched {
  static constexpr auto value = match_types<S, words, T...>();
  static constexpr Annotated result = value.leaves.matcher.result;
  static constexpr FixedText text =
      mistake_text({result.word.view(), result.word.empty() ? "" : ": ", result.mistake().view()});
};
template <class Match>
struct MismatchPath {
  static constexpr PathText text = PathText().below(
      Match::value.path.length > 0 ? Match::value.path.view() : "(the tree itself)");
};
template <class Match, std::size_t i>
struct MismatchedShape {
  static constexpr Shape shape = Match::value.shapes[i];
};

struct NoTensor {
  static constexpr FixedText text = "there is no tensor";
};

template <Spec S, class Match, std::size_t... i>
auto leaf_mistake(std::index_sequence<i...>) {
  return std::type_identity<
      error::leaf_does_not_fit<spec_of_text<MismatchPath<Match>>, spec_of_text<Match>, S,
                               spec_of<MismatchedShape<Match, i>>...>>();
}

/// The first type that is not a tree.
template <class Name, class First, class... Rest>
constexpr auto first_no_tree() {
  if constexpr (is_well_formed<Tensors, First>()) return first_no_tree<Name, Rest...>();
  else return std::type_identity<NoTree<Name, Tensors, First>>();
}

/// The mismatch of trees with a well-formed annotation, or `void`.
template <class Name, Spec S, WordMeaning words, class... T>
constexpr auto mistake_of_trees() {
  using Match = TreesMatched<S, words, T...>;
  if constexpr (!(is_well_formed<Tensors, T>() && ...)) return first_no_tree<Name, T...>();
  else if constexpr (!(reaches<Tensors, T>() && ...))
    return std::type_identity<
        error::leaf_does_not_fit<"(the tree itself)", spec_of_text<NoTensor>, S>>();
  else if constexpr (!Match::value.is_one_structure)
    return std::type_identity<
        error::trees_differ_in_structure<spec_of_name<Name>, spec_of_text<MismatchPath<Match>>>>();
  else if constexpr (Match::value.fits()) return std::type_identity<void>();
  else return leaf_mistake<S, Match>(std::index_sequence_for<T...>());
}

/// The same; a malformed annotation does not compile, nor one of another number of trees.
template <class Name, Spec S, WordMeaning words, class... T>
constexpr auto find_leaf_mistake() {
  constexpr bool as_many = words == WordMeaning::leaves || AsManyShapes<S, sizeof...(T)>;
  if constexpr (!as_many) {
    static_cast<void>(sizeof(error::malformed_spec<S, "another number of arguments">));
    return std::type_identity<void>();
  } else if constexpr (!WellFormedAnnotation<S, words>) {
    static_cast<void>(sizeof(MalformedAnnotation<S, words, annotations<S, words>>));
    return std::type_identity<void>();
  } else {
    return mistake_of_trees<Name, S, words, T...>();
  }
}
template <class Name, Spec S, WordMeaning words, class... T>
using LeafMistake = typename decltype(find_leaf_mistake<Name, S, words, Unqualified<T>...>())::type;

/// Whether all tensors of a tree fit.
template <class LeafMistake>
concept LeavesFit = std::is_void_v<LeafMistake>;

template <class Leaves, DtypeCategory... allowed>
inline constexpr bool are_of_dtype = false;
template <class... Leaf, DtypeCategory... allowed>
inline constexpr bool are_of_dtype<LeafTypes<Leaf...>, allowed...> =
    (is_any_of<typename Leaf::value_type, allowed...> && ...);

/// Whether all tensors of a tree have dtypes of these categories.
template <class X, DtypeCategory... allowed>
concept LeavesOfDtype = are_of_dtype<LeafTypesOf<Tensors, Unqualified<X>>, allowed...>;

struct ShapedName {
  static constexpr std::string_view name = "tree";
};
struct FitsName {
  static constexpr std::string_view name = "tree::fits";
};
struct CheckName {
  static constexpr std::string_view name = "tree::check";
};

/// Compares the sizes of the tensors of trees, leaf by leaf. Throws `ShapeError`.
template <Spec S, class... T>
void check_leaves(T const&... trees) {
  constexpr auto const& annotation =
      annotation_of<S, WordMeaning::variables_of_leaves, pattern_arguments<S>>;
  LeafMatcher<sizeof...(T)> leaves{};
  auto const look = [&]<class... Leaf>(Path const& path, Leaf const&... leaf) {
    std::array<Sizes, sizeof...(T)> const sizes{leaf.sizes()...};
    leaves.next(annotation, with_run_time_sizes(std::array{Shape(Leaf::shape)...}, sizes));
    require_fit(CheckName::name, leaves.matcher, int{pattern_arguments<S>}, path.text());
  };
  zip<Tensors>(look, trees...);
}

/// Checks all tensors of trees of one structure where their sizes are known, by one pattern:
/// `tree::check<"?n m, ?n">(model, state)`. A word is a variable of that call, `?n` one of each
/// place in the trees. Types that do not fit do not compile; throws `ShapeError` with the path
/// where sizes, the numbers of elements of vectors, or empty optionals differ. jaxtyping: `PyTree`
/// with a type checker.
template <Spec S, class... T>
  requires LeavesFit<LeafMistake<CheckName, S, WordMeaning::variables_of_leaves, T...>>
void check(T const&... trees) {
  check_leaves<S>(trees...);
}
template <Spec S, class... T,
          class R = LeafMistake<CheckName, S, WordMeaning::variables_of_leaves, T...>>
  requires(!LeavesFit<R>)
auto check(T const&... trees) -> R;

}  // namespace tenon::internal::tree

namespace tenon::tree {

/// `X` is a tree whose tensors, of any dtype, fit the annotation `S`: a word is a literal axis name
/// of one size, `?n` of any size in each tensor. jaxtyping: `PyTree[Shaped[Array, "?n"]]`.
template <class X, Spec S>
concept Shaped =
    internal::tree::LeavesFit<internal::tree::LeafMistake<internal::tree::ShapedName, S,
                                                          tenon::internal::WordMeaning::leaves, X>>;

/// The same for masks. jaxtyping: `PyTree[Bool[Array, "?n"]]`.
template <class X, Spec S>
concept Bool =
    Shaped<X, S> && internal::tree::LeavesOfDtype<X, tenon::internal::DtypeCategory::boolean>;

/// The same for integers. jaxtyping: `PyTree[Integer[Array, "?n"]]`.
template <class X, Spec S>
concept Integer =
    Shaped<X, S> && internal::tree::LeavesOfDtype<X, tenon::internal::DtypeCategory::signed_integer,
                                                  tenon::internal::DtypeCategory::unsigned_integer>;

/// The same for floating and complex numbers. jaxtyping: `PyTree[Inexact[Array, "?n"]]`.
template <class X, Spec S>
concept Inexact =
    Shaped<X, S> && internal::tree::LeavesOfDtype<X, tenon::internal::DtypeCategory::floating,
                                                  tenon::internal::DtypeCategory::complex>;

/// The same for floating numbers. jaxtyping: `PyTree[Float[Array, "?n"]]`.
template <class X, Spec S>
concept Float =
    Inexact<X, S> && internal::tree::LeavesOfDtype<X, tenon::internal::DtypeCategory::floating>;

/// The trees `X...` have one structure, and their tensors fit one pattern, whose words are
/// variables: `requires tree::fits<"?n m, ?n", X, Y>`. `?n` has one size in the tensors of one
/// place. jaxtyping: `PyTree[Float[Array, "?n m"], "T"]`, `PyTree[Float[Array, "?n"], "T"]`.
template <Spec S, class... X>
concept fits = internal::tree::LeavesFit<internal::tree::LeafMistake<
    internal::tree::FitsName, S, tenon::internal::WordMeaning::variables_of_leaves, X...>>;

using internal::tree::check;

}  // namespace tenon::tree
