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

#include <string_view>
#include <utility>

#include <tenon/dist/gather.hpp>

namespace tenon {

namespace mpi {

struct GatherToName {
  static constexpr std::string_view name = "gather_to";
};

}  // namespace mpi

/// `all_gather` along an axis for a result that each rank uses differently: equal to
/// `copy_to(all_gather<axis>(x, group), group)`, except that the backward is one reduce_scatter, at
/// half the cost. Differentiable. Throws `CommunicationError`. Megatron:
/// `gather_from_sequence_parallel_region`.
template <Axes axis, Expression X>
  requires NumType<typename Unqualified<X>::value_type>
auto gather_to(X&& x, Group const& group, mpi::Place where = mpi::Place::current())
    -> mpi::Resized<mpi::GatherToName, axis, X> {
  auto const back = []<class V>(auto const& dy, mpi::Division const& by, mpi::Call const& call) {
    mpi::agree(by.group, mpi::gradient_of(call));
    return mpi::reduced_part<V>(dy, by);
  };
  return mpi::gathered_parts<mpi::GatherToName, axis, true>(std::forward<X>(x), group, where, back);
}
template <Axes, Expression X>
  requires(!NumType<typename Unqualified<X>::value_type>)
auto gather_to(X&&, Group const&) ->
    typename decltype(dtype_mistake<mpi::GatherToName, Unqualified<X>>())::type;
template <Axes, class... X>
auto gather_to(X const&...) -> FirstMistake<X...>;

}  // namespace tenon
