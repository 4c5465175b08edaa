#pragma once

#include <version>

#if defined(__cpp_lib_format)
#include <algorithm>
#include <format>
#include <string>
#include <string_view>
#include <vector>
#endif

#include <tenon/core/format.hpp>
#include <tenon/tensor/print.hpp>

/// Tensors and expressions in `std::format`, where the standard library has it.
#if defined(__cpp_lib_format)
namespace tenon::internal {

/// One element by the format string of its dtype; halves as `float`. NumPy: `array2string` with a
/// `formatter`.
template <class T>
std::string formatted(std::string_view format, T const& x) {
  if constexpr (ComplexType<T>) {
    std::string const imaginary = formatted(format, x.imag());
    bool const has_sign = imaginary[0] == '-' || imaginary[0] == '+';
    return formatted(format, x.real()) + (has_sign ? "" : "+") + imaginary + "j";
  } else {
    Computed<T> const number(x);
    return std::vformat(format, std::make_format_args(number));
  }
}

/// The elements formatted one by one, in columns of one width.
template <class T>
std::string array_text(std::string_view format, T const* data, Sizes const& sizes, int rank) {
  std::vector<std::string> words;
  std::size_t width = 0;
  for (std::int64_t const offset : shown_offsets(sizes, rank)) {
    words.push_back(formatted(format, data[offset]));
    width = (std::max)(width, words.back().size());
  }
  for (std::string& word : words) word.insert(0, width - word.size(), ' ');
  return in_brackets(words, sizes, rank);
}

/// The same for the value of an expression.
template <Expression E>
std::string array_text(std::string_view format, E const& e) {
  if constexpr (requires { e.storage(); }) {
    auto const elements = host_elements(e);
    typename E::value_type const* const data = elements;
    return array_text(format, data, e.sizes(), E::shape.rank);
  } else {
    return array_text(format, evaluate_expression(e));
  }
}

/// The type whose format string an element of dtype `T` has.
template <class T>
struct FormattedAs {
  using type = Computed<T>;
};
template <ComplexType T>
struct FormattedAs<T> {
  using type = typename T::value_type;
};

}  // namespace tenon::internal

/// `std::format("{}", x)`: as `to_string(x)`. `std::format("{:.3f}", x)`: every element by this
/// format, in columns. A replacement field within the format, as in "{:.{}f}", is refused.
template <tenon::ExpressionType E>
class std::formatter<E, char> {
 public:
  constexpr auto parse(std::format_parse_context& context) {
    auto const begin = context.begin();
    auto const end = std::find(begin, context.end(), '}');
    if (std::find(begin, end, '{') != end)
      throw std::format_error("tenon: expected a format without {} in it");
    std::formatter<typename tenon::internal::FormattedAs<typename E::value_type>::type> element;
    element.parse(context);
    format_ = std::string_view(begin, end);
    return end;
  }

  auto format(E const& e, std::format_context& context) const {
    return std::format_to(context.out(), "{}", text(e));
  }

 private:
  std::string text(E const& e) const {
    if (format_.empty()) return tenon::internal::to_string(e);
    return tenon::internal::array_text("{:" + std::string(format_) + "}", e);
  }

  std::string_view format_;
};

#if defined(__cpp_lib_format_ranges)
/// A tensor is a range of its rows, but not printed as one.
template <tenon::ExpressionType E>
inline constexpr std::range_format std::format_kind<E> = std::range_format::disabled;
#endif

/// A shape as its spec.
template <>
struct std::formatter<tenon::Shape, char> : std::formatter<std::string_view, char> {
  auto format(tenon::Shape const& shape, std::format_context& context) const {
    return std::formatter<std::string_view, char>::format(tenon::internal::format(shape).view(),
                                                          context);
  }
};
#endif
