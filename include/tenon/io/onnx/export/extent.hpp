#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/config.hpp>

/// Run-time numbers as expressions in the sizes of the inputs. A function is traced at several
/// sizes, some of them far from the given ones; a number is a constant, a linear function of sizes,
/// a product of them, or an expression of the program, whichever agrees with all traces.
namespace tenon::internal::onnx {

/// A run-time axis of the inputs: its name, and its size in each trace. Trace 0 is that of the
/// given inputs, others change one axis alone, the last one changes all of them.
struct RunTimeAxis {
  std::string name;
  std::vector<std::int64_t> sizes;
};

/// The value of a number in a trace that does not determine it: the step along an axis of size 1.
inline constexpr std::int64_t any_number = (std::numeric_limits<std::int64_t>::min)();

/// constant + sum of factors[k] * size k; or constant * product of the sizes with a factor; or an
/// expression in the language of specs.
struct Extent {
  std::int64_t constant = 0;
  std::vector<std::int64_t> factors{};  ///< One for each axis; empty for a constant.
  bool is_product = false;
  std::string expression{};

  bool is_constant() const { return factors.empty() && expression.empty(); }
  bool is_linear() const { return !is_product && expression.empty(); }
  bool is(std::int64_t number) const { return is_constant() && constant == number; }
  /// The value in a trace; -1 where the expression has none.
  std::int64_t at(std::span<RunTimeAxis const> axes, std::size_t trace) const;
  /// `batch`, `2*t+1`, `batch*t`, `(t-3)//2+1`.
  std::string text(std::span<RunTimeAxis const> axes) const;

  friend bool operator==(Extent const&, Extent const&) = default;
};

/// An expression and its values in the traces.
struct KnownExpression {
  std::string text;
  std::vector<std::int64_t> values;
};

/// The expressions that occur in a program: of its types, of its views and of their products.
struct KnownExpressions {
  std::span<RunTimeAxis const> axes;
  std::vector<KnownExpression> entries{};

  /// Adds one; nothing where it has no value in a trace, is linear or is known.
  void add(std::string const& text);
};

/// The extent that has these values in the traces; none if there is no such extent. `own` are
/// expressions that are expected.
std::optional<Extent> fitted(std::span<std::int64_t const> values, KnownExpressions const& known,
                             std::vector<std::string> const& own = {});

/// An expression as an operand of another: in parentheses unless it is a name or a number.
std::string grouped(std::string const& text);

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/export/extent.ipp>
#endif
