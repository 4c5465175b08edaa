#pragma once

#include <string>
#include <string_view>

#include <tenon/core/shape.hpp>
#include <tenon/io/safetensors/header.hpp>

namespace tenon::internal::safetensors {

/// The axes of an entry of at most eight: its sizes, and the names in the metadata.
Shape axes_of(Header const& header, std::string_view name, Entry const& entry);

/// The text of an entry in messages: `float32 "in=512 out=10"`.
std::string described(Header const& header, std::string_view name, Entry const& entry);

/// Run-time sizes of an entry of at most eight axes.
Sizes sizes_of(Entry const& entry);

/// Whether an entry fits axes: names and static sizes agree, run-time sizes satisfy bounds and
/// expressions.
bool fits(Shape const& wanted, Shape const& axes, Sizes const& sizes);

}  // namespace tenon::internal::safetensors

#if TENON_DEFINES_RUNTIME
#include <tenon/io/safetensors/axes.ipp>
#endif
