#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <tenon/distributed/communication/transfers.hpp>
#include <tenon/distributed/pipeline/layout.hpp>

/// Messages between the stages of a pipeline.
namespace tenon::internal::mpi {

inline constexpr int stream_tag = 0, stream_layout_tag = 1, adjoint_tag = 2;

/// Lets `f` write the elements of a tensor; those on a device are copied through the host.
template <TensorType X, class F>
void write_elements(X& x, F const& f) {
  if constexpr (X::device::is_host) {
    f(x.own_memory());
  } else {
    Tensor<typename X::value_type, X::spec> host = to<Cpu>(x);
    f(host.own_memory());
    x = to<typename X::device>(host);
  }
}

/// The stream of rank `root`, on all ranks of the group; the arguments of other ranks are ignored.
template <StreamType Stream>
Stream broadcast_stream(Stream stream, int root, Group const& group,
                        std::shared_ptr<Topology const> const& mesh) {
  Layout layout = layout_of(stream, 0);
  mpi::broadcast(layout.data(), std::ssize(layout), root, group);
  if (group.rank() != root) stream = blank<Stream>(layout, mesh);
  for_each_tensor(stream, [&](auto& x) {
    write_elements(x, [&](auto* to) { mpi::broadcast(to, x.size(), root, group); });
  });
  return stream;
}

/// Messages between a stage and its neighbours. Sending does not block, so that two neighbours that
/// send each other large streams do not deadlock.
class StageMail {
 public:
  StageMail(Group const& group, std::shared_ptr<Topology const> mesh, Call const& call)
      : group_(group),
        mesh_(std::move(mesh)),
        call_(call),
        outbox_(group, call),
        inbox_(group, call) {}

  /// Sends the stream of a micro-batch to the next stage.
  template <StreamType Stream>
  void send_stream(Stream const& stream, int micro_batch) {
    auto const layout = std::make_shared<Layout>(layout_of(stream, micro_batch));
    outbox_.send(layout, layout->data(), std::ssize(*layout), group_.rank() + 1, stream_layout_tag);
    for_each_tensor(stream, [&](auto const& x) { outbox_.send(x, group_.rank() + 1, stream_tag); });
    outbox_.is_done();
  }
  /// Receives the stream of a micro-batch from the previous stage. Throws `CommunicationError` if
  /// that stage sent the stream of another.
  template <StreamType Stream>
  Stream receive_stream(int micro_batch) {
    auto const layout = std::make_shared<Layout>(layout_length<Stream>);
    receive(layout, layout->data(), std::ssize(*layout), group_.rank() - 1, stream_layout_tag);
    check_layout<Stream>(*layout, micro_batch);
    Stream stream = blank<Stream>(*layout, mesh_);
    for_each_tensor(stream, [&](auto& x) { x = received(x, group_.rank() - 1, stream_tag); });
    return stream;
  }

  /// Sends the adjoint of a stream to the previous stage.
  template <StreamType Stream>
  void send_adjoint(Stream const& adjoint) {
    tree::for_each([&](auto const& x) { outbox_.send(x, group_.rank() - 1, adjoint_tag); },
                   adjoint);
    outbox_.is_done();
  }
  /// Receives the adjoint of a stream from the next stage.
  template <StreamType Stream>
  Stream receive_adjoint(Stream const& stream) {
    return tree::map(
        [&](auto const& like) { return received(like, group_.rank() + 1, adjoint_tag); }, stream);
  }

  void finish() { outbox_.wait(); }

 private:
  template <class T>
  void receive(std::shared_ptr<void const> const& kept, T* to, std::int64_t count, int from,
               int tag) {
    inbox_.receive(kept, to, count, from, tag);
    inbox_.wait();
  }
  /// Receives a tensor with the sizes of `like`.
  template <TensorType X>
  X received(X const& like, int from, int tag) {
    using T = typename X::value_type;
    using Host = std::conditional_t<X::device::is_host, X, Tensor<T, X::spec>>;
    auto const host = std::make_shared<Host>(Host::uninitialised(like.sizes()));
    receive(host, host->own_memory(), host->size(), from, tag);
    if constexpr (X::device::is_host) return std::move(*host);
    else return to<typename X::device>(*host);
  }
  template <StreamType Stream>
  void check_layout(Layout const& layout, int micro_batch) const {
    if (layout[0] == micro_batch && layout[1] == stream_fingerprint<Stream>()) return;
    fail<CommunicationError>(
        {call_.operation, "the stream of the stage before",
         "this stage's type, micro-batch " + std::to_string(micro_batch),
         (layout[0] == micro_batch ? "another type, micro-batch " : "micro-batch ") +
             std::to_string(layout[0])});
  }

  Group const& group_;
  std::shared_ptr<Topology const> mesh_;
  Call const& call_;
  Transfers outbox_, inbox_;
};

}  // namespace tenon::internal::mpi
