// Event files of TensorBoard, read by a reader of their format that shares no code with the writer.

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/run.hpp>

#include "../io/folder.hpp"

namespace summary_writer_test {

using namespace tenon;
using training::SummaryWriter;

namespace {

/// CRC-32C bit by bit, and masked as in TensorFlow's record_writer.
std::uint32_t crc_of(std::string_view bytes) {
  std::uint32_t crc = 0xffffffff;
  for (char const c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1u) != 0 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
  }
  return crc ^ 0xffffffff;
}

template <class Number>
Number take(std::string_view& bytes) {
  REQUIRE(bytes.size() >= sizeof(Number));
  Number number{};
  std::memcpy(&number, bytes.data(), sizeof number);
  bytes.remove_prefix(sizeof number);
  return number;
}

std::uint64_t take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    auto const byte = static_cast<unsigned char>(take<char>(bytes));
    value |= std::uint64_t{byte & 127u} << shift;
    if (byte < 128) return value;
  }
}

/// A field of a message of protobuf: its number, and its bits or its bytes.
struct Field {
  std::uint64_t number = 0, bits = 0;
  std::string bytes{};
};

std::vector<Field> fields_of(std::string_view bytes) {
  std::vector<Field> fields;
  while (!bytes.empty()) {
    auto const tag = take_varint(bytes);
    Field field{.number = tag >> 3};
    switch (tag & 7) {
      case 0:
        field.bits = take_varint(bytes);
        break;
      case 1:
        field.bits = take<std::uint64_t>(bytes);
        break;
      case 5:
        field.bits = take<std::uint32_t>(bytes);
        break;
      case 2: {
        auto const size = take_varint(bytes);
        REQUIRE(size <= bytes.size());
        field.bytes = bytes.substr(0, size);
        bytes.remove_prefix(size);
        break;
      }
      default:
        FAIL("a type of field that no writer uses");
    }
    fields.push_back(field);
  }
  return fields;
}

/// A field by the numbers of the fields around it.
std::optional<Field> find(std::string_view message, std::vector<std::uint64_t> const& path) {
  Field found{.bytes = std::string(message)};
  for (auto const number : path) {
    bool is_found = false;
    for (auto const& field : fields_of(found.bytes)) {
      if (field.number != number || is_found) continue;
      found = field;
      is_found = true;
      break;
    }
    if (!is_found) return std::nullopt;
  }
  return found;
}

/// The events of the only event file of a folder; their checksums are right.
std::vector<std::string> events_in(std::filesystem::path const& folder) {
  std::vector<std::string> events;
  int files = 0;
  for (auto const& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with("events.out.tfevents.")) continue;
    ++files;
    std::string const all = read_bytes(entry.path());
    for (std::string_view rest = all; !rest.empty();) {
      auto const masked = [](std::string_view bytes) {
        std::uint32_t const crc = crc_of(bytes);
        return (crc >> 15 | crc << 17) + 0xa282ead8;
      };
      auto const length_bytes = rest.substr(0, 8);
      auto const length = take<std::uint64_t>(rest);
      CHECK(take<std::uint32_t>(rest) == masked(length_bytes));
      REQUIRE(length <= rest.size());
      events.emplace_back(rest.substr(0, length));
      rest.remove_prefix(length);
      CHECK(take<std::uint32_t>(rest) == masked(events.back()));
    }
  }
  CHECK(files == 1);
  return events;
}

std::int64_t step_of(std::string const& event) {
  auto const step = find(event, {2});
  return step ? static_cast<std::int64_t>(step->bits) : 0;
}

/// "loss 3 0.5": the tag, the step and the value of a scalar.
std::string scalar_of(std::string const& event) {
  auto const tag = find(event, {5, 1, 1}), value = find(event, {5, 1, 2});
  if (!tag || !value) return "";
  float const number = std::bit_cast<float>(static_cast<std::uint32_t>(value->bits));
  return tag->bytes + " " + std::to_string(step_of(event)) + " " +
         internal::training::json_number(number);
}

std::vector<double> numbers_of(std::string_view bytes) {
  std::vector<double> numbers;
  while (!bytes.empty()) numbers.push_back(take<double>(bytes));
  return numbers;
}

struct Validation {
  double loss = 0;
  std::optional<float> accuracy{};
};

struct Metrics {
  std::int64_t epoch = 0;
  std::optional<std::int64_t> step{};
  bool is_best = false;
  std::string note{};
  Validation validation{};
};

}  // namespace

TEST_CASE("checksums are those of RFC 3720") {
  std::string rising;
  for (char i = 0; i < 32; ++i) rising += i;
  CHECK(crc_of(std::string(32, '\0')) == 0x8a9136aa);
  CHECK(crc_of(rising) == 0x46dd794e);
  CHECK(crc_of("123456789") == 0xe3069283);
}

TEST_CASE("scalars, texts and histograms are read back") {
  Folder const folder;
  {
    SummaryWriter writer(folder / "run");
    writer.add_scalar("loss", 0.1, 1);
    writer.add_scalar("loss", std::numeric_limits<double>::infinity(), 300);
    writer.add_text("config", "    seed = 1\n", 2);
    writer.add_histogram("weight", Float32<"4">{-1, 0, 0.5f, 2} * 1.0f, 7);
    writer.add_histogram("none", std::vector<double>{std::numeric_limits<double>::quiet_NaN()}, 8);
    writer.add_histogram("equal", std::vector<double>{3, 3}, 9);
  }
  auto const events = events_in(folder / "run");
  REQUIRE(events.size() == 7);
  CHECK(find(events[0], {3})->bytes == "brain.Event:2");
  CHECK(std::bit_cast<double>(find(events[0], {1})->bits) > 1.7e9);
  CHECK(scalar_of(events[1]) == "loss 1 0.1");
  CHECK(scalar_of(events[2]) == "loss 300 \"inf\"");
  CHECK(find(events[3], {5, 1, 1})->bytes == "config/text_summary");
  CHECK(find(events[3], {5, 1, 8, 1})->bits == 7);  // DT_STRING
  CHECK(find(events[3], {5, 1, 8, 2, 2, 1})->bits == 1);
  CHECK(find(events[3], {5, 1, 8, 8})->bytes == "    seed = 1\n");
  CHECK(find(events[3], {5, 1, 9, 1, 1})->bytes == "text");
  double const moments[] = {-1, 2, 4, 1.5, 5.25};
  for (std::uint64_t i = 0; i < 5; ++i)
    CHECK(std::bit_cast<double>(find(events[4], {5, 1, 5, i + 1})->bits) == moments[i]);
  auto const limits = numbers_of(find(events[4], {5, 1, 5, 6})->bytes);
  auto const counts = numbers_of(find(events[4], {5, 1, 5, 7})->bytes);
  REQUIRE(limits.size() == 30);
  REQUIRE(counts.size() == 30);
  CHECK(limits[29] == doctest::Approx(2));
  CHECK(counts[0] == 1);
  CHECK(counts[29] == 1);
  CHECK(find(events[5], {5, 1, 5, 6})->bytes.empty());
  CHECK(numbers_of(find(events[6], {5, 1, 5, 7})->bytes)[0] == 2);
}

TEST_CASE("a run gives its metrics and its configuration to TensorBoard") {
  Folder const folder;
  training::RunOptions options{.parent = folder / "runs", .console = false, .tensorboard = true};
  training::RunManager run(training::ConfigText{"seed = 1\nrate = 2\n"}, "tag", options);
  run.metrics({.epoch = 1, .step = 5, .loss = 0.5});
  run.metrics(Metrics{.epoch = 2, .is_best = true, .note = "x", .validation = {0.25, 0.75f}});
  auto const events = events_in(run.folder());
  REQUIRE(events.size() == 6);
  CHECK(find(events[1], {5, 1, 8, 8})->bytes == "    seed = 1\n    rate = 2\n    ");
  CHECK(scalar_of(events[2]) == "loss 5 0.5");
  CHECK(scalar_of(events[3]) == "is_best 2 1");
  CHECK(scalar_of(events[4]) == "validation/loss 2 0.25");
  CHECK(scalar_of(events[5]) == "validation/accuracy 2 0.75");
  run.remove_after(5);
  CHECK(step_of(events_in(run.folder()).back()) == 6);
  options.resumed = run.folder(), options.resumed_step = 5;
  training::RunManager const resumed(training::ConfigText{}, "tag", options);
  auto const again = events_in(resumed.folder());
  REQUIRE(again.size() == 2);
  CHECK(step_of(again[1]) == 6);
  CHECK(find(again[1], {7, 1})->bits == 1);  // SessionLog::START: what is from step 6 on is purged
}

TEST_CASE("a folder in which no file can be made is refused") {
  Folder const folder;
  write_bytes(folder / "file", "");
  CHECK_THROWS_AS(SummaryWriter(folder / "file"), FileError);
}

std::string digits_of(std::string_view bytes) {
  std::string digits;
  for (char const c : bytes)
    for (unsigned const shift : {4u, 0u})
      digits += "0123456789abcdef"[static_cast<unsigned char>(c) >> shift & 15u];
  return digits;
}

/// The hexadecimal digits of an event, with 1 as its time.
std::string hexadecimal(std::string event) {
  event.replace(1, 8, eight_bytes(std::bit_cast<std::uint64_t>(1.0)));
  return digits_of(event);
}

TEST_CASE("events have the bytes that tensorboard 2.21 writes") {
  Folder const folder;
  SummaryWriter writer(folder / "run");
  writer.add_scalar("loss", 0.5, 300);
  writer.add_text("t", "ab", 7);
  writer.remove_after(7);
  auto const events = events_in(folder / "run");
  REQUIRE(events.size() == 4);
  CHECK(hexadecimal(events[1]) == "09000000000000f03f10ac022a0d0a0b0a046c6f7373150000003f");
  CHECK(hexadecimal(events[2]) ==
        "09000000000000f03f10072a2a0a280a0e742f746578745f73756d6d617279420c08071204120208014202616"
        "24a080a060a0474657874");
  CHECK(hexadecimal(events[3]) == "09000000000000f03f10083a020801");
}

TEST_CASE("images are PNG files, with the bytes of Python's zlib without compression") {
  Folder const folder;
  SummaryWriter writer(folder / "run");
  writer.add_image("grey", Float32<"height=1 width=2">{{-1, 2}} * 1.0f, 1);
  writer.add_image("colour", Tensor<std::uint8_t, "3 height=1 width=1">{{{255}}, {{127}}, {{0}}},
                   2);
  CHECK_THROWS_AS(writer.add_image("five", zeros<Float32<"5 2 2">>(), 3), ShapeError);
  auto const events = events_in(folder / "run");
  REQUIRE(events.size() == 3);
  CHECK(
      digits_of(find(events[1], {5, 1, 4, 4})->bytes) ==
      "89504e470d0a1a0a0000000d4948445200000002000000010800000000d14920560000000e494441547801010300"
      "fcff0000ff01020100b7012ef70000000049454e44ae426082");
  CHECK(digits_of(find(events[2], {5, 1, 4, 4})->bytes) ==
        "89504e470d0a1a0a0000000d49484452000000010000000108020000009077"
        "53de0000000f494441547801010400fbff00ff7f0003ff017f088968e10000000049454e44ae426082");
  CHECK(find(events[2], {5, 1, 4, 2})->bits == 1);
  CHECK(find(events[2], {5, 1, 4, 3})->bits == 3);
}

TEST_CASE("for the reference: a file of events is written" * doctest::skip()) {
  char const* const folder = std::getenv("TENON_REFERENCE");
  REQUIRE(folder != nullptr);
  SummaryWriter writer(folder);
  for (int step = 1; step <= 5; ++step) writer.add_scalar("loss", 1.0 / step, step);
  writer.remove_after(2);
  writer.add_scalar("loss", 0.25, 3);
  writer.add_text("config", "seed = 1");
  writer.add_histogram("weight", std::vector<double>{1, 2, 3}, 1);
}

}  // namespace summary_writer_test
