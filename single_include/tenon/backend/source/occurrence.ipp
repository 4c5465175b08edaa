// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <cstring>

#include <tenon/backend/source/occurrence.hpp>
#include <tenon/tenon.hpp>

namespace tenon::source {

TENON_RUNTIME void Occurrence::note_type(Node e) {
  key.push_back(std::bit_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(e.type())));
}

TENON_RUNTIME void Occurrence::note(Node e) {
  if (e.is(NodeKind::constant)) note_number(e.number().number);
  if (e.is_leaf()) note_leaf(e);
  e.each_number([&](std::int64_t number) { key.push_back(number); });
  e.each([&](Node operand) { note(operand); });
}

TENON_RUNTIME void Occurrence::note_leaf(Node leaf) {
  note_place(memories, leaf->leaf->elements(leaf.address()));
  note_all(leaf.sizes());
  if (leaf.is(NodeKind::tensor)) note_mark(leaf.mark());
  if (leaf.is(NodeKind::view)) note_all(leaf->leaf->strides(leaf.address()));
}

/// The text of a backward kernel may contain a scalar, such as the divisor of a mean.
TENON_RUNTIME void Occurrence::note_number(Number const& number) {
  note_place(scalars, number);
  if (tape == nullptr) return;
  key.push_back(0);
  std::memcpy(&key.back(), number.data(), sizeof number);
}

TENON_RUNTIME void Occurrence::note_mark(TapeMark mark) {
  if (tape == nullptr) return;
  if (tape->is_wanted(mark)) note_place(marks, mark);
  else key.push_back(-1);
}

TENON_RUNTIME void hold_leaves(Node e, Callback<void(SharedBuffer const&)> const& hold) {
  if (e.is_leaf() && e->leaf->buffer != nullptr) hold(e->leaf->buffer(e.address()));
  e.each([&](Node operand) { hold_leaves(operand, hold); });
}

}  // namespace tenon::source
