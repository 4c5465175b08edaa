#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/dist/session.hpp>

/// Short messages between all ranks, independent of collectives: a rank ends the job, a rank
/// requests the state of the others, and the replies. Read by any rank that waits.
namespace tenon::mpi {

enum class News : std::int32_t { leaves, asks, answers, fails };

struct Message {
  News news = News::leaves;
  char text[508] = {};
};

/// Messages being sent; their completion is not awaited.
struct Sent {
  Message message;
  MPI_Request request = MPI_REQUEST_NULL;
};

/// Messages received from other ranks.
struct Heard {
  std::list<Sent> sent;
  std::vector<char> has_left = std::vector<char>(static_cast<std::size_t>(session().size));
  std::vector<std::string> answers = std::vector<std::string>(has_left.size());
  std::vector<std::string> last_words = std::vector<std::string>(has_left.size());
  std::vector<std::string> failures{};  ///< Why ranks end the job, truncated to message size.

  std::size_t left() const {
    std::size_t count = 0;
    for (char const one : has_left) count += static_cast<std::size_t>(one);
    return count;
  }
};

inline Heard& heard() {
  static Heard one;
  if (one.has_left.size() != static_cast<std::size_t>(session().size)) one = Heard();
  return one;
}

inline constexpr int alarm_tag = 1;

inline void tell(int rank, News news, std::string_view text = {}) {
  Sent& sent = heard().sent.emplace_back();
  sent.message.news = news;
  text.copy(sent.message.text, sizeof(sent.message.text) - 1);
  check(MPI_Isend(&sent.message, sizeof(Message), MPI_BYTE, rank, alarm_tag, session().all,
                  &sent.request),
        "World");
}

/// Frees completed sends; returns whether all have completed.
inline bool has_told_all() {
  std::erase_if(heard().sent, [](Sent& sent) {
    int done = 0;
    check(MPI_Test(&sent.request, &done, MPI_STATUS_IGNORE), "World");
    return done != 0;
  });
  return heard().sent.empty();
}

inline void tell_all(News news, std::string_view text = {}) {
  for (int rank = 0; rank < session().size; ++rank)
    if (rank != session().rank) tell(rank, news, text);
}

/// Reads received messages and replies to requests with `doing`; returns whether there was one.
inline bool listen(std::string_view doing) {
  bool asked = false;
  has_told_all();
  for (int is_there = 1; is_there != 0;) {
    MPI_Status status;
    check(MPI_Iprobe(MPI_ANY_SOURCE, alarm_tag, session().all, &is_there, &status), "World");
    if (is_there == 0) break;
    Message message;
    check(MPI_Recv(&message, sizeof(message), MPI_BYTE, status.MPI_SOURCE, alarm_tag, session().all,
                   MPI_STATUS_IGNORE),
          "World");
    auto const from = static_cast<std::size_t>(status.MPI_SOURCE);
    if (message.news == News::leaves)
      heard().has_left[from] = 1, heard().last_words[from] = message.text;
    else if (message.news == News::fails) heard().failures.emplace_back(message.text);
    else if (message.news == News::answers) heard().answers[from] = message.text;
    else asked = true, tell(status.MPI_SOURCE, News::answers, doing);
  }
  return asked;
}

}  // namespace tenon::mpi
