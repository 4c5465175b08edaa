// Twenty statements of about eight nodes, each of a different type.

#include <tenon/tenon.hpp>

using namespace tenon;

using Table = Float32<"batch feature">;
using Feature = Float32<"feature">;
using Batch = Float32<"batch">;

Batch f(Table const& x, Table const& y, Feature const& b) {
  Table const h1 = tanh(x * b + y) * sigmoid(y - b) + x;
  Table const h2 = relu(h1 + y) * (1 - h1 * b) - x / (y * y + 1);
  Table const h3 = where(h1 > h2, h1 - x, h2 + y * b) * 0.5f + exp(-x);
  Table const h4 = softmax<"feature">(h3 * b - max(h1, h2) + y);
  Table const h5 = log(abs(h4 * x) + 1) + sqrt(h2 * h2 + 2) * y;
  Table const h6 = (h5 - mean<"feature">(h5)) * b + min(h3, y * 2);
  Table const h7 = h6 / sqrt(var<"feature">(h6) + 1e-5f) * b + h1;
  Table const h8 = exp(h7 - max<"feature">(h7)) * sigmoid(h2 + b);
  Table const h9 = h8 / sum<"feature">(h8) + tanh(h4) * (x - y);
  Table const h10 = log_softmax<"feature">(h9 * 2 + h1) - h3 * b;
  Feature const r1 = sum<"batch">(h10 * h9 + x) / 3 + b * b;
  Feature const r2 = exp(-r1) * mean<"batch">(h8 - h7 * b) + tanh(r1);
  Table const g1 = h10 * r2 + sin(h9) * cos(h8 * r1) - y;
  Table const g2 = relu(g1 * r1) + where(y > 0, x * r2, h1 - r1);
  Table const g3 = (g2 - g1) * (g2 + g1) / (abs(g1) + abs(g2) + 1);
  Table const g4 = sigmoid(g3 * r1 + r2) * tanh(g2 - x) + h5;
  Batch const c1 = sum<"feature">(g4 * g3 - h6) + logsumexp<"feature">(g2 + y);
  Batch const c2 = max<"feature">(g4 - c1) * min<"feature">(g3 * 2 + h1);
  Batch const c3 = tanh(c1 * c2) + exp(-abs(c1 - c2)) * (c2 + 1) / 2;
  return where(c3 > c1, c3 * c2 - c1, sqrt(abs(c1) + 1) + c2 * c2);
}
