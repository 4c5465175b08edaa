#pragma once

// The training data of one step, for any task.

#include <cstdint>
#include <functional>

#include <tenon/tenon.hpp>

namespace gpt {

using namespace tenon;

/// Texts, and the target tokens after each of their last tokens.
template <class D = Cpu>
struct Lesson {
  Int32<"batch t", D> text;
  Int32<"batch asked", D> answer;
};

/// A lesson that is drawn at random.
using Draw = std::function<Lesson<>(Key const&)>;

/// The scores after the last `count` tokens of a text.
template <class D>
Float32<"batch asked word", D> last(Float32<"batch t word", D> const& scores, std::int64_t count) {
  auto const length = size<"t">(scores);
  return rename<"t -> asked">(slice<"t">(scores, length - count, length));
}

}  // namespace gpt
