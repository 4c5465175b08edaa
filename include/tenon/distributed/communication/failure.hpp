#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include <tenon/distributed/communication/messages.hpp>
#include <tenon/distributed/communication/thread_in_mpi.hpp>

/// One report for an exception that many ranks throw.
namespace tenon::internal::mpi {

/// An exception thrown by all ranks of a group, as far as this rank can tell, and its own rank
/// there.
struct CommonFailure {
  std::string text;
  std::string key;  ///< The same on all ranks, even if their messages begin differently.
  int place = 0;
};
inline CommonFailure& common_failure() {
  static CommonFailure one;
  return one;
}

/// Throws on all ranks of a group.
template <class E>
[[noreturn, gnu::cold]] void throw_on_all(std::string const& text, int place,
                                          std::string const& key) {
  common_failure() = {text, key, place};
  throw E(text);
}
template <class E>
[[noreturn, gnu::cold]] void throw_on_all(std::string const& text, int place) {
  throw_on_all<E>(text, place, text);
}

/// The message by which ranks that end the job exchange the reason.
inline std::string key_of(std::string const& text) {
  std::string const& key = text == common_failure().text ? common_failure().key : text;
  return key.substr(0, sizeof(Message::text) - 1);
}

/// How long a rank waits for another that may report the same: lower ranks report first.
inline std::chrono::milliseconds report_delay_of(std::string_view text) {
  using std::chrono::milliseconds;
  if (text == common_failure().text) return milliseconds(common_failure().place == 0 ? 0 : 5000);
  return milliseconds(200 * (std::min)(session().rank, 10));
}

enum class ReportedByOthers { nothing, the_same, something_else };

/// What another rank has reported before the turn of this one.
inline ReportedByOthers reported_by_others(std::string const& text) {
  std::string const key = key_of(text);
  for (auto const until = Clock::now() + report_delay_of(text);;) {
    receive_messages("ends the job");
    auto const& all = control_messages().failures;
    if (std::ranges::find(all, key) != all.end()) return ReportedByOthers::the_same;
    if (!all.empty()) return ReportedByOthers::something_else;
    if (Clock::now() >= until) return ReportedByOthers::nothing;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// Waits, so that messages are sent and the launcher reads the output.
inline void poll_messages_for(std::chrono::milliseconds time) {
  for (auto const until = Clock::now() + time; Clock::now() < until;) {
    (void)has_sent_all();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// Ends the job with a message that other ranks may have too. One rank, the lowest if that is
/// known, prints it and ends the job; ranks with another message print its first line.
[[noreturn]] inline void end_job_once(std::string const& text) {
  ThreadInMpi const thread;
  bool const can_receive = session().size > 1 && is_running() && session().all != MPI_COMM_NULL &&
                           std::this_thread::get_id() == session().thread && thread.is_alone();
  if (!can_receive) end_job(text);
  try {
    auto const reported = reported_by_others(text);
    if (reported == ReportedByOthers::something_else)
      write_to_stderr(report_of(text.substr(0, text.find('\n'))));
    if (reported != ReportedByOthers::nothing) {
      poll_messages_for(std::chrono::seconds(5));  // the reporting rank ends the job before
      abort_job();
    }
    write_to_stderr(report_of(text));
    send_message_to_all(MessageKind::failure, key_of(text));
    poll_messages_for(std::chrono::milliseconds(200));
  } catch (...) {
    end_job(text);
  }
  abort_job();
}

}  // namespace tenon::internal::mpi
