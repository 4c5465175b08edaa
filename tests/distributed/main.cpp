#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include <tenon/distributed/communication/agree.hpp>
#include <tenon/distributed/communication/exchange.hpp>
#include <tenon/distributed/communication/world.hpp>

namespace {

/// Prints a failure of a rank immediately, as the other ranks may be left waiting.
struct Failures : doctest::IReporter {
  explicit Failures(doctest::ContextOptions const&) {}
  void log_assert(doctest::AssertData const& data) override {
    if (!data.m_failed) return;
    std::string const words = data.m_threw ? data.m_exception.c_str() : data.m_decomp.c_str();
    tenon::internal::mpi::write_to_stderr(tenon::internal::mpi::this_rank() + ": " + data.m_file +
                                          ":" + std::to_string(data.m_line) + ": " + data.m_expr +
                                          (data.m_threw ? " threw " : " is ") + words + "\n");
  }
  void test_case_exception(doctest::TestCaseException const& thrown) override {
    tenon::internal::mpi::write_to_stderr(tenon::internal::mpi::this_rank() + ": " +
                                          thrown.error_string.c_str() + "\n");
  }
  void report_query(doctest::QueryData const&) override {}
  void test_run_start() override {}
  void test_run_end(doctest::TestRunStats const&) override {}
  void test_case_start(doctest::TestCaseData const&) override {}
  void test_case_reenter(doctest::TestCaseData const&) override {}
  void test_case_end(doctest::CurrentTestCaseStats const&) override {}
  void subcase_start(doctest::SubcaseSignature const&) override {}
  void subcase_end() override {}
  void log_message(doctest::MessageData const&) override {}
  void test_case_skipped(doctest::TestCaseData const&) override {}
};

REGISTER_LISTENER("failures", 1, Failures);

}  // namespace

// All ranks run all tests; rank 0 prints doctest's output.
int main(int argc, char** argv) {
  return tenon::run([&](tenon::World& world) {
    std::ostringstream text;
    doctest::Context context(argc, argv);
    context.setCout(&text);
    int failed = context.run();
    if (world.rank() == 0) tenon::internal::mpi::write_to_stderr(text.str());
    tenon::internal::mpi::agree(world.group(), {.operation = "the end of the tests"});
    tenon::internal::mpi::all_reduce<tenon::op::max>(&failed, 1, world.group());
    return failed;
  });
}
