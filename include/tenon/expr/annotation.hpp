#pragma once

#include <array>
#include <concepts>
#include <type_traits>

#include <tenon/core/annotation/annotation.hpp>
#include <tenon/core/dtype.hpp>
#include <tenon/core/language/writer.hpp>
#include <tenon/core/mistake.hpp>
#include <tenon/core/spec_join.hpp>
#include <tenon/tensor/expression.hpp>

/// Annotations as concepts: `auto f(Float<"batch pixel=784"> auto const& image)`. Each requires a
/// category of dtypes and axes; `Shaped` accepts any dtype. A word is a literal axis name. An
/// overload for a narrower category is preferred, as in jaxtyping: `Shaped` > `Bool`, `Num`; `Num`
/// > `Inexact` > `Float`, `Complex`; `Num` > `Integer` > `Int`, `UInt`; `Real` is `Float` or
/// `Integer`.
///
/// A type that names an error fits everywhere, so that compilers report only the first error.
///
/// A concept depends on types alone: sizes known at run time fit (`batch` where 32 is required, the
/// equal sizes of `n n`, the `2*n` of `n 2*n`). `check<"n, 2*n">(x, y)` in the body of the function
/// checks them at run time, as do `checked<...>(f)` and `as<"batch=32 784">(x)`.
namespace tenon::compile_error {

/// The word and the reason of a mismatch, the annotation, the shape.
template <Spec Mistake, Spec Annotation, Spec Shape>
struct annotation_does_not_fit;

/// The reasons for each of several annotations, of which one would have to fit.
template <class... AnnotationDoesNotFit>
struct no_annotation_fits;

}  // namespace tenon::compile_error

namespace tenon::internal {

/// The result of a match: the axes fit.
struct AxesThatFit {};

/// The mismatched word and the reason; for a mismatch of ranks, which has no word, the `place`.
constexpr FixedText mismatch_text(Annotated const& match, std::string_view place = "") {
  return mistake_text({match.word.empty() ? place : match.word.view(),
                       match.word.empty() && place.empty() ? "" : ": ", match.mistake().view()});
}

/// The name of an argument of a pattern, or of its result.
constexpr FixedText place_in_pattern(int argument, std::size_t arguments) {
  if (static_cast<std::size_t>(argument) == arguments) return "result";
  TextWriter<FixedText::capacity> text{};
  text << "argument " << std::int64_t{argument + 1};
  return FixedText(text.view());
}

/// The match of the axes of `E` with an annotation.
template <Spec S, class E>
struct AnnotationMatch {
  static constexpr Annotated value = match_annotation<S>(E::shape);
  static constexpr FixedText text = mismatch_text(value);
};

/// The match of the axes of several expressions with a pattern.
template <Spec S, class... E>
struct PatternMatch {
  static constexpr Annotated value =
      match_pattern<S>(std::array<Shape, sizeof...(E)>{Shape(E::shape)...});
  static constexpr FixedText text =
      mismatch_text(value, place_in_pattern(value.argument, pattern_arguments<S>).view());
};

/// (A malformed annotation is rejected here, before it is read: compilers list every function
/// between the error and the user's line.)
template <Spec S, class E>
constexpr auto annotation_result() {
  using Match = AnnotationMatch<S, E>;
  if constexpr (Mistake<E>) return std::type_identity<AxesThatFit>{};
  else if constexpr (!WellFormedAnnotation<S>) {
    static_cast<void>(sizeof(MalformedAnnotation<S, WordMeaning::names>));
    return std::type_identity<AxesThatFit>{};
  } else if constexpr (Match::value.fits) return std::type_identity<AxesThatFit>{};
  else
    return std::type_identity<error::annotation_does_not_fit<spec_of_text<Match>, S, spec_of<E>>>{};
}

struct FitsName {
  static constexpr std::string_view name = "fits";
};

template <Spec S, class... E>
constexpr auto pattern_result() {
  using Match = PatternMatch<S, E...>;
  if constexpr ((Mistake<E> || ...)) return std::type_identity<AxesThatFit>{};
  else if constexpr (Match::value.fits) return std::type_identity<AxesThatFit>{};
  else
    return std::type_identity<error::pattern_does_not_fit<spec_of_name<FitsName>,
                                                          spec_of_text<Match>, S, spec_of<E>...>>{};
}

/// `AxesThatFit`, or an undefined type that names the error: g++ and clang print it.
template <Spec S, class E>
using AnnotationResult = typename decltype(annotation_result<S, E>())::type;
template <Spec S, class... E>
using PatternResult = typename decltype(pattern_result<S, E...>())::type;

template <class Judgement>
concept AxesFit = std::is_same_v<Judgement, AxesThatFit>;

/// For the diagnostic overload of a user's function, which the compiler selects if the annotation
/// does not fit; its first line then gives the reason, instead of "no matching function":
///
///   auto f(Float<"batch pixel=784"> auto const& x) { ... }
///   auto f(auto const& x) -> AnnotationMistake<"batch pixel=784", decltype(x)>;
template <Spec S, class X>
  requires(!AxesFit<AnnotationResult<S, Unqualified<X>>>)
using AnnotationMistake = AnnotationResult<S, Unqualified<X>>;

/// The same for a union of annotations, `Float<X, "batch pixel=784"> || Float<X, "pixel=784">`:
///
///   auto f(auto const& x) -> UnionMistake<decltype(x), "batch pixel=784", "pixel=784">;
template <class X, Spec... S>
  requires(!(AxesFit<AnnotationResult<S, Unqualified<X>>> || ...))
using UnionMistake = error::no_annotation_fits<AnnotationResult<S, Unqualified<X>>...>;

/// A type whose axes can be matched: an error type has none, and always fits.
template <class X>
concept HasAxesToFit = Expression<X> || Mistake<X>;

/// The dtype of an expression; of an error type, `Any`.
template <class X, class Any>
struct DtypeIn {
  using type = typename X::value_type;
};
template <Mistake X, class Any>
struct DtypeIn<X, Any> {
  using type = Any;
};
template <class X, class Any = float>
using DtypeOf = typename DtypeIn<Unqualified<X>, Any>::type;

}  // namespace tenon::internal

namespace tenon {

/// `X` is a tensor or an expression of any dtype whose axes fit the annotation `S`. jaxtyping:
/// `Shaped`.
template <class X, Spec S>
concept Shaped = internal::HasAxesToFit<X> &&
                 internal::AxesFit<internal::AnnotationResult<S, internal::Unqualified<X>>>;

/// Masks of axes `S`. (Each concept requires the axes first, and not only through a wider category:
/// compilers list every concept between the constraint and the one that failed.) jaxtyping: `Bool`.
template <class X, Spec S>
concept Bool = Shaped<X, S> && internal::BoolType<internal::DtypeOf<X, bool>>;

/// Integers, floating and complex numbers of axes `S`. jaxtyping: `Num`.
template <class X, Spec S>
concept Num = Shaped<X, S> && internal::NumType<internal::DtypeOf<X>>;

/// Integers and floating numbers of axes `S`. jaxtyping: `Real`.
template <class X, Spec S>
concept Real = Shaped<X, S> && Num<X, S> && internal::RealType<internal::DtypeOf<X>>;

/// Floating and complex numbers of axes `S`. jaxtyping: `Inexact`.
template <class X, Spec S>
concept Inexact = Shaped<X, S> && Num<X, S> && internal::InexactType<internal::DtypeOf<X>>;

/// Floating numbers of axes `S`: `float`, `double` and the 16-bit dtypes. jaxtyping: `Float`.
template <class X, Spec S>
concept Float =
    Shaped<X, S> && Real<X, S> && Inexact<X, S> && internal::FloatType<internal::DtypeOf<X>>;

/// Complex numbers of axes `S`. jaxtyping: `Complex`.
template <class X, Spec S>
concept Complex = Shaped<X, S> && Inexact<X, S> &&
                  internal::ComplexType<internal::DtypeOf<X, std::complex<float>>>;

/// Integers of axes `S`, with or without a sign. jaxtyping: `Integer`.
template <class X, Spec S>
concept Integer = Shaped<X, S> && Real<X, S> && internal::IntegerType<internal::DtypeOf<X, int>>;

/// Integers with a sign, of axes `S`. jaxtyping: `Int`.
template <class X, Spec S>
concept Int = Shaped<X, S> && Integer<X, S> && internal::IntType<internal::DtypeOf<X, int>>;

/// Integers without a sign, of axes `S`. jaxtyping: `UInt`.
template <class X, Spec S>
concept UInt = Shaped<X, S> && Integer<X, S> && internal::UIntType<internal::DtypeOf<X, unsigned>>;

/// Elements of dtype `T` and axes `S`: `OfDtype<float, "*batch channel"> auto const& x`. It is no
/// narrower than `Float`: for a call that fits both, neither overload is preferred.
template <class X, class T, Spec S>
concept OfDtype = Shaped<X, S> && std::same_as<internal::DtypeOf<X, T>, T>;

/// One pattern over the axes of several arguments, and of a result if it has an arrow and one more
/// type is given: `requires fits<"b n, n m", X, Y>`. A word is a variable: it binds to an axis, and
/// the same word twice requires axes that agree. Sizes known at run time fit; with the same
/// pattern, `check<"b n, n m">(x, y)` in the body of the function compares them.
template <Spec S, class... X>
concept fits = (internal::HasAxesToFit<X> && ...) &&
               internal::AxesFit<internal::PatternResult<S, internal::Unqualified<X>...>>;

using internal::AnnotationMistake;
using internal::UnionMistake;

}  // namespace tenon
