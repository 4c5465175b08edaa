// Thirty formulas of about ten nodes, each of a different type; five contain reductions along a
// row, such as softmax.

#include <tenon/tenon.hpp>

using namespace tenon;

using Table = Float32<"batch feature">;
using Feature = Float32<"feature">;

Table maps(Table const& x, Table const& y, Feature const& a, Feature const& b) {
  Table const h1 = tanh(x * a + y) * sigmoid(y - b) + x * 2;
  Table const h2 = relu(h1 + y) * (1 - h1 * b) - x / (y * y + 1);
  Table const h3 = where(h1 > h2, h1 - x * a, h2 + y * b) * 0.5f + 1;
  Table const h4 = exp(-abs(h3 - x)) * (h2 + a) / (1 + abs(h1));
  Table const h5 = log(abs(h4 * x) + 1) + sqrt(h2 * h2 + 2) * y;
  Table const h6 = min(h5 * a, h4 * b) + max(h3 - x, h2 - y) * 3;
  Table const h7 = sin(h6 * a) * cos(h5 + b) - sin(h4) / 4 + y;
  Table const h8 = square(h7 - h6) + square(h5 - x) * b - h1 * y;
  Table const h9 = (h8 + x) * (h8 - x) / (square(a) + square(b) + 1);
  return sigmoid(h9) * (1 - sigmoid(h8)) + tanh(h7) * a - h6;
}

Table more_maps(Table const& x, Table const& y, Feature const& a, Feature const& b) {
  Table const h1 = (x + a) * (y + b) - (x - b) * (y - a) + 1;
  Table const h2 = exp(h1 * 0.1f) / (1 + exp(h1 * a) + abs(y)) - x;
  Table const h3 = relu(x - h2) + relu(h2 - y) * b - relu(h1 * a);
  Table const h4 = where(y > 0, x * h3 + a, h1 * h2 - b) / 2 + h3;
  Table const h5 = sqrt(abs(x * y) + 1) * a + sqrt(abs(h4) + 2) * b;
  Table const h6 = 1 / (1 + square(h5 - a) + square(h4 - b)) * x - y;
  Table const h7 = tanh(h6 + tanh(h5 * a + tanh(h4 * b + x))) * y;
  Table const h8 = log(1 + exp(-abs(h7))) + max(h6, 0) * a - h5 * b;
  Table const h9 = (((h8 * a + h7) * b + h6) * a + h5) * x + y;
  return min(max(h9 * a - h8, -1), 1) * (x + h7) - h6 * b;
}

Table sums(Table const& x, Table const& y, Feature const& a, Feature const& b) {
  Feature const s1 = sum<"batch">(x * y + a) * 0.5f + tanh(a * b - 1);
  Feature const s2 = exp(-abs(s1 - a)) * (b + s1) / (1 + square(a) * b);
  Feature const s3 = where(s1 > s2, s1 * a, s2 * b) - sqrt(abs(s1) + 1) * 2;
  Table const h1 = x * s1 - y * s2 + (x - s3) / (1 + abs(y - a));
  return sigmoid(h1 * s1 + a) - sigmoid(h1 * s2 + b) * tanh(x * s3);
}

Table rows(Table const& x, Table const& y, Feature const& a, Feature const& b) {
  Table const h1 = softmax<"feature">(x * a + y * b + 1);
  Table const h2 = (h1 - mean<"feature">(h1)) / sqrt(var<"feature">(h1) + 1e-5f) * a + b;
  Table const h3 = exp(h2 - max<"feature">(h2)) * y - x / (abs(h1) + 1);
  Table const h4 = log_softmax<"feature">(h3 * a - y) * x + tanh(h2);
  return h4 * b / (sum<"feature">(abs(h4)) + 1) - logsumexp<"feature">(h3 + x);
}
