#pragma once

#include <tenon/backend/codegen/adjoint/node_backward.hpp>
#include <tenon/core/config.hpp>

/// Backward of contractions: the adjoint of one operand is a contraction of that of the result with
/// the other operand.
namespace tenon::internal::codegen {

TENON_RUNTIME Value adjoint_element(Reverse& reverse, Node e, Places const& at) {
  Walk& walk = reverse.walk();
  IndexText const index = row_major_index(walk.indexing(), sizes_of(walk, e), e.rank(), at);
  return {walk.listing,
          walk.listing.value(e->text->dtype->text, "adjoint[" + index.text + "]", index.names)};
}

/// The distinct labels of an operand, in the order of its axes.
TENON_RUNTIME std::vector<std::size_t> labels_in(AxisMap const& axes) {
  std::vector<std::size_t> labels;
  for (auto const label : axes) {
    auto const own = static_cast<std::size_t>(label);
    if (label >= 0 && std::ranges::find(labels, own) == labels.end()) labels.push_back(own);
  }
  return labels;
}

/// An element of an operand's adjoint: summed over all labels without an index.
TENON_RUNTIME Value factor_adjoint(Reverse& reverse, Node e, bool is_left,
                                   std::array<Place, max_labels> places) {
  Contraction const& rule = *e->contraction;
  Walk& walk = reverse.walk();
  auto const sizes = label_quantities(walk, e);
  auto const own = labels_in(is_left ? rule.left : rule.right);
  Total total(walk.listing, *e->text->reduction, reverse.block(), false);
  Loops loops(walk.listing, reverse.block());
  for (std::size_t l = 0; l < static_cast<std::size_t>(rule.labels); ++l)
    if (std::ranges::find(own, l) == own.end())
      places[l] = loops.enter(walk.variables.text(sizes[l]));
  Value const adjoint = adjoint_element(reverse, e, labelled_places(rule.out, places));
  Value const other = element_of(walk, e.operand_at(is_left ? 1 : 0),
                                 labelled_places(is_left ? rule.right : rule.left, places));
  total.add(e->text->multiply(adjoint, other), loops.block());
  loops.close();
  return {walk.listing, total.name()};
}

TENON_RUNTIME void backward_factor(Reverse& reverse, Node e, bool is_left) {
  Node const factor = e.operand_at(is_left ? 0 : 1);
  AxisMap const& axes = is_left ? e->contraction->left : e->contraction->right;
  if (!leads_back(reverse, factor)) return;
  auto const own = labels_in(axes);
  auto const all = label_quantities(reverse.walk(), e);
  Quantities sizes{};
  for (std::size_t i = 0; i < own.size(); ++i) sizes[i] = all[own[i]];
  reverse.rows(sizes, static_cast<int>(own.size()), [&](Places const& rows) {
    std::array<Place, max_labels> places{};
    for (std::size_t i = 0; i < own.size(); ++i) places[own[i]] = rows[i];
    Value const share = factor_adjoint(reverse, e, is_left, places);
    backward_element(reverse, factor, labelled_places(axes, places), share);
  });
}

}  // namespace tenon::internal::codegen
