#pragma once

// Layers by textbook loops in double: the reference for the layers of the library.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <tenon/tenon.hpp>

namespace naive {

using Numbers = std::vector<double>;

template <class Tensor>
Numbers numbers(Tensor const& tensor) {
  return Numbers(tensor.data(), tensor.data() + tensor.size());
}

/// Rows of the last axis, with `width` numbers each.
struct Rows {
  Numbers data;
  std::size_t width;

  std::size_t count() const { return data.size() / width; }
  double& at(std::size_t row, std::size_t i) { return data[row * width + i]; }
  double at(std::size_t row, std::size_t i) const { return data[row * width + i]; }
};

inline Rows zeros(std::size_t count, std::size_t width) {
  return {Numbers(count * width, 0.0), width};
}

template <class Tensor>
Rows rows(Tensor const& tensor) {
  return {numbers(tensor), static_cast<std::size_t>(tensor.sizes()[Tensor::rank - 1])};
}

/// x w + b.
template <class Linear>
Rows linear(Linear const& layer, Rows const& x) {
  Rows const w = rows(layer.weight);
  Rows y = zeros(x.count(), w.width);
  for (std::size_t r = 0; r < x.count(); ++r) {
    for (std::size_t j = 0; j < w.width; ++j) {
      y.at(r, j) = layer.bias.data()[j];
      for (std::size_t i = 0; i < x.width; ++i) y.at(r, j) += x.at(r, i) * w.at(i, j);
    }
  }
  return y;
}

template <class Norm>
Rows layer_norm(Norm const& layer, Rows const& x) {
  Rows y = x;
  auto const width = static_cast<double>(x.width);
  for (std::size_t r = 0; r < x.count(); ++r) {
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < x.width; ++i) mean += x.at(r, i) / width;
    for (std::size_t i = 0; i < x.width; ++i)
      variance += (x.at(r, i) - mean) * (x.at(r, i) - mean) / width;
    double const deviation = std::sqrt(variance + static_cast<double>(layer.epsilon));
    for (std::size_t i = 0; i < x.width; ++i)
      y.at(r, i) = (x.at(r, i) - mean) / deviation * layer.weight.data()[i] + layer.bias.data()[i];
  }
  return y;
}

inline Rows gelu(Rows x) {
  for (double& z : x.data) z *= 0.5 * (1 + std::erf(z / std::numbers::sqrt2));
  return x;
}

inline Rows sum(Rows x, Rows const& y) {
  for (std::size_t i = 0; i < x.data.size(); ++i) x.data[i] += y.data[i];
  return x;
}

inline Numbers softmax(Numbers scores) {
  double const largest = *std::max_element(scores.begin(), scores.end());
  double total = 0;
  for (double& score : scores) total += score = std::exp(score - largest);
  for (double& score : scores) score /= total;
  return scores;
}

/// One query of one head attends to the keys up to its own, from row `first` on.
inline void attend(Rows const& q, Rows const& k, Rows const& v, std::size_t first,
                   std::size_t position, std::size_t begin, std::size_t features, Rows& result) {
  std::size_t const row = first + position;
  Numbers scores(position + 1, 0.0);
  for (std::size_t s = 0; s <= position; ++s) {
    for (std::size_t f = begin; f < begin + features; ++f)
      scores[s] += q.at(row, f) * k.at(first + s, f) / std::sqrt(static_cast<double>(features));
  }
  Numbers const weights = softmax(scores);
  for (std::size_t f = begin; f < begin + features; ++f) {
    for (std::size_t s = 0; s <= position; ++s)
      result.at(row, f) += weights[s] * v.at(first + s, f);
  }
}

template <class Attention>
Rows attention(Attention const& layer, Rows const& x, std::size_t length, std::size_t heads) {
  Rows const q = linear(layer.query, x), k = linear(layer.key, x), v = linear(layer.value, x);
  Rows gathered = zeros(x.count(), x.width);
  std::size_t const features = x.width / heads;
  for (std::size_t first = 0; first < x.count(); first += length) {
    for (std::size_t position = 0; position < length; ++position) {
      for (std::size_t head = 0; head < heads; ++head)
        attend(q, k, v, first, position, head * features, features, gathered);
    }
  }
  return linear(layer.output, gathered);
}

/// A layer of an encoder with `norm_first`.
template <class Layer>
Rows encoder_layer(Layer const& layer, Rows const& x, std::size_t length, std::size_t heads) {
  Rows const y = sum(x, attention(layer.self_attn, layer_norm(layer.norm1, x), length, heads));
  return sum(y, linear(layer.linear2, gelu(linear(layer.linear1, layer_norm(layer.norm2, y)))));
}

}  // namespace naive
