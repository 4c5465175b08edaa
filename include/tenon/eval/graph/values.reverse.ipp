#pragma once

#include <algorithm>

#include <tenon/core/config.hpp>
#include <tenon/eval/graph/number.hpp>
#include <tenon/eval/graph/reverse.hpp>
#include <tenon/eval/graph/values.hpp>

namespace tenon::internal::graph {

TENON_RUNTIME Reverse::Reverse(std::span<Id const> results, std::span<Id const> leaves) {
  first_ = last_ = leaves.empty() ? 0 : leaves[0].number;
  for (Id const leaf : leaves) first_ = (std::min)(first_, leaf.number);
  for (Id const result : results) last_ = (std::max)(last_, result.number + 1);
  for (Id const leaf : leaves) last_ = (std::max)(last_, leaf.number + 1);
  between_.resize(last_ - first_);
  for (Id const leaf : leaves) between_[leaf.number - first_].is_leaf = true;
  for (std::uint32_t i = first_; i < last_; ++i) {
    Between& value = between_[i - first_];
    value.depends = value.is_leaf;
    for (Id const input : values()[{i}].inputs) value.depends = value.depends || wants(input);
  }
}

TENON_RUNTIME Id sum_of(Id a, Id b) {
  if (values()[a].element.is_float) return (Number<float>(a) + Number<float>(b)).id;
  return (Number<double>(a) + Number<double>(b)).id;
}

TENON_RUNTIME void Reverse::add(Id value, Id share, std::size_t part) {
  if (!wants(value)) return;
  std::vector<Sum>& parts = between_[value.number - first_].parts;
  if (parts.size() <= part) parts.resize(part + 1);
  Sum& sum = parts[part];
  sum = {sum.is_there ? sum_of(sum.id, share) : share, true};
}

TENON_RUNTIME Id const* Reverse::of(Id value, std::size_t part) const {
  if (!wants(value)) return nullptr;
  std::vector<Sum> const& parts = between_[value.number - first_].parts;
  return part < parts.size() && parts[part].is_there ? &parts[part].id : nullptr;
}

TENON_RUNTIME void Reverse::backward() {
  for (std::uint32_t i = last_; i-- > first_;) {
    Between const& value = between_[i - first_];
    if (value.parts.empty() || value.is_leaf) continue;
    std::vector<Id> const inputs = values()[{i}].inputs;
    if (Rule const* const rule = values()[{i}].rule.get()) rule->backward({i}, inputs, *this);
  }
}

}  // namespace tenon::internal::graph
