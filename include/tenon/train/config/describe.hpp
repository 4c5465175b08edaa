#pragma once

#include <string_view>

#include <tenon/train/config/field.hpp>

namespace tenon::training {

/// A description of one field; see `describe`.
template <class Struct, class Field>
struct FieldDescription {
  Field Struct::*field;
  std::string_view text;
  FieldNote note;
};

/// Describes a field of a configuration, in its static member `descriptions`, a function that
/// returns a `std::tuple` of these:
///
///     static auto descriptions() {
///       return std::tuple(describe(&Training::steps, "training steps", {.least = 1}));
///     }
template <class Struct, class Field>
FieldDescription<Struct, Field> describe(Field Struct::*field, std::string_view text,
                                         FieldNote note = {}) {
  return {field, text, note};
}

}  // namespace tenon::training
