#pragma once

// Cases of golden/*.txt: values and gradients of PyTorch, see golden/make_losses.py.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <tenon/tenon.hpp>

namespace cases {

struct Array {
  std::vector<std::int64_t> sizes;
  std::vector<double> numbers;
};

struct Case {
  std::string name;
  std::map<std::string, double> options;
  std::map<std::string, Array> arrays;

  double option(std::string const& key, double otherwise) const {
    auto const found = options.find(key);
    return found == options.end() ? otherwise : found->second;
  }

  /// An array as a tensor of type `R`.
  template <class R>
  R tensor(std::string const& key) const {
    Array const& array = arrays.at(key);
    REQUIRE(static_cast<int>(array.sizes.size()) == R::shape.rank);
    tenon::internal::Sizes sizes = tenon::internal::unit_sizes();
    for (std::size_t i = 0; i < array.sizes.size(); ++i) sizes[i] = array.sizes[i];
    R result = R::uninitialised(sizes);
    result.set_elements([&](typename R::value_type* to) {
      for (double const number : array.numbers) *to++ = static_cast<typename R::value_type>(number);
    });
    return result;
  }
};

inline Array read_array(std::istream& words) {
  Array array;
  std::string word;
  while (words >> word && word != ":") array.sizes.push_back(std::stoll(word));
  while (words >> word) array.numbers.push_back(std::strtod(word.c_str(), nullptr));
  return array;
}

/// All cases of a file in golden/.
inline std::vector<Case> read(std::string const& file) {
  std::ifstream text(std::filesystem::path(__FILE__).parent_path() / "golden" / file);
  std::vector<Case> cases;
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    std::string key, name;
    if (!(words >> key) || key[0] == '#') continue;
    if (key == "case") {
      words >> cases.emplace_back().name;
      for (std::string number; words >> name >> number;)
        cases.back().options[name] = std::strtod(number.c_str(), nullptr);
    } else {
      if (key == "grad") {
        words >> name;
        key += " " + name;
      }
      cases.back().arrays[key] = read_array(words);
    }
  }
  return cases;
}

inline bool is_close(double got, double expected, double relative, double absolute) {
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected)) return got == expected;
  return std::abs(got - expected) <= relative * (std::abs(expected) + 0.1) + absolute;
}

/// Compares within the rounding errors of a few operations, and the option `tolerance`.
template <class X>
void near(Case const& expected, std::string const& key, X const& got, double tolerance = 1e-14) {
  CAPTURE(key);
  std::vector<double> const& numbers = expected.arrays.at(key).numbers;
  REQUIRE(got.size() == static_cast<std::int64_t>(numbers.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    CAPTURE(i);
    CAPTURE(got.data()[i]);
    CAPTURE(numbers[i]);
    CHECK(is_close(got.data()[i], numbers[i], tolerance, expected.option("tolerance", 0)));
  }
}

/// 1, 1.5, 2, … of the type of a tensor.
template <class X>
X weights_like(X const& x) {
  X result = X::uninitialised(x.sizes());
  result.set_elements([size = x.size()](typename X::value_type* to) {
    for (std::int64_t i = 0; i < size; ++i) to[i] = 1 + 0.5 * static_cast<double>(i);
  });
  return result;
}

using Check = std::function<void(Case const&)>;

/// The check of a function of tensors `X...`, with these names in the file: its value, and its
/// gradients where the case has them.
template <class... X, class F>
Check of(std::array<char const*, sizeof...(X)> names, F const& f, double tolerance = 1e-14) {
  return [=](Case const& c) {
    auto const arguments = [&]<std::size_t... k>(std::index_sequence<k...>) {
      return std::tuple<X...>(c.tensor<X>(names[k])...);
    }(std::index_sequence_for<X...>());
    auto const weighed = [&](std::tuple<X...> const& recorded) {
      auto const value =
          tenon::eval(std::apply([&](auto const&... x) { return f(c, x...); }, recorded));
      near(c, "value", tenon::eval(tenon::stop_gradient(value)), tolerance);
      return tenon::sum(value * weights_like(tenon::eval(tenon::stop_gradient(value))));
    };
    auto const gradients = tenon::grad(weighed)(arguments);
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      (..., (c.arrays.contains(std::string("grad ") + names[k])
                 ? near(c, std::string("grad ") + names[k], std::get<k>(gradients), tolerance)
                 : void()));
    }(std::index_sequence_for<X...>());
  };
}

/// Runs the check of each case of a file; every case has one.
inline void run(std::string const& file, std::map<std::string, Check> const& checks) {
  std::map<std::string, int> ran;
  for (Case const& each : read(file)) {
    CAPTURE(each.name);
    for (auto const& [name, number] : each.options) CAPTURE(name + " " + std::to_string(number));
    REQUIRE(checks.contains(each.name));
    checks.at(each.name)(each);
    ++ran[each.name];
  }
  CHECK(ran.size() == checks.size());
}

}  // namespace cases
