#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/core/call.hpp>
#include <tenon/distributed/pipeline/pipeline.hpp>

/// Pipelines of a tuple of layers, applied in sequence.
namespace tenon::internal {

/// The layers of this rank's stage; the others are absent. Layers are partitioned by
/// `layers_of_stage(count, stages)`.
template <class... Layer>
std::tuple<std::optional<Layer>...> layers_of_stage(std::tuple<Layer...> layers,
                                                    Stages const& stages) {
  LayerRange const own = layers_of_stage(int{sizeof...(Layer)}, stages);
  int k = 0;
  auto const kept = [&]<class One>(One& layer) {
    return own.contains(k++) ? std::optional<One>(std::move(layer)) : std::nullopt;
  };
  return std::apply(
      [&](auto&... layer) { return std::tuple<std::optional<Layer>...>{kept(layer)...}; }, layers);
}

namespace mpi {

/// The variant of all activations: the input of each layer, and the output of the last.
template <class Stream, class... Layer>
struct StreamsOf {
  using type = std::tuple<std::optional<Stream>>;
};
template <class Stream, class First, class... Rest>
struct StreamsOf<Stream, First, Rest...> {
  using Next = decltype(evaluated_stream(std::declval<CallResult<First const&, Stream const&>>()));
  using type = decltype(std::tuple_cat(std::tuple<std::optional<Stream>>(),
                                       typename StreamsOf<Next, Rest...>::type()));
};
template <class Input, class... Layer>
using StreamsBetween =
    typename StreamsOf<decltype(evaluated_stream(std::declval<CallResult<Input const&, int>>())),
                       Layer...>::type;

/// Applies the layers of this stage to the stream.
template <std::size_t k = 0, class Layers, class Streams>
void take_through(Layers const& layers, Streams& streams) {
  if constexpr (k < std::tuple_size_v<Layers>) {
    auto& before = std::get<k>(streams);
    if (auto const& layer = std::get<k>(layers); before && layer) {
      std::get<k + 1>(streams) = evaluated_stream((*layer)(*before));
      before.reset();
    }
    take_through<k + 1>(layers, streams);
  }
}

/// The output of the last layer. Throws `ValueError` if a layer was absent on all stages.
template <class Streams>
auto const& stream_at_end(Streams const& streams) {
  constexpr std::size_t count = std::tuple_size_v<Streams> - 1;
  auto const absent = [&]<std::size_t... k>(std::index_sequence<k...>) {
    return (std::size_t{0} + ... + (std::get<k>(streams) ? k : 0));
  };
  if (!std::get<count>(streams))
    fail<ValueError>({"pipelined",
                      "layer " + std::to_string(absent(std::make_index_sequence<count>())),
                      "one stage that has it", "none"});
  return *std::get<count>(streams);
}

/// Passes a tuple of layers as the three functions of a pipeline to `run(first, middle, last)`.
template <class Input, class LossOf, class... Layer, class Run>
auto with_functions(std::tuple<std::optional<Layer>...> const&, Input const& input,
                    LossOf const& loss_of, Run const& run) {
  using Streams = StreamsBetween<Input, Layer...>;
  auto const first = [&](auto const&, int i) {
    Streams streams;
    std::get<0>(streams) = evaluated_stream(input(i));
    return streams;
  };
  auto const middle = [](auto const& layers, Streams streams) {
    take_through(layers, streams);
    return streams;
  };
  auto const last = [&](auto const&, Streams const& streams, int i) {
    return loss_of(stream_at_end(streams), i);
  };
  return run(first, middle, last);
}

}  // namespace mpi

/// The same for a tuple of layers, without those of other stages (`layers_of_stage(layers,
/// stages)`), applied in sequence to values of any type; `input(i)` is the input of micro-batch i,
/// `loss_of(output, i)` the loss. PyTorch: `Pipe(nn.Sequential(...))`.
template <class... Layer, class Input, class LossOf>
auto pipelined_value_and_grad(std::tuple<std::optional<Layer>...> const& layers, int micro_batches,
                              Stages const& stages, Input const& input, LossOf const& loss_of,
                              mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return mpi::with_functions(layers, input, loss_of, [&](auto const&... function) {
    return pipelined_value_and_grad(layers, micro_batches, stages, function..., where);
  });
}
template <class... Layer, class Input, class Last>
auto pipelined_forward(std::tuple<std::optional<Layer>...> const& layers, int micro_batches,
                       Stages const& stages, Input const& input, Last const& last,
                       mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return mpi::with_functions(layers, input, last, [&](auto const&... function) {
    return pipelined_forward(layers, micro_batches, stages, function..., where);
  });
}

}  // namespace tenon::internal

namespace tenon {

using internal::layers_of_stage;
using internal::pipelined_forward;
using internal::pipelined_value_and_grad;

}  // namespace tenon
