// sanitize: thread
// Spans: parents, attributes, errors, and the format of OpenTelemetry.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/io/json/value.hpp>
#include <tenon/train/run.hpp>

#include "../io/folder.hpp"

namespace run_span_test {

using namespace tenon;
using training::Span;
using training::Tracer;

namespace {

/// The documents of a file, a line each.
std::vector<json::Value> documents_in(std::filesystem::path const& path) {
  std::string const all = read_bytes(path);
  std::vector<json::Value> documents;
  for (std::size_t at = 0, end; (end = all.find('\n', at)) != std::string::npos; at = end + 1) {
    std::string const line = all.substr(at, end - at);
    internal::json::Reader reader(line, "spans");
    documents.push_back(internal::json::Parser(reader, "spans").read());
    reader.end();
  }
  return documents;
}

json::Value const& span_of(json::Value const& document) {
  auto const& scope = document.at("resourceSpans").elements().at(0).at("scopeSpans").elements();
  return scope.at(0).at("spans").elements().at(0);
}

/// The spans by name.
std::map<std::string, json::Value> spans_in(std::filesystem::path const& path) {
  std::map<std::string, json::Value> spans;
  for (auto const& document : documents_in(path)) {
    auto const& span = span_of(document);
    spans.emplace(span.at("name").string(), span);
  }
  return spans;
}

std::string text(json::Value const& span, std::string_view name) {
  auto const* found = span.find(name);
  return found ? found->string() : "";
}

bool is_hexadecimal(std::string const& id, std::size_t digits) {
  return id.size() == digits && id.find_first_not_of("0123456789abcdef") == id.npos &&
         id.find_first_not_of('0') != id.npos;
}

}  // namespace

TEST_CASE("spans within a span are its children") {
  Folder const folder;
  Tracer tracer(folder / "spans.jsonl");
  {
    Span const epoch(tracer, "epoch");
    { Span const step(tracer, "step 1"); }
    Span const step(tracer, "step 2");
    Span const forward(tracer, "forward");
  }
  { Span const after(tracer, "after"); }
  auto const spans = spans_in(folder / "spans.jsonl");
  REQUIRE(spans.size() == 5);
  auto const id = [&](char const* name) { return text(spans.at(name), "spanId"); };
  auto const parent = [&](char const* name) { return text(spans.at(name), "parentSpanId"); };
  CHECK(parent("epoch") == "");
  CHECK(parent("step 1") == id("epoch"));
  CHECK(parent("step 2") == id("epoch"));
  CHECK(parent("forward") == id("step 2"));
  CHECK(parent("after") == "");
}

TEST_CASE("a line is a document of OTLP: hexadecimal ids, times as strings") {
  Folder const folder;
  Tracer tracer(folder / "spans.jsonl", "my run");
  { Span const span(tracer, "a \"b\""); }
  auto const documents = documents_in(folder / "spans.jsonl");
  REQUIRE(documents.size() == 1);
  auto const& resource = documents[0].at("resourceSpans").elements().at(0).at("resource");
  auto const& service = resource.at("attributes").elements().at(0);
  CHECK(service.at("key").string() == "service.name");
  CHECK(service.at("value").at("stringValue").string() == "my run");
  auto const& span = span_of(documents[0]);
  CHECK(span.at("name").string() == "a \"b\"");
  CHECK(is_hexadecimal(text(span, "traceId"), 32));
  CHECK(is_hexadecimal(text(span, "spanId"), 16));
  CHECK(span.at("kind").integer() == 1);
  CHECK(span.at("status").at("code").integer() == 0);
  auto const begin = std::stoll(text(span, "startTimeUnixNano"));
  CHECK(begin > 1'700'000'000'000'000'000);
  CHECK(std::stoll(text(span, "endTimeUnixNano")) >= begin);
}

TEST_CASE("attributes have the kinds of OTLP") {
  Folder const folder;
  Tracer tracer(folder / "spans.jsonl");
  double const infinity = std::numeric_limits<double>::infinity();
  {
    std::string const device = "cpu";
    Span span(tracer, "epoch",
              {{"epoch", 3}, {"loss", 0.5f}, {"device", device}, {"is_last", true}});
    span.set("count", std::size_t{7});
    span.set("nan", std::nan(""));
    span.set("inf", -infinity);
    span.set("tag", "a\nb");
  }
  std::string const line = read_bytes(folder / "spans.jsonl");
  auto const begin = line.rfind("\"attributes\": ");
  CHECK(line.substr(begin, line.find(", \"status\"", begin) - begin) ==
        R"("attributes": [{"key": "epoch", "value": {"intValue": "3"}}, )"
        R"({"key": "loss", "value": {"doubleValue": 0.5}}, )"
        R"({"key": "device", "value": {"stringValue": "cpu"}}, )"
        R"({"key": "is_last", "value": {"boolValue": true}}, )"
        R"({"key": "count", "value": {"intValue": "7"}}, )"
        R"({"key": "nan", "value": {"doubleValue": "NaN"}}, )"
        R"({"key": "inf", "value": {"doubleValue": "-Infinity"}}, )"
        R"({"key": "tag", "value": {"stringValue": "a\u000ab"}}])");
}

TEST_CASE("a span that an exception leaves is an error, a later one is not") {
  Folder const folder;
  Tracer tracer(folder / "spans.jsonl");
  try {
    Span const span(tracer, "left");
    throw std::runtime_error("x");
  } catch (std::runtime_error const&) {
    Span const span(tracer, "handler");
  }
  auto const spans = spans_in(folder / "spans.jsonl");
  CHECK(spans.at("left").at("status").at("code").integer() == 2);
  CHECK(spans.at("handler").at("status").at("code").integer() == 0);
  CHECK(text(spans.at("handler"), "parentSpanId") == "");
}

TEST_CASE("a thread has spans of its own, or children of a given one") {
  Folder const folder;
  Tracer tracer(folder / "spans.jsonl");
  {
    Span const epoch(tracer, "epoch");
    std::thread([&] {
      { Span const alone(tracer, "alone"); }
      Span const child(epoch, "child");
      Span const grandchild(tracer, "grandchild");
    }).join();
  }
  auto const spans = spans_in(folder / "spans.jsonl");
  CHECK(text(spans.at("alone"), "parentSpanId") == "");
  CHECK(text(spans.at("child"), "parentSpanId") == text(spans.at("epoch"), "spanId"));
  CHECK(text(spans.at("grandchild"), "parentSpanId") == text(spans.at("child"), "spanId"));
}

TEST_CASE("parents are of the same tracer") {
  Folder const folder;
  Tracer first(folder / "1"), second(folder / "2");
  {
    Span const a(first, "a");
    Span const b(second, "b");
    Span const c(first, "c");
  }
  auto const spans = spans_in(folder / "1");
  CHECK(text(spans.at("c"), "parentSpanId") == text(spans.at("a"), "spanId"));
  CHECK(text(spans_in(folder / "2").at("b"), "parentSpanId") == "");
  CHECK(text(spans.at("a"), "traceId") != text(spans_in(folder / "2").at("b"), "traceId"));
}

TEST_CASE("threads write whole spans with different identifiers") {
  Folder const folder;
  Tracer tracer(folder / "spans.jsonl");
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) Span const span(tracer, "step", {{"i", i}});
    });
  for (auto& thread : threads) thread.join();
  std::set<std::string> ids;
  for (auto const& document : documents_in(folder / "spans.jsonl"))
    ids.insert(text(span_of(document), "spanId"));
  CHECK(ids.size() == 400);
}

TEST_CASE("without a tracer, or with one that is off, nothing is recorded") {
  Tracer off;
  CHECK_FALSE(off.is_on());
  Span span(off, "a", {{"b", 1}});
  span.set("c", 2);
  CHECK(span.id() == 0);
  training::Logger log({});
  CHECK(Span(log, "a").id() == 0);
  log.set_tracer(&off);
  CHECK(Span(log, "a").id() == 0);
  CHECK(Span(span, "a").id() == 0);
}

TEST_CASE("a span that cannot be written is lost without an exception") {
  Folder const folder;
  Tracer tracer(folder / "none" / "spans.jsonl");
  { Span const span(tracer, "a"); }
  CHECK(words_of<FileError>([&] { tracer.add({.name = "b"}); }) ==
        "tenon::Tracer: expected a file that can be written, got No such file or directory "
        "(spans.jsonl)");
}

}  // namespace run_span_test
