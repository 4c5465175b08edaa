#pragma once

#include <cmath>
#include <limits>
#include <vector>

/// The arguments with which ops are tested.
namespace values {

/// Special arguments: limits of the range, thresholds of the bodies, very large angles.
template <class T>
std::vector<T> edges() {
  using L = std::numeric_limits<T>;
  std::vector<T> positive{T(0),         L::denorm_min(), L::min() / 2,  L::min(),     L::epsilon(),
                          T(0.25),      T(0.5),          T(0.625),      T(1),         T(1.25),
                          T(1.4142135), T(1.5707964),    T(3.1415927),  T(5.5),       T(14.3),
                          T(15.5),      T(22),           T(39),         T(44),        T(87.4),
                          T(88.72283),  T(88.7229),      T(102.9),      T(103.9),     T(104.5),
                          T(708.3),     T(709.78),       T(709.79),     T(745.1),     T(746),
                          T(99999.25),  T(1e6),          T(1.000001e6), T(3e9),       T(1e22),
                          T(1e30),      L::max() / 2,    L::max(),      L::infinity()};
  std::vector<T> all{L::quiet_NaN()};
  for (T v : positive) all.insert(all.end(), {v, -v});
  return all;
}

/// Ordinary numbers of both signs and many magnitudes.
template <class T>
std::vector<T> ordinary() {
  std::vector<T> all;
  for (int i = -300; i <= 300; ++i) all.push_back(static_cast<T>(i) * T(0.037109375));
  for (int i = -140; i <= 140; ++i) all.push_back(static_cast<T>(i) * T(0.7890625) + T(0.1));
  for (int i = -36; i <= 36; ++i) all.push_back(static_cast<T>(std::pow(10.0, i)));
  for (int i = -36; i <= 36; ++i) all.push_back(static_cast<T>(-1.37 * std::pow(10.0, i)));
  return all;
}

template <class T>
std::vector<T> all() {
  auto all = ordinary<T>();
  for (T v : edges<T>()) all.push_back(v);
  return all;
}

/// For integers: small ones and both limits.
template <class T>
std::vector<T> integers() {
  std::vector<T> all;
  for (int i = 0; i < 12; ++i) {
    all.push_back(static_cast<T>(i));
    all.push_back(static_cast<T>(T(0) - static_cast<T>(i)));
    all.push_back(static_cast<T>(std::numeric_limits<T>::max() / 3 - static_cast<T>(i)));
    all.push_back(static_cast<T>(std::numeric_limits<T>::max() - static_cast<T>(i)));
    all.push_back(static_cast<T>(std::numeric_limits<T>::min() + static_cast<T>(i)));
  }
  return all;
}

}  // namespace values
