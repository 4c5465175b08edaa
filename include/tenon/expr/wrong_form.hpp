#pragma once

#include <concepts>
#include <type_traits>

#include <tenon/core/mistake.hpp>
#include <tenon/tensor/expression.hpp>

/// Calls whose axes, patterns or types stand in the wrong place: the error names the form to write.
/// Their overloads convert every argument: they lose to every other function, a user's with the
/// same name included. A call with its template arguments fails at the first of theirs and pays
/// nothing for them. (The name is a template argument, so that only a mistake instantiates the
/// text.)
namespace tenon::internal {

/// Accepts an operand. (Functions with such parameters are not defined.)
struct AnyExpression {
  template <Expression X>
  AnyExpression(X const&);
};

/// Accepts what selects axes in other libraries: a number or a text.
struct NumberOrText {
  template <class T>
    requires std::is_arithmetic_v<T>
  NumberOrText(T);
  NumberOrText(char const*);
};

/// The form of a call: `Name::form`, or that of a function of one operand.
template <class Name>
struct FormText {
  static constexpr FixedText text = [] {
    if constexpr (requires { Name::form; }) return FixedText(Name::form);
    else return FixedText(Name::name).append("<-1>(x)");
  }();
};
template <class Name>
struct AxesFormText {
  static constexpr FixedText text = FixedText(Name::name).append("<\"height width\">(x)");
};

template <class Name>
struct TypeFormText {
  static constexpr FixedText text = FixedText(Name::name).append("<Float32<\"n m\">>");
};
template <class Name>
struct SizesFormText {
  static constexpr FixedText text = FixedText(Name::name).append("<R>(n, m)");
};
template <class Name>
struct KeyFormText {
  static constexpr FixedText text = [] {
    if constexpr (requires { Name::form; }) return FixedText(Name::form);
    else return FixedText(Name::name).append("<R>(Key(42), n)");
  }();
};

template <class Name>
using AxisForm =
    error::axis_is_a_template_argument<spec_of_name<Name>, spec_of_text<FormText<Name>>>;
template <class Name>
using AxesForm =
    error::axes_are_one_template_argument<spec_of_name<Name>, spec_of_text<AxesFormText<Name>>>;
template <class Name>
using PatternForm =
    error::pattern_is_a_template_argument<spec_of_name<Name>, spec_of_text<FormText<Name>>>;
template <class Name>
using TypeForm =
    error::type_is_a_template_argument<spec_of_name<Name>, spec_of_text<TypeFormText<Name>>>;
template <class Name>
using SizesForm =
    error::sizes_are_separate_arguments<spec_of_name<Name>, spec_of_text<SizesFormText<Name>>>;

}  // namespace tenon::internal
