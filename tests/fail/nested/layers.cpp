// expect: error::axes_do_not_fit<
// expect: "LayerNorm"
// expect: "embed=64"
// expect: "embed=32"
// expect: "batch t embed=64"
#include <tenon/tenon.hpp>

using namespace tenon;

struct Gpt {
  Embedding<"word=12", "embed=64"> words;
  LayerNorm<"embed=32"> norm;
  Linear<"embed=64", "word=12"> head;

  auto operator()(Int<"batch t"> auto const& tokens) const -> Float32<"batch t word=12"> {
    Float32<"batch t embed=64"> const x = words(tokens);
    return head(norm(x));
  }
};

auto scores(Gpt const& model, Int32<"batch t"> const& tokens) { return model(tokens); }
