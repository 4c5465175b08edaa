#pragma once

#include <array>
#include <string_view>

#include <tenon/backend/codegen/text/dialect.hpp>

namespace tenon::codegen {

/// An op in a kernel language, written by hand: the body of a function of `x`, and of `y` and `z`
/// if there are more operands, for results of the type `f32`, `f64`, `i32` ...
struct OpText {
  Dialect const* dialect;  ///< `&dialect::C::text`; of a device `&dialect::CudaC::text`.
  std::string_view type;
  std::string_view body;  ///< Statements in lines; the last one returns the value.
};

/// The hand-written texts of an op, none by default: an own specialisation is a `std::array` of
/// `OpText`. Where dialect and type are those of a kernel, it has this text in place of the op's
/// body; derivatives are those of the op. Every file that uses the op in kernels must see it.
template <class Op>
inline constexpr std::array<OpText, 0> op_text{};

}  // namespace tenon::codegen

namespace tenon::internal::codegen {

using tenon::codegen::op_text;
using tenon::codegen::OpText;

/// The text for a dialect and a type of results; null if there is none.
template <class Texts>
OpText const* text_for(Texts const& texts, Dialect const& dialect, std::string_view type) {
  for (OpText const& own : texts)
    if (own.dialect == &dialect && own.type == type) return &own;
  return nullptr;
}

}  // namespace tenon::internal::codegen
