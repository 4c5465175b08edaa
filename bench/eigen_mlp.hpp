#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace bench {

/// Training of two linear layers with relu between them, written by hand with Eigen: everything is
/// allocated once, and every matmul writes to its destination.
class EigenMlp {
 public:
  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Row = Eigen::RowVectorXf;

  EigenMlp(float const* first, float const* first_bias, float const* second,
           float const* second_bias, Eigen::Index in, Eigen::Index hidden, Eigen::Index out,
           Eigen::Index batch)
      : w1(Eigen::Map<Matrix const>(first, in, hidden)),
        w2(Eigen::Map<Matrix const>(second, hidden, out)),
        b1(Eigen::Map<Row const>(first_bias, hidden)),
        b2(Eigen::Map<Row const>(second_bias, out)),
        dw1(in, hidden),
        dw2(hidden, out),
        h(batch, hidden),
        dh(batch, hidden),
        y(batch, out) {}

  void step(float const* images, std::int32_t const* labels, float rate) {
    Eigen::Map<Matrix const> const x(images, h.rows(), w1.rows());
    h.noalias() = x * w1;
    h = (h.rowwise() + b1).cwiseMax(0.0f);
    y.noalias() = h * w2;
    y.rowwise() += b2;
    make_adjoint(labels);
    dw2.noalias() = h.transpose() * y;
    dh.noalias() = y * w2.transpose();
    dh = (h.array() > 0.0f).select(dh, 0.0f);
    dw1.noalias() = x.transpose() * dh;
    b1 -= rate * dh.colwise().sum();
    b2 -= rate * y.colwise().sum();
    w1 -= rate * dw1;
    w2 -= rate * dw2;
  }

  float loss = 0;
  Matrix w1, w2;
  Row b1, b2;
  Matrix dw1, dw2;

 private:
  /// Replaces logits by the gradient of their mean cross-entropy.
  void make_adjoint(std::int32_t const* labels) {
    float const share = 1.0f / static_cast<float>(y.rows());
    loss = 0;
    for (Eigen::Index i = 0; i < y.rows(); ++i) {
      auto row = y.row(i).array();
      row -= row.maxCoeff();
      float const label = row(labels[i]);
      row = row.exp();
      float const sum = row.sum();
      loss += share * (std::log(sum) - label);
      row *= share / sum;
      row(labels[i]) -= share;
    }
  }

  Matrix h, dh, y;
};

}  // namespace bench
