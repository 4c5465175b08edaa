#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/config.hpp>

/// Run-time numbers as expressions in the sizes of the inputs. A function is traced at several
/// sizes; a number is a constant, a linear function of sizes or a product of them, whichever agrees
/// with all traces, of which the last confirms what the others determine.
namespace tenon::internal::onnx {

/// A run-time axis of the inputs: its name, and its size in each trace. Trace 0 is that of the
/// given inputs, trace 1 + k changes axis k alone, the last one changes all of them.
struct RunTimeAxis {
  std::string name;
  std::vector<std::int64_t> sizes;
};

/// constant + sum of factors[k] * size k; or constant * product of the sizes with a factor; or the
/// expression of an axis, in the language of specs.
struct Extent {
  std::int64_t constant = 0;
  std::vector<std::int64_t> factors{};  ///< One for each axis; empty for a constant.
  bool is_product = false;
  std::string expression{};

  bool is_constant() const { return factors.empty() && expression.empty(); }
  bool is_linear() const { return !is_product && expression.empty(); }
  bool is(std::int64_t number) const { return is_constant() && constant == number; }
  std::int64_t at(std::span<RunTimeAxis const> axes, std::size_t trace) const;
  /// `batch`, `2*t+1`, `batch*t`.
  std::string text(std::span<RunTimeAxis const> axes) const;

  friend bool operator==(Extent const&, Extent const&) = default;
};

/// The extent that has these values in the traces; none if there is no such extent. `expressions`
/// are those that occur in the types of the program.
std::optional<Extent> fitted(std::span<std::int64_t const> values,
                             std::span<RunTimeAxis const> axes,
                             std::span<std::string_view const> expressions = {});

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/export/extent.ipp>
#endif
