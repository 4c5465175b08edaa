#include "cases.hpp"

#include <tenon/nn.hpp>

namespace onnx_cases {

namespace {

/// A layer of an encoder, with a mask that depends on the number of positions.
struct Encoder {
  TransformerEncoderLayer<"embed=8", 2, "hidden=12", op::Gelu> layer;

  auto operator()(Float32<"batch t embed=8"> const& x) const {
    auto const length = size<"t">(x);
    return layer(x, alibi<Float32<"head=2 query key">>(length, length), is_causal);
  }
};

/// Groups of heads attend to a memory, of which some keys are hidden.
struct Recall {
  MultiheadAttention<"embed=8", AttentionHeads{4, 2}> attention;

  auto operator()(Float32<"batch t embed=8"> const& x, Float32<"batch s embed=8"> const& memory,
                  Mask<"batch 1 1 s"> const& seen) const {
    return eval(attention(x, memory, memory, seen));
  }
};

struct WithMemory {
  Float32<"batch t embed=8"> x;
  Float32<"batch s embed=8"> memory;
  Mask<"batch 1 1 s"> seen;
};
WithMemory with_memory(std::int64_t n, std::int64_t t, std::int64_t s) {
  return {numbers<decltype(WithMemory::x)>(6, n, t), numbers<decltype(WithMemory::memory)>(7, n, s),
          bernoulli<Mask<"batch 1 1 s">>(Key{8}, 0.5f, n, s)};
}

}  // namespace

TEST_CASE("onnx::save: a layer of an encoder, with a mask for any length") {
  auto const model = init::normal<Encoder>(Key{3}, 0.4f);
  save_case("encoder_layer", model, embedded(2, 5), embedded(1, 1), embedded(3, 9));
}

TEST_CASE("onnx::save: attention to a memory, by groups of heads, with a mask as an input") {
  auto const model = init::normal<Recall>(Key{4}, 0.4f);
  save_case("masked_attention", model, with_memory(2, 5, 3), with_memory(1, 1, 1),
            with_memory(4, 2, 6));
}

}  // namespace onnx_cases
