#pragma once

#include <tenon/eval/graph/number.hpp>
#include <tenon/eval/graph/values_linear.hpp>
#include <tenon/eval/graph/values_mapped.hpp>

namespace tenon::graph {

/// Adjoints of the values between leaves and results, passed on from the last value to the first.
template <class Nothing>
class ReverseOf final : public Adjoints {
 public:
  [[gnu::cold]] ReverseOf(std::span<Id const> results, std::span<Id const> leaves) {
    first_ = last_ = leaves.empty() ? 0 : leaves[0].number;
    for (Id const leaf : leaves) first_ = std::min(first_, leaf.number);
    for (Id const result : results) last_ = std::max(last_, result.number + 1);
    for (Id const leaf : leaves) last_ = std::max(last_, leaf.number + 1);
    between_.resize(last_ - first_);
    for (Id const leaf : leaves) between_[leaf.number - first_].is_leaf = true;
    for (std::uint32_t i = first_; i < last_; ++i) {
      Between& value = between_[i - first_];
      value.depends = value.is_leaf;
      for (Id const input : values()[{i}].inputs) value.depends = value.depends || wants(input);
    }
  }

  bool wants(Id id) const override {
    return id.number >= first_ && id.number < last_ && between_[id.number - first_].depends;
  }

  [[gnu::cold]] void add(Id to, Id share, std::size_t part = 0) override {
    if (!wants(to)) return;
    std::vector<Sum>& parts = between_[to.number - first_].parts;
    if (parts.size() <= part) parts.resize(part + 1);
    Sum& sum = parts[part];
    sum = {sum.is_there ? sum_of(sum.id, share) : share, true};
  }

  Id const* of(Id value, std::size_t part = 0) const override {
    if (!wants(value)) return nullptr;
    std::vector<Sum> const& parts = between_[value.number - first_].parts;
    return part < parts.size() && parts[part].is_there ? &parts[part].id : nullptr;
  }

  [[gnu::cold]] void pull() {
    for (std::uint32_t i = last_; i-- > first_;) {
      Between const& value = between_[i - first_];
      if (value.parts.empty() || value.is_leaf) continue;
      std::vector<Id> const inputs = values()[{i}].inputs;
      if (Rule const* const rule = values()[{i}].rule.get()) rule->pull({i}, inputs, *this);
    }
  }

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

  [[gnu::cold]] static Id sum_of(Id a, Id b) {
    if (values()[a].element.is_float) return (Number<float>(a) + Number<float>(b)).id;
    return (Number<double>(a) + Number<double>(b)).id;
  }

  std::uint32_t first_, last_;
  std::vector<Between> between_;
};

using Reverse = ReverseOf<void>;

}  // namespace tenon::graph
