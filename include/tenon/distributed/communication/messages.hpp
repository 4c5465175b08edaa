#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/distributed/communication/session.hpp>

/// Short messages between all ranks, independent of collectives: a rank ends the job, a rank
/// requests the state of the others, and the replies. Read by any rank that waits.
namespace tenon::internal::mpi {

enum class MessageKind : std::int32_t { left, status_request, status_reply, failure };

struct Message {
  MessageKind kind = MessageKind::left;
  char text[508] = {};
};

/// Messages being sent; their completion is not awaited.
struct Sent {
  Message message;
  MPI_Request request = MPI_REQUEST_NULL;
};

/// Messages received from other ranks.
struct Mailbox {
  std::list<Sent> sent;
  std::vector<char> has_left = std::vector<char>(static_cast<std::size_t>(session().size));
  std::vector<std::string> replies = std::vector<std::string>(has_left.size());
  std::vector<std::string> final_messages = std::vector<std::string>(has_left.size());
  std::vector<std::string> failures{};  ///< Why ranks end the job, truncated to message size.

  std::size_t left() const {
    std::size_t count = 0;
    for (char const one : has_left) count += static_cast<std::size_t>(one);
    return count;
  }
};

inline Mailbox& control_messages() {
  static Mailbox one;
  if (one.has_left.size() != static_cast<std::size_t>(session().size)) one = Mailbox();
  return one;
}

inline constexpr int message_tag = 1;

inline void send_message(int rank, MessageKind kind, std::string_view text = {}) {
  Sent& sent = control_messages().sent.emplace_back();
  sent.message.kind = kind;
  text.copy(sent.message.text, sizeof(sent.message.text) - 1);
  check(MPI_Isend(&sent.message, sizeof(Message), MPI_BYTE, rank, message_tag, session().all,
                  &sent.request),
        "World");
}

/// Frees completed sends; returns whether all have completed.
inline bool has_sent_all() {
  std::erase_if(control_messages().sent, [](Sent& sent) {
    int done = 0;
    check(MPI_Test(&sent.request, &done, MPI_STATUS_IGNORE), "World");
    return done != 0;
  });
  return control_messages().sent.empty();
}

inline void send_message_to_all(MessageKind kind, std::string_view text = {}) {
  for (int rank = 0; rank < session().size; ++rank)
    if (rank != session().rank) send_message(rank, kind, text);
}

/// Reads received messages and replies to requests with `doing`; returns whether there was one.
inline bool receive_messages(std::string_view doing) {
  bool asked = false;
  has_sent_all();
  for (int is_there = 1; is_there != 0;) {
    MPI_Status status;
    check(MPI_Iprobe(MPI_ANY_SOURCE, message_tag, session().all, &is_there, &status), "World");
    if (is_there == 0) break;
    Message message;
    check(MPI_Recv(&message, sizeof(message), MPI_BYTE, status.MPI_SOURCE, message_tag,
                   session().all, MPI_STATUS_IGNORE),
          "World");
    auto const from = static_cast<std::size_t>(status.MPI_SOURCE);
    if (message.kind == MessageKind::left)
      control_messages().has_left[from] = 1, control_messages().final_messages[from] = message.text;
    else if (message.kind == MessageKind::failure)
      control_messages().failures.emplace_back(message.text);
    else if (message.kind == MessageKind::status_reply)
      control_messages().replies[from] = message.text;
    else asked = true, send_message(status.MPI_SOURCE, MessageKind::status_reply, doing);
  }
  return asked;
}

}  // namespace tenon::internal::mpi
