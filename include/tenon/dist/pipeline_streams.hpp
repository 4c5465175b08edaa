#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include <tenon/dist/pipeline_layout.hpp>
#include <tenon/dist/shift.hpp>
#include <tenon/eval/move_to.hpp>

/// What goes from stage to stage of a pipeline.
namespace tenon::mpi {

inline constexpr int stream_tag = 30010, stream_layout_tag = 30011, adjoint_tag = 30012;

/// What was sent, kept until it has arrived: who sends does not wait, so that two neighbours that
/// send each other large streams do not wait for each other.
class Outbox {
 public:
  Outbox(Group const& group, Call const& call) : group_(group), call_(call) {}
  Outbox(Outbox const&) = delete;
  Outbox& operator=(Outbox const&) = delete;
  /// Where an exception is on its way MPI may still read what was sent: it is left to it.
  ~Outbox() {
    if (!parcels_.empty()) (void)new (std::nothrow) std::deque<Parcel>(std::move(parcels_));
  }

  /// `count` elements that `kept` keeps.
  template <class T>
  void send(std::shared_ptr<void const> kept, T const* data, std::int64_t count, int to, int tag) {
    tally(Sends::exchange, bytes_in<T>(count), 0);
    in_pieces(count, [&](std::int64_t first, int n) {
      Parcel& parcel = parcels_.emplace_back(Parcel{kept, {}});
      check(MPI_Isend(data + first, n, type_of<T>(), to, tag, group_.handle(), &parcel.request),
            call_.operation);
    });
  }
  template <TensorType X>
  void send(X const& x, int to, int tag) {
    if constexpr (X::device::is_host) {
      auto const kept = std::make_shared<X const>(x);
      send(kept, kept->data(), kept->size(), to, tag);
    } else {
      send(eval(tenon::to<Cpu>(x)), to, tag);
    }
  }

  /// Lets go of what has arrived.
  void look() {
    while (!parcels_.empty()) {
      int done = 0;
      check(MPI_Test(&parcels_.front().request, &done, MPI_STATUS_IGNORE), call_.operation);
      if (done == 0) return;
      parcels_.pop_front();
    }
  }
  /// Waits until all has arrived.
  void finish() {
    for (; !parcels_.empty(); parcels_.pop_front())
      mpi::finish(parcels_.front().request, group_, call_);
  }

 private:
  struct Parcel {
    std::shared_ptr<void const> kept;
    MPI_Request request{};
  };

  Group const& group_;
  Call const& call_;
  std::deque<Parcel> parcels_;
};

/// Lets `f` write the elements of a tensor, of one on a device by way of the host.
template <TensorType X, class F>
void write_elements(X& x, F const& f) {
  if constexpr (X::device::is_host) {
    f(x.mutable_data());
  } else {
    Tensor<typename X::value_type, X::spec> host = to<Cpu>(x);
    f(host.mutable_data());
    x = to<typename X::device>(host);
  }
}

/// A stream of rank `root`, on all ranks of the group; the others give any.
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

/// A stage's letters to its neighbours, and theirs.
class StageMail {
 public:
  StageMail(Group const& group, std::shared_ptr<Topology const> mesh, Call const& call)
      : group_(group), mesh_(std::move(mesh)), call_(call), outbox_(group, call) {}

  /// The stream of a micro-batch to the next stage.
  template <StreamType Stream>
  void send_stream(Stream const& stream, int micro_batch) {
    auto const layout = std::make_shared<Layout>(layout_of(stream, micro_batch));
    outbox_.send(layout, layout->data(), std::ssize(*layout), group_.rank() + 1, stream_layout_tag);
    for_each_tensor(stream, [&](auto const& x) { outbox_.send(x, group_.rank() + 1, stream_tag); });
    outbox_.look();
  }
  /// The stream of a micro-batch from the stage before. Throws `CommunicationError` where that
  /// sends another.
  template <StreamType Stream>
  Stream receive_stream(int micro_batch) {
    Layout layout(layout_length<Stream>);
    receive(layout.data(), std::ssize(layout), group_.rank() - 1, stream_layout_tag);
    check_layout<Stream>(layout, micro_batch);
    Stream stream = blank<Stream>(layout, mesh_);
    for_each_tensor(stream, [&](auto& x) { receive(x, group_.rank() - 1, stream_tag); });
    return stream;
  }

  /// The adjoint of a stream to the stage that it came from.
  template <StreamType Stream>
  void send_adjoint(Stream const& adjoint) {
    tree::for_each([&](auto const& x) { outbox_.send(x, group_.rank() - 1, adjoint_tag); },
                   adjoint);
    outbox_.look();
  }
  /// The adjoint of a stream that the next stage has.
  template <StreamType Stream>
  Stream receive_adjoint(Stream const& stream) {
    return tree::map(
        [&]<class X>(X const& like) {
          X adjoint = X::uninitialised(like.sizes());
          receive(adjoint, group_.rank() + 1, adjoint_tag);
          return adjoint;
        },
        stream);
  }

  void finish() { outbox_.finish(); }

 private:
  template <class T>
  void receive(T* to, std::int64_t count, int from, int tag) {
    tally(Sends::exchange, 0, bytes_in<T>(count));
    in_pieces(count, [&](std::int64_t first, int n) {
      MPI_Request request{};
      check(MPI_Irecv(to + first, n, type_of<T>(), from, tag, group_.handle(), &request),
            call_.operation);
      mpi::finish(request, group_, call_);
    });
  }
  template <TensorType X>
  void receive(X& x, int from, int tag) {
    write_elements(x, [&](auto* to) { receive(to, x.size(), from, tag); });
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
  Outbox outbox_;
};

}  // namespace tenon::mpi
