#pragma once

// The definitions of reductions and normalisations.

#include "reductions.hpp"

namespace every_op {

using namespace tenon::internal;

inline Wide sum_of(Numbers const& x) {
  Wide sum = 0;
  for (Wide const value : x) sum += value;
  return sum;
}
inline Wide mean_of(Numbers const& x) { return sum_of(x) / static_cast<Wide>(x.size()); }

struct SumOf {
  static constexpr std::string_view name = "sum";
  static constexpr bool is_reduction = true;
  static Numbers of(Numbers const& x) { return {every_op::sum_of(x)}; }
  template <Axes axes>
  static auto apply(auto const& x, auto... kept) {
    return sum<axes>(x, kept...);
  }
};

struct ProdOf {
  static constexpr std::string_view name = "prod";
  static constexpr bool is_reduction = true;
  static Numbers of(Numbers const& x) {
    Wide product = 1;
    for (Wide const value : x) product *= value;
    return {product};
  }
  template <Axes axes>
  static auto apply(auto const& x, auto... kept) {
    return prod<axes>(x, kept...);
  }
};

struct MeanOf {
  static constexpr std::string_view name = "mean";
  static constexpr bool is_reduction = true;
  static Numbers of(Numbers const& x) { return {every_op::mean_of(x)}; }
  template <Axes axes>
  static auto apply(auto const& x, auto... kept) {
    return mean<axes>(x, kept...);
  }
};

struct VarianceOf {
  static constexpr std::string_view name = "var";
  static constexpr bool is_reduction = true;
  static Numbers of(Numbers const& x) {
    Wide const middle = every_op::mean_of(x);
    Numbers squares;
    for (Wide const value : x) squares.push_back((value - middle) * (value - middle));
    return {every_op::mean_of(squares)};
  }
  template <Axes axes>
  static auto apply(auto const& x, auto... kept) {
    return var<axes>(x, kept...);
  }
};

struct MaxOf {
  static constexpr std::string_view name = "max";
  static constexpr bool is_reduction = true;
  static Numbers of(Numbers const& x) {
    Wide largest = -std::numeric_limits<Wide>::infinity();
    for (Wide const value : x) largest = std::max(largest, value);
    return {largest};
  }
  template <Axes axes>
  static auto apply(auto const& x, auto... kept) {
    return max<axes>(x, kept...);
  }
};

template <>
inline constexpr bool of_nothing<MaxOf> = false;

struct MinOf {
  static constexpr std::string_view name = "min";
  static constexpr bool is_reduction = true;
  static Numbers of(Numbers const& x) {
    Wide smallest = std::numeric_limits<Wide>::infinity();
    for (Wide const value : x) smallest = std::min(smallest, value);
    return {smallest};
  }
  template <Axes axes>
  static auto apply(auto const& x, auto... kept) {
    return min<axes>(x, kept...);
  }
};

template <>
inline constexpr bool of_nothing<MinOf> = false;

struct LogSumExpOf {
  static constexpr std::string_view name = "logsumexp";
  static constexpr bool is_reduction = true;
  static Numbers of(Numbers const& x) {
    Wide sum = 0;
    for (Wide const value : x) sum += std::exp(value);
    return {std::log(sum)};
  }
  template <Axes axes>
  static auto apply(auto const& x, auto... kept) {
    return logsumexp<axes>(x, kept...);
  }
};

struct SoftmaxOf {
  static constexpr std::string_view name = "softmax";
  static constexpr bool is_reduction = false;
  static Numbers of(Numbers const& x) {
    Wide const all = LogSumExpOf::of(x)[0];
    Numbers result;
    for (Wide const value : x) result.push_back(std::exp(value - all));
    return result;
  }
  template <Axes axes>
  static auto apply(auto const& x) {
    return softmax<axes>(x);
  }
};

struct LogSoftmaxOf {
  static constexpr std::string_view name = "log_softmax";
  static constexpr bool is_reduction = false;
  static Numbers of(Numbers const& x) {
    Wide const all = LogSumExpOf::of(x)[0];
    Numbers result;
    for (Wide const value : x) result.push_back(value - all);
    return result;
  }
  template <Axes axes>
  static auto apply(auto const& x) {
    return log_softmax<axes>(x);
  }
};

}  // namespace every_op
