#pragma once

#include <doctest/doctest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <tenon/distributed/communication/agree.hpp>
#include <tenon/distributed/communication/strings.hpp>
#include <tenon/distributed/communication/world.hpp>

/// Test cases that run on several ranks, for doctest. All ranks run all test cases; one file
/// defines `DOCTEST_CONFIG_IMPLEMENT` before this header, and the main function:
///
///   int main(int argc, char** argv) { return tenon::testing::run_mpi_tests(argc, argv); }
namespace tenon::internal::testing {

/// The failures of this rank.
inline std::vector<std::string>& failures() {
  static std::vector<std::string> all;
  return all;
}

/// Stores a failure, and prints it immediately, as the other ranks may be left waiting.
inline void add_failure_of_rank(std::string const& text) {
  failures().push_back(mpi::this_rank() + ": " + text + "\n");
  mpi::write_to_stderr(failures().back());
}

/// Listens to the failures of a rank.
struct RankListener : doctest::IReporter {
  explicit RankListener(doctest::ContextOptions const&) {}
  void log_assert(doctest::AssertData const& data) override {
    if (!data.m_failed || (data.m_at & doctest::assertType::is_warn) != 0) return;
    std::string const words = data.m_threw ? data.m_exception.c_str() : data.m_decomp.c_str();
    add_failure_of_rank(std::string(data.m_file) + ":" + std::to_string(data.m_line) + ": " +
                        data.m_expr + (data.m_threw ? " threw " : " is ") + words);
  }
  void log_message(doctest::MessageData const& data) override {
    if ((data.m_severity & doctest::assertType::is_warn) == 0)
      add_failure_of_rank(std::string(data.m_file) + ":" + std::to_string(data.m_line) + ": " +
                          data.m_string.c_str());
  }
  void test_case_exception(doctest::TestCaseException const& thrown) override {
    add_failure_of_rank(thrown.error_string.c_str());
  }
  void report_query(doctest::QueryData const&) override {}
  void test_run_start() override {}
  void test_run_end(doctest::TestRunStats const&) override {}
  void test_case_start(doctest::TestCaseData const&) override {}
  void test_case_reenter(doctest::TestCaseData const&) override {}
  void test_case_end(doctest::CurrentTestCaseStats const&) override {}
  void subcase_start(doctest::SubcaseSignature const&) override {}
  void subcase_end() override {}
  void test_case_skipped(doctest::TestCaseData const&) override {}
};

/// The group of the first `ranks` ranks; on the other ranks the group of these. Split once: a test
/// with subcases is entered again on the ranks that take part only.
inline std::map<int, Group>& groups() {
  static std::map<int, Group> all;
  return all;
}
inline Group const& first_ranks(World const& world, int ranks) {
  auto found = groups().find(ranks);
  if (found == groups().end()) {
    int const colour = world.rank() < ranks ? 0 : 1;
    found = groups().emplace(ranks, world.group().split(colour, world.rank(), "test")).first;
  }
  return found->second;
}

/// The failures of all ranks in order, on rank 0: empty on the others.
inline std::string collected_failures(Group const& group) {
  std::string own, all;
  for (std::string const& failure : failures()) own += failure;
  for (std::string const& text : mpi::texts_on_root(own, 0, group)) all += text;
  return all;
}

/// Runs all test cases on all ranks, with `argc` and `argv` of `main`, which it is the result of: 0
/// if all passed on all ranks. Rank 0 prints doctest's output and the failures of every rank, with
/// the rank. A rank also prints its failures at once. MPI is initialised and finalised.
inline int run_mpi_tests(int argc, char** argv) {
  return tenon::run([&](World& world) {
    std::ostringstream text;
    doctest::registerReporter<RankListener>("ranks", 1, false);
    doctest::Context context(argc, argv);
    context.setCout(&text);
    int failed = context.run();
    groups().clear();
    mpi::agree(world.group(), {.operation = "the end of the tests"});
    std::string const failures_of_all = collected_failures(world.group());
    if (world.rank() == 0) {
      if (!failures_of_all.empty()) text << "failures of all ranks:\n" << failures_of_all;
      mpi::write_to_stderr(text.str());
    }
    mpi::all_reduce<op::max>(&failed, 1, world.group());
    return failed;
  });
}

/// Calls a test case on the first `ranks` ranks, with their group. With fewer it is skipped, with a
/// message. Collective over all ranks.
template <class F>
void run_on_ranks(int ranks, F const& test_case) {
  World const world;
  if (world.size() < ranks) {
    if (world.rank() == 0)
      DOCTEST_MESSAGE("skipped: expected ", ranks, " ranks or more, got ", world.size());
    return;
  }
  Group const& group = first_ranks(world, ranks);
  if (world.rank() < ranks) test_case(group);
}

}  // namespace tenon::internal::testing

namespace tenon::testing {

using internal::testing::run_mpi_tests;

}  // namespace tenon::testing

#define TENON_MPI_TEST_AS(function, name, ranks)                                         \
  static void function(::tenon::Group const& group);                                     \
  DOCTEST_TEST_CASE(name) { ::tenon::internal::testing::run_on_ranks(ranks, function); } \
  static void function([[maybe_unused]] ::tenon::Group const& group)

/// A test case on a number of ranks; its body has their `group`:
///
///   TENON_MPI_TEST("ranks are counted", 3) { CHECK(group.size() == 3); }
#define TENON_MPI_TEST(name, ranks) \
  TENON_MPI_TEST_AS(DOCTEST_ANONYMOUS(tenon_mpi_test_), name, ranks)
