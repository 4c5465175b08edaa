#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/distributed/collectives/along.hpp>
#include <tenon/distributed/communication/sent_values.hpp>
#include <tenon/distributed/communication/transfers.hpp>

/// Point-to-point transfers and ring shifts.
namespace tenon {

/// Boundary condition: periodic (ring), or open (zeros). MPI: the `periods` of `MPI_Cart_create`.
enum class Ends { ring, boundary };

}  // namespace tenon

namespace tenon::internal {

namespace mpi {

inline constexpr int header_tag = 30000, sizes_tag = 30002;

/// The header sent before a value: its type and its sizes.
struct Header {
  Sizes sizes = unit_sizes();
  char text[192] = {};
  std::int64_t element_bytes = 0;

  bool operator==(Header const& other) const {
    return std::string_view(text) == std::string_view(other.text);
  }
};

template <TensorType X>
Header header_of(Sizes const& sizes) {
  Header header{sizes, {}, sizeof(typename X::value_type)};
  std::string text(dtype_name<typename X::value_type>);
  text.append(" \"").append(X::spec.view()).append("\"").copy(header.text, 191);
  return header;
}

/// The sizes on rank `from`, while this rank sends its own to `to`; -1: no rank, `sizes`.
inline Sizes shifted_sizes(Sizes const& own, int to, int from, Sizes sizes, Group const& group) {
  auto const rank_of = [](int rank) { return rank < 0 ? MPI_PROC_NULL : rank; };
  constexpr std::int64_t bytes = sizeof(Sizes);
  tally(Sends::agreement, to < 0 ? 0 : bytes, from < 0 ? 0 : bytes);
  Watched const watched("shift", &group.communicator().last());
  check(MPI_Sendrecv(own.data(), max_rank, MPI_INT64_T, rank_of(to), sizes_tag, sizes.data(),
                     max_rank, MPI_INT64_T, rank_of(from), sizes_tag, group.handle(),
                     MPI_STATUS_IGNORE),
        "shift");
  return sizes;
}

/// The value of rank `from`, while this rank sends its own to `to`; -1: no rank, zeros of `sizes`.
template <TensorType X>
X shifted(X const& x, int to, int from, Sizes sizes, Group const& group) {
  using T = typename X::value_type;
  if constexpr (!X::shape.is_static()) sizes = shifted_sizes(x.sizes(), to, from, sizes, group);
  X result = X::uninitialised(sizes);
  std::fill_n(result.own_memory(), from < 0 ? result.size() : 0, T{});
  Block<T const> const sent{x.data(), to < 0 ? 0 : x.size(), to};
  Block<T> const received{result.own_memory(), from < 0 ? 0 : result.size(), from};
  exchange<T>(std::span(&sent, 1), std::span(&received, 1), group);
  return result;
}

/// The rank at distance `by`; -1 beyond an open end.
inline int further(int rank, int by, int size, Ends ends) {
  int const to = rank + by;
  if (ends == Ends::ring) return ((to % size) + size) % size;
  return to < 0 || to >= size ? -1 : to;
}

/// Shifts the values of a group by `by` ranks. Zeros have sizes `beyond`.
template <TensorType X>
X shifted_by(X const& x, int by, Ends ends, Sizes const& beyond, Group const& group,
             Call const& call) {
  agree(group, call);
  int const to = further(group.rank(), by, group.size(), ends);
  int const from = further(group.rank(), -by, group.size(), ends);
  if (group.size() == 1) return to < 0 ? zeros_as(x) : x;
  return shifted(x, to, from, beyond, group);
}

inline void check_rank(std::string_view who, int rank, Group const& group) {
  if (rank < 0 || rank >= group.size() || rank == group.rank())
    fail<ValueError>({who, "rank",
                      std::string("another rank of group '").append(group.name()) + "'",
                      std::to_string(rank)});
}

}  // namespace mpi

/// Sends `x` to the rank `by` further in the group, and returns the value of the rank as far
/// before: periodic, or with open ends, which give zeros. For halos, ring attention, pipeline
/// stages. Sizes may differ between ranks. Differentiable. Throws `CommunicationError`. JAX:
/// `ppermute`.
template <Expression X>
auto shift(X&& x, int by, Group const& group, Ends ends = Ends::ring,
           mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return mpi::on_host(
      [&](auto const& value) {
        using V = Unqualified<decltype(value)>;
        auto call = mpi::with_gradient_of(
            mpi::call_of("shift", ends == Ends::ring ? "ring" : "open", value, where, by), value);
        call.sizes.fill(dynamic);
        return mpi::linear(
            [=](V const& v) { return mpi::shifted_by(v, by, ends, v.sizes(), group, call); },
            [=](V const& dy, V const&, V const& v) {
              return mpi::shifted_by(dy, -by, ends, v.sizes(), group, mpi::gradient_of(call));
            },
            value);
      },
      std::forward<X>(x));
}
template <class... X>
auto shift(X const&...) -> FirstMistake<X...>;

namespace mpi {

/// Sends a header, then the value.
template <TensorType X>
void send_value(X const& x, int to, Group const& group, Call const& call) {
  Transfers transfers(group, call, header_tag);
  auto const header = std::make_shared<Header>(header_of<X>(x.sizes()));
  transfers.send(header, reinterpret_cast<std::uint8_t const*>(header.get()), sizeof(Header), to, 0,
                 Sends::agreement);
  transfers.send(x, to, 1);
  auto& sent = sent_values()[group.world_ranks()[static_cast<std::size_t>(to)]];
  ++sent.sent, sent.last = call;
  transfers.wait();
}

/// Receives and discards a value of an unexpected type, then throws.
[[noreturn]] inline void refuse_value(Transfers& transfers, Header const& header,
                                      std::string_view expected, int from) {
  std::int64_t const bytes = count(header.sizes, max_rank) * header.element_bytes;
  auto const unwanted = std::make_shared<Room<std::uint8_t>>(bytes);
  transfers.receive(unwanted, unwanted->get(), bytes, from, 1);
  transfers.wait();
  fail<CommunicationError>(
      {"receive", {}, expected, std::string(header.text) + " from rank " + std::to_string(from)});
}

template <TensorType R>
R receive_value(int from, Group const& group, Call const& call) {
  Transfers transfers(group, call, header_tag);
  auto const header = std::make_shared<Header>();
  transfers.receive(header, reinterpret_cast<std::uint8_t*>(header.get()), sizeof(Header), from, 0,
                    Sends::agreement);
  transfers.wait();
  ++sent_values()[group.world_ranks()[static_cast<std::size_t>(from)]].received;
  auto const expected = header_of<R>(header->sizes);
  if (*header != expected) refuse_value(transfers, *header, expected.text, from);
  auto const result = std::make_shared<R>(R::uninitialised(header->sizes));
  transfers.receive(result, result->own_memory(), result->size(), from, 1);
  transfers.wait();
  return std::move(*result);
}

}  // namespace mpi

/// Sends the value to a rank of the group, which calls `receive`. Point-to-point, without a
/// gradient. Throws `CommunicationError`. PyTorch: `send`.
template <Expression X>
void send(X&& x, int to, Group const& group,
          mpi::SourceLocation where = mpi::SourceLocation::current()) {
  mpi::check_rank("send", to, group);
  mpi::on_host(
      [&](auto const& value) {
        mpi::send_value(value, to, group, mpi::call_of("send", {}, value, where, to));
        return value;
      },
      std::forward<X>(x));
}

/// Receives a tensor of type `R` from rank `from` of the group. Throws `CommunicationError` if a
/// value of another type was sent. PyTorch: `recv`.
template <TensorType R>
  requires R::device::is_host
R receive(int from, Group const& group,
          mpi::SourceLocation where = mpi::SourceLocation::current()) {
  mpi::check_rank("receive", from, group);
  constexpr std::string_view dtype = dtype_name<typename R::value_type>;
  return mpi::receive_value<R>(
      from, group, {"receive", {}, dtype, R::spec.view(), unit_sizes(), 0, from, where});
}

}  // namespace tenon::internal

namespace tenon {

using internal::receive;
using internal::send;
using internal::shift;

}  // namespace tenon
