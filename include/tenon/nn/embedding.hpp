#pragma once

#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/nn/axes.hpp>

namespace tenon {

/// A learned row for every token of a vocabulary: `Embedding<"vocab=97", "embed=64">` maps integers
/// "batch t" to "batch t embed=64". The result is lazy. Throws `IndexError` for an id out of range.
/// PyTorch: `nn.Embedding`.
template <Spec Vocabulary, Spec Embed, class... Kind>
struct Embedding {
  using Weight = internal::LayerTensor<internal::LayerKind<Kind...>, Vocabulary, Embed>;

  Weight weight;

  template <Expression Ids, WellFormed R = internal::Taken<0, Weight const&, Ids&&>>
  constexpr auto operator()(Ids&& ids) const -> R {
    return take<0>(weight, std::forward<Ids>(ids));
  }
  template <Expression Ids, IllFormed R = internal::Taken<0, Weight const&, Ids&&>>
  auto operator()(Ids&& ids) const -> R;
  template <internal::Mistake Ids>
  auto operator()(Ids const&) const -> Ids;

  Embedding init_parameters(auto& initializer) const { return {initializer.table(weight)}; }
};

}  // namespace tenon
