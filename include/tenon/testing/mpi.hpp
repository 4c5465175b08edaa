#pragma once

#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <tenon/distributed/communication/agree.hpp>
#include <tenon/distributed/communication/exchange.hpp>
#include <tenon/distributed/communication/world.hpp>

/// Tests over the ranks of MPI, for doctest. One file of the program defines `main`:
///
///     #define DOCTEST_CONFIG_IMPLEMENT
///     #include <tenon/testing/mpi.hpp>
///     int main(int argc, char** argv) { return tenon::testing::run_mpi_tests(argc, argv); }
///
/// In CMake, `tenon_mpi_test(NAME RANKS TARGET)` runs it by `mpiexec`.
namespace tenon::internal::testing {

/// Prints a failed assertion of a rank immediately, with the rank, as the other ranks may wait.
struct RankReporter : doctest::IReporter {
  explicit RankReporter(doctest::ContextOptions const&) {}
  static void write(std::string const& text) {
    mpi::write_to_stderr(mpi::this_rank() + ": " + text + "\n");
  }
  void log_assert(doctest::AssertData const& data) override {
    if (!data.m_failed) return;
    std::string const words = data.m_threw ? data.m_exception.c_str() : data.m_decomp.c_str();
    write(std::string(data.m_file) + ":" + std::to_string(data.m_line) + ": " + data.m_expr +
          (data.m_threw ? " threw " : " is ") + words);
  }
  void log_message(doctest::MessageData const& data) override {
    if ((data.m_severity & doctest::assertType::is_warn) != 0) return;
    write(std::string(data.m_file) + ":" + std::to_string(data.m_line) + ": " +
          data.m_string.c_str());
  }
  void test_case_exception(doctest::TestCaseException const& thrown) override {
    write(thrown.error_string.c_str());
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

/// Runs all tests of doctest on all ranks, with doctest's arguments; rank 0 prints its output,
/// every rank its failures. Returns on all ranks whether a rank failed.
inline int run_mpi_tests(int argc, char** argv) {
  doctest::registerReporter<RankReporter>("tenon_ranks", 1, false);
  return run([&](World& world) {
    std::ostringstream text;
    doctest::Context context(argc, argv);
    context.setCout(&text);
    int failed = context.run();
    if (world.rank() == 0) mpi::write_to_stderr(text.str());
    mpi::agree(world.group(), {.operation = "the end of the tests"});
    mpi::all_reduce<op::max>(&failed, 1, world.group());
    return failed;
  });
}

/// Calls `test(group)` on the first `ranks` ranks; with fewer ranks prints that it is skipped.
template <class F>
void run_on_ranks(int ranks, char const* name, F const& test) {
  World world;
  if (world.size() < ranks) {
    if (world.rank() == 0)
      mpi::write_to_stderr("skipped: " + std::string(name) + ": expected " + std::to_string(ranks) +
                           " ranks, got " + std::to_string(world.size()) + "\n");
    return;
  }
  bool const takes_part = world.rank() < ranks;
  Group const group = world.group().split(takes_part ? 0 : 1, 0, takes_part ? "test" : "idle");
  if (takes_part) test(group);
}

}  // namespace tenon::internal::testing

namespace tenon::testing {

using internal::testing::run_mpi_tests;

}  // namespace tenon::testing

/// A test case over ranks; `group` is the group of the first `ranks` of them:
/// `TENON_MPI_TEST("sums over ranks", 2) { CHECK(group.size() == 2); }`
#define TENON_MPI_TEST(name, ranks) \
  TENON_MPI_TEST_OF(DOCTEST_ANONYMOUS(tenon_mpi_test_), name, ranks)
#define TENON_MPI_TEST_OF(function, name, ranks)                                               \
  static void function(::tenon::Group const& group);                                           \
  DOCTEST_TEST_CASE(name) { ::tenon::internal::testing::run_on_ranks(ranks, name, function); } \
  static void function([[maybe_unused]] ::tenon::Group const& group)
