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

#include <concepts>
#include <map>
#include <mutex>
#include <string>

#include <tenon/backend/source/kernel_folder.hpp>
#include <tenon/tenon.hpp>

namespace tenon::source {

/// A device whose compiled kernels can be cached: `image` compiles a text to bytes, `load` makes a
/// function of them (or throws `DeviceError`), `compiler` identifies everything else on which an
/// image depends.
template <class D>
concept ImagingDevice = requires(std::string const& text) {
  { D::image(text, text) } -> std::same_as<std::string>;
  { D::load(text, text) } -> std::same_as<typename D::Function>;
  { D::compiler() } -> std::same_as<std::string>;
};

/// The compiled kernels of a device, cached by text. Thread-safe.
template <class D>
class Compiled {
 public:
  using Function = typename D::Function;

  static Function function(std::string const& name, std::string const& text) {
    static Compiled& all = *new Compiled;
    std::lock_guard const lock(all.mutex_);
    auto const known = all.functions_.find(text);
    if (known != all.functions_.end()) return known->second;
    return all.functions_[text] = made(name, text);
  }

 private:
  static Function made(std::string const& name, std::string const& text) {
    if constexpr (ImagingDevice<D>) {
      if (auto const folder = KernelFolderChoice::instance().get())
        return kept(*folder, name, text);
    }
    return D::compile(name, text);
  }
  static Function kept(KernelFolder const& folder, std::string const& name,
                       std::string const& text) {
    std::string const origin = D::compiler() + "\n" + text;
    if (auto const known = folder.find(origin)) {
      try {
        return D::load(name, *known);
      } catch (DeviceError const&) {  // a damaged file: the kernel is compiled again
      }
    }
    std::string const image = D::image(name, text);
    folder.keep(origin, image);
    return D::load(name, image);
  }

  std::mutex mutex_;
  std::map<std::string, Function> functions_;
};

}  // namespace tenon::source
