#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/graph/linear_rule.hpp>
#include <tenon/eval/graph/values.hpp>

/// Values that are linear in their inputs, each with its adjoint.
namespace tenon::internal::graph {

TENON_RUNTIME Id Values::view(Id x, Reordering const& reordering) {
  Value const& from = (*this)[x];
  Value value;
  value.extent = reordering.extent;
  value.element = from.element;
  value.memory = from.memory;
  value.strides = reordering.strides(from.strides);
  value.start = from.start + offset(from.strides, reordering.start, from.extent.rank);
  return add(std::move(value), {&x, 1},
             rule([reordering](Id adjoint, Id, std::span<Id const> in, Adjoints& adjoints) {
               adjoints.add(in[0], values().spread(adjoint, reordering, values()[in[0]].extent));
             }));
}

TENON_RUNTIME Id Values::spread(Id x, Reordering const& reordering, Extent const& whole) {
  Value const& from = (*this)[x];
  Value to = new_value(from.element, whole);
  if (from.element.is_float) add_spread<float>(from, reordering, to);
  else add_spread<double>(from, reordering, to);
  return add(std::move(to), {&x, 1},
             rule([reordering](Id adjoint, Id, std::span<Id const> in, Adjoints& adjoints) {
               adjoints.add(in[0], values().view(adjoint, reordering));
             }));
}

TENON_RUNTIME Id Values::expanded(Id x, Extent const& to) {
  if ((*this)[x].extent.is(to)) return x;
  Reordering repeated{to, {}};
  repeated.order.fill(-1);
  return view(x, repeated);
}

TENON_RUNTIME Id Values::reshaped(Id x, Extent const& to) {
  Value const& from = (*this)[x];
  if (from.extent.is(to)) return x;
  if (from.extent.count() != to.count()) return expanded(x, to);
  return add(value_of({from.element, to, packed(from)}), {&x, 1},
             rule([](Id adjoint, Id, std::span<Id const> in, Adjoints& adjoints) {
               adjoints.add(in[0], values().reshaped(adjoint, values()[in[0]].extent));
             }));
}

TENON_RUNTIME Id Values::take(Id x, Positions const& from, Extent const& extent) {
  SharedBuffer const elements = packed((*this)[x]);
  Value value = new_value((*this)[x].element, extent);
  std::byte* to = value.data();
  std::size_t const bytes = value.element.bytes;
  for (std::int64_t const position : *from) {
    std::memcpy(to, elements.as<std::byte>() + position * value.element.bytes, bytes);
    to += bytes;
  }
  return add(std::move(value), {&x, 1},
             rule([from](Id adjoint, Id, std::span<Id const> in, Adjoints& adjoints) {
               adjoints.add(in[0], values().put(adjoint, from, values()[in[0]].extent));
             }));
}

TENON_RUNTIME Id Values::put(Id x, Positions const& to, Extent const& whole) {
  SharedBuffer const elements = packed((*this)[x]);
  Value value = new_value((*this)[x].element, whole);
  if (value.element.is_float) add_put<float>(elements, *to, value);
  else add_put<double>(elements, *to, value);
  return add(std::move(value), {&x, 1},
             rule([to](Id adjoint, Id, std::span<Id const> in, Adjoints& adjoints) {
               adjoints.add(in[0], values().take(adjoint, to, values()[in[0]].extent));
             }));
}

TENON_RUNTIME Id Values::product(Id a, Id b, Contracting const& contracting, Extent const& result) {
  Value const &left = (*this)[a], &right = (*this)[b];
  Value to = new_value(left.element, result);
  if (result.count() > 0) std::memset(to.data(), 0, to.memory.bytes());
  contracting.multiply(contracting.steps(left.strides, right.strides, to.strides), left.data(),
                       right.data(), to.data());
  std::array const inputs{a, b};
  return add(std::move(to), inputs,
             rule([contracting](Id adjoint, Id, std::span<Id const> x, Adjoints& adjoints) {
               Extent const left_extent = values()[x[0]].extent;
               Extent const right_extent = values()[x[1]].extent;
               if (adjoints.wants(x[0]))
                 adjoints.add(x[0],
                              values().product(adjoint, x[1], contracting.for_left(), left_extent));
               if (adjoints.wants(x[1]))
                 adjoints.add(
                     x[1], values().product(adjoint, x[0], contracting.for_right(), right_extent));
             }));
}

TENON_RUNTIME Id Values::boxes(Elements whole, std::span<Id const> parts,
                               std::span<Reordering const> boxes) {
  return made(std::move(whole), parts,
              rule([boxes = std::vector(boxes.begin(), boxes.end())](
                       Id adjoint, Id, std::span<Id const> in, Adjoints& adjoints) {
                for (std::size_t k = 0; k < boxes.size(); ++k)
                  adjoints.add(in[k], values().view(adjoint, boxes[k]));
              }));
}

/// The adjoint of one of several inputs whose elements a value contains.
TENON_RUNTIME Id adjoint_of_origin(Id adjoint, Origin const& origin, Extent const& input) {
  auto const kept = [](std::vector<std::int64_t> const& positions) {
    return Positions(new std::vector<std::int64_t>(positions));
  };
  Extent chosen{1, unit_sizes()};
  at(chosen.sizes, 0) = static_cast<std::int64_t>(origin.to.size());
  return values().put(values().take(adjoint, kept(origin.to), chosen), kept(origin.from), input);
}

TENON_RUNTIME Id Values::origins(Elements whole, std::span<Id const> inputs,
                                 std::span<Origin> origins) {
  return made(std::move(whole), inputs,
              rule([all = std::vector<Origin>(origins.begin(), origins.end())](
                       Id adjoint, Id, std::span<Id const> in, Adjoints& adjoints) {
                for (std::size_t k = 0; k < in.size(); ++k) {
                  Extent const extent = values()[in[k]].extent;
                  adjoints.add(in[k], adjoint_of_origin(adjoint, all[k], extent));
                }
              }));
}

}  // namespace tenon::internal::graph
