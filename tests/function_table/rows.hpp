#pragma once

// The rows of the table of functions, docs/functions/table.md, which scripts/functions makes of
// them.

#include <string>
#include <string_view>

#include "probe.hpp"

namespace function_table {

struct Row {
  std::string call{};
  std::string dtypes{};
  std::string_view gradient = "no";
  std::string_view device = "no";
  std::string_view onnx = "no";
};

/// The rows of one file, <name>.txt.
class Table {
 public:
  explicit Table(std::string_view name) : name_(name) {}

  template <Spec S, class... F>
  void add(Call<F> const&... calls) {
    (add_row<S>(calls), ...);
  }

  /// Compares the rows with those of the file. With `TENON_WRITE_TABLE` in the environment, writes
  /// them.
  void compare() const;

 private:
  template <Spec S, class F>
  void add_row(Call<F> const& call) {
    Row row{std::string(call.text)};
    accept<bool, F, S>(row, "bool");
    accept<std::int32_t, F, S>(row, "int32");
    accept<float16, F, S>(row, "float16");
    accept<float, F, S>(row, "float32");
    accept<double, F, S>(row, "float64");
    accept<std::complex<float>, F, S>(row, "complex64");
    using T = typename decltype(first_dtype<F, S, Cpu, double, std::complex<double>, std::int32_t,
                                            bool>())::type;
    using P = typename decltype(first_dtype<F, S, Printing, float, std::complex<float>,
                                            std::int32_t, bool>())::type;
    if constexpr (!std::is_void_v<T>) call_on_host(row, call.f, operand<T, S>());
    if constexpr (!std::is_void_v<P>) row.device = device_of(call.f, operand<P, S, Printing>());
    add(row);
  }
  template <class T, class F, Spec S>
  static void accept(Row& row, std::string_view dtype) {
    if constexpr (Takes<F, T, S, Cpu>) (row.dtypes += ' ') += dtype;
  }
  template <class F, class X>
  static void call_on_host(Row& row, F const& f, X const& at) {
    using Y = std::remove_cvref_t<decltype(f(at))>;
    Y (*const function)(X const&) = f;
    row.gradient = gradient_of(function, at);
    row.onnx = onnx_of(function);
  }
  void add(Row const& row);

  std::string name_;
  std::string rows_{};
};

}  // namespace function_table
