// Memory, devices, and what results depend on.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../backend/toy_device.hpp"

#include <tenon/train/inspect.hpp>

namespace inspect_machine_test {

using namespace tenon;
using namespace tenon::training;

namespace {

struct Absent {
  static constexpr std::string_view name = "absent";
  static constexpr bool is_host = false;
};

std::vector<std::string> lines;
void keep_line(std::string const& line) { lines.push_back(line); }

}  // namespace

TEST_CASE("the peak of memory is that of live buffers, until it is reset") {
  reset_peak_memory();
  MemoryStatistics const before = memory_statistics();
  CHECK(before.peak_bytes_in_use == before.bytes_in_use);
  { auto const x = ones<Float32<"n">>(1'000'000); }
  MemoryStatistics const after = memory_statistics();
  CHECK(after.bytes_in_use == before.bytes_in_use);
  CHECK(after.peak_bytes_in_use >= before.bytes_in_use + 4'000'000);
  CHECK(after.peak_bytes_in_use <= before.bytes_in_use + 5'000'000);
  CHECK(after.allocations == before.allocations + 1);
  CHECK(after.device == "cpu");
  reset_peak_memory();
  CHECK(memory_statistics().peak_bytes_in_use == before.bytes_in_use);
}

TEST_CASE("memory as text") {
  MemoryStatistics const x{.device = "cuda",
                           .bytes_in_use = 1536,
                           .peak_bytes_in_use = 3 << 20,
                           .bytes_cached = 10,
                           .allocations = 12345,
                           .system_allocations = 2,
                           .copies_to_device = 3,
                           .bytes_to_device = 2048,
                           .copies_to_host = 1,
                           .bytes_to_host = 4};
  CHECK(x.text() ==
        "memory of cuda\n"
        "  in use              1.50 KiB\n"
        "  peak                3.00 MiB\n"
        "  cached              10 B\n"
        "  allocations         12,345\n"
        "  from the system     2\n"
        "  host to device      3 copies, 2.00 KiB\n"
        "  device to host      1 copies, 4 B\n");
}

TEST_CASE("a device that is there is chosen, another one only as a fallback; said once") {
  using List = DeviceList<Absent, Cpu, Reference>;
  lines.clear();
  auto const name = [](auto const& choice) {
    return visit_device(choice, [](auto d) { return std::string(d.name); });
  };
  CHECK(name(get_device<List>({.preferred = "reference", .say = &keep_line})) == "reference");
  CHECK(name(get_device<List>({.preferred = "absent", .fallback = true, .say = &keep_line})) ==
        "cpu");
  CHECK(name(get_device<List>({.preferred = "absent", .fallback = true, .say = &keep_line})) ==
        "cpu");
  CHECK(name(get_device<List>({.say = nullptr})) == "cpu");
  CHECK(lines == std::vector<std::string>{
                     "tenon::get_device: reference",
                     "tenon::get_device: cpu instead of 'absent', which is not available"});
}

TEST_CASE("a preferred device that is not there throws with those that are") {
  using List = DeviceList<Absent, Cpu>;
  CHECK_THROWS_WITH_AS(get_device<List>({.preferred = "absent"}),
                       "tenon::get_device: 'absent': expected one of these: cpu, got one that is "
                       "not on this machine",
                       DeviceError);
  CHECK_THROWS_WITH_AS(get_device<List>({.preferred = "tpu"}),
                       "tenon::get_device: 'tpu': expected one of these: cpu, got one that this "
                       "program does not know",
                       DeviceError);
}

TEST_CASE("the report on determinism names what bits depend on") {
  DeterminismReport report = determinism_report();
  CHECK(report.device == "cpu");
  CHECK(report.threads == threads());
  CHECK_FALSE(report.instruction_set.empty());
  report = {.device = "cpu",
            .instruction_set = "sse2",
            .fused_multiply_add = false,
            .bfloat16_products = true,
            .version = 100,
            .threads = 4};
  CHECK(report.text() ==
        "results depend on\n"
        "  device              cpu\n"
        "  instruction set     sse2\n"
        "  fused multiply-add  no\n"
        "  bfloat16 products   yes\n"
        "  version             100\n"
        "results do not depend on\n"
        "  threads             4\n"
        "  run                 any\n");
}

TEST_CASE("the memory of a device, and the copies to and from it") {
  tenon::memory::empty_cache<Toy>();
  MemoryStatistics const before = memory_statistics<Toy>();
  {
    auto const x = to<Toy>(ones<Float32<"n">>(1000));
    MemoryStatistics const during = memory_statistics<Toy>();
    CHECK(during.device == "toy");
    CHECK(during.bytes_in_use == before.bytes_in_use + 4096);
    CHECK(during.allocations == before.allocations + 1);
    CHECK(during.system_allocations == before.system_allocations + 1);
    CHECK(during.copies_to_device == before.copies_to_device + 1);
    CHECK(during.bytes_to_device == before.bytes_to_device + 4000);
    CHECK(to_vector(x)[999] == 1);
  }
  MemoryStatistics const after = memory_statistics<Toy>();
  CHECK(after.copies_to_host == before.copies_to_host + 1);
  CHECK(after.bytes_to_host == before.bytes_to_host + 4000);
  CHECK(after.bytes_in_use == before.bytes_in_use);
  CHECK(after.peak_bytes_in_use >= before.bytes_in_use + 4096);
  CHECK(after.bytes_cached == before.bytes_cached + 4096);
  reset_peak_memory<Toy>();
  CHECK(memory_statistics<Toy>().peak_bytes_in_use == before.bytes_in_use);
  tenon::memory::empty_cache<Toy>();
  CHECK(memory_statistics<Toy>().bytes_cached == 0);
}

TEST_CASE("a profiler sees the kernels of a device; checks do not read its memory") {
  {
    auto const x = to<Toy>(zeros<Float32<"n">>(1000));
    FiniteChecks const checks;
    Profiler const profiler;
    auto const y = eval(1 / x);
    REQUIRE(profiler.rows().size() == 1);
    CHECK(profiler.rows()[0].kernel == "div(_, _)");
    CHECK(profiler.rows()[0].shape == "(1000)");
  }
  tenon::memory::empty_cache<Toy>();  // LeakSanitizer does not know the toy's pointers
}

}  // namespace inspect_machine_test
