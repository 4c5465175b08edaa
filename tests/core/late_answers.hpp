#pragma once

// The shape rules applied to texts that are not known at compile time.

#include <ostream>
#include <string_view>

#include "../static/answers.hpp"

namespace answers {

inline std::ostream& operator<<(std::ostream& out, Answer const& answer) {
  return out << answer.text.view();
}

}  // namespace answers

namespace late {

using namespace tenon;
using namespace tenon::internal;
using answers::Answer;

inline char const* volatile hidden = nullptr;

/// The same text, opaque to the optimizer.
inline std::string_view at_run_time(char const* text) {
  hidden = text;
  return hidden;
}

template <class... FixedText>
Answer product(FixedText... texts) {
  return answers::product(at_run_time(texts)...);
}

template <class... FixedText>
Answer einsum(FixedText... texts) {
  return answers::einsum(at_run_time(texts)...);
}

template <class... FixedText>
Answer rearranged(FixedText... texts) {
  return answers::rearranged(at_run_time(texts)...);
}

template <class... FixedText>
Answer reduced(FixedText... texts) {
  return answers::reduced(at_run_time(texts)...);
}

template <class... FixedText>
Answer repeated(FixedText... texts) {
  return answers::repeated(at_run_time(texts)...);
}

template <class... FixedText>
Answer own(FixedText... texts) {
  return answers::own(at_run_time(texts)...);
}

template <class... FixedText>
Answer pattern(FixedText... texts) {
  return answers::pattern(at_run_time(texts)...);
}

template <class... FixedText>
Answer tree(FixedText... texts) {
  return answers::tree(at_run_time(texts)...);
}

inline Answer refused(char const* text) { return answers::refused(at_run_time(text)); }
inline Answer refused_tree(char const* text) { return answers::refused_tree(at_run_time(text)); }
inline Answer refused_pattern(char const* text) {
  return answers::refused_pattern(at_run_time(text));
}

constexpr Shape shape(std::string_view spec) { return answers::shape(spec); }

inline bool same(Contraction const& a, Contraction const& b) {
  return a.fits == b.fits && a.shape == b.shape && a.left == b.left && a.right == b.right &&
         a.out == b.out && a.labels == b.labels && a.extents == b.extents;
}

inline bool same(Rearrangement const& a, Rearrangement const& b) {
  return a.fits == b.fits && a.split == b.split && a.split_from == b.split_from &&
         a.order == b.order && a.kept == b.kept && a.permuted == b.permuted &&
         a.merged_into == b.merged_into && a.shape == b.shape;
}

}  // namespace late
