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

#include <cstdint>
#include <string_view>
#include <utility>

#include <tenon/io/safetensors/header.hpp>

namespace tenon::safetensors {

/// The size in bytes from an entry's sizes and dtype; false on overflow.
std::pair<std::uint64_t, bool> bytes_of(Entry const& entry);

/// Checks that the tensors fill the data contiguously: without gaps, overlaps or trailing bytes,
/// and each with the size of its shape. Throws `FileError`.
void check_layout(Header const& header, std::string_view where, std::uint64_t data_bytes);

}  // namespace tenon::safetensors

#if TENON_DEFINES_RUNTIME
#include <tenon/io/safetensors/layout.ipp>
#endif
