#pragma once

#include <span>
#include <vector>

#include <tenon/eval/graph/graph.hpp>

namespace tenon::internal::graph {

/// The adjoints of the values between leaves and results, passed on from the last value to the
/// first.
class Reverse final : public Adjoints {
 public:
  Reverse(std::span<Id const> results, std::span<Id const> leaves);

  bool wants(Id value) const override {
    return value.number >= first_ && value.number < last_ &&
           between_[value.number - first_].depends;
  }
  void add(Id value, Id share, std::size_t part = 0) override;
  Id const* of(Id value, std::size_t part = 0) const override;
  /// Passes the accumulated adjoints on.
  void backward();

 private:
  struct Sum {
    Id id{};
    bool is_there = false;
  };
  struct Between {
    bool is_leaf = false;
    bool depends = false;
    std::vector<Sum> parts{};
  };

  std::uint32_t first_, last_;
  std::vector<Between> between_;
};

}  // namespace tenon::internal::graph
