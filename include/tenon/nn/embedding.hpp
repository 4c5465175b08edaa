#pragma once

#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/gather.hpp>
#include <tenon/nn/axes.hpp>

namespace tenon {

/// A learned row for every word of a vocabulary: `Embedding<"vocab=97", "embed=64">` takes integers
/// "batch t" to "batch t embed=64". The result is open. Throws `IndexError` for an id outside.
/// PyTorch: `nn.Embedding`.
template <Spec Vocabulary, Spec Embed, class T = float, class D = Cpu>
struct Embedding {
  using Weight = LayerTensor<T, D, Vocabulary, Embed>;

  Weight weight;

  template <Expression Ids>
  constexpr auto operator()(Ids&& ids) const -> Taken<0, Weight const&, Ids&&> {
    return take<0>(weight, std::forward<Ids>(ids));
  }
};

}  // namespace tenon
