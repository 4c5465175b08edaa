// Files tokenizer.json that are not, or that ask for what Tokenizer does not do.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "folder.hpp"
#include "tokenizer_files.hpp"

#include <tenon/io/tokenizer.hpp>

namespace tokenizer_malformed_test {

using namespace tenon;
using namespace tokenizer_files;

std::string message_of(std::string const& text) {
  return words_of<FileError>([&] { Tokenizer::from_text(text, "t"); });
}

struct Malformed {
  std::string text;
  std::string words;
};

void check_all(std::vector<Malformed> const& files) {
  for (Malformed const& file : files) {
    std::string const shown = file.text.substr(0, 200);
    CAPTURE(shown);
    std::string const found = message_of(file.text);
    std::string const start = "tenon::load: " + file.words + " (t";
    CHECK(found.substr(0, start.size()) == start);
    CHECK(found.find('\n') == std::string::npos);
  }
}

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST_CASE("a tokenizer.json that is not JSON, or without its parts, throws") {
  check_all({
      {"", "expected '{', got the end of the file"},
      {"[]", "expected '{', got '['"},
      {"{", "expected a string, got the end of the file"},
      {"{}", "'decoder': expected a value, got none"},
      {"{} x", "expected nothing more, got 'x'"},
      {R"({"a":1})", "expected a part of tokenizer.json, got 'a'"},
      {R"({"version":"1.0","version":"1.0"})", "expected every name once, got 'version' again"},
      {R"({"version":)" + repeated("[", 100000), "expected at most 64 nested values, got more"},
      {R"({"version":)" + repeated(R"({"a":)", 100000),
       "expected at most 64 nested values, got more"},
      {R"({"version":{"a":1,"a":2}})", "expected every name once, got 'a' again"},
      {R"({"version":tru})", "expected true, got 't'"},
      {R"({"version":1.e5})", "expected a number, got 'e'"},
      {R"({"version":"\x"})", "expected an escape of JSON, got 'x'"},
      {R"({"decoder":{"type":"ByteLevel"}})", "'model': expected a value, got none"},
      {R"({"decoder":{"type":"ByteLevel"},"model":{}})",
       "'model.vocab': expected a value, got none"},
      {R"({"decoder":{"type":"ByteLevel"},"model":{"vocab":{}}})",
       "'model.merges': expected a value, got none"},
      {R"({"decoder":{"type":"ByteLevel"},"model":{"vocab":{},"merges":[]}})",
       "'model.vocab': expected a token for each byte, '\u0100' among them, got none"},
      {R"({"model":[]})", "expected '{', got '['"},
      {R"({"model":{"vocab":[]}})", "expected '{', got '['"},
      {R"({"model":{"vocab":{"a":-1}}})", "expected a whole number, got '-'"},
      {R"({"model":{"vocab":{"a":1.5}}})", "expected a whole number, got '.'"},
      {R"({"model":{"vocab":{"a":"1"}}})", "expected a whole number, got '\"'"},
      {R"({"model":{"vocab":{"a":2147483648}}})", "expected a number below 2^31, got 2147483648"},
      {R"({"model":{"vocab":{"a":99999999999999999999}}})",
       "expected a number below 2^63, got 99999999999999999999"},
      {R"({"model":{"vocab":{"a":1,"a":2}}})", "expected every token once, got 'a' again"},
      {R"({"model":{"vocab":{"a":1,"b":1}}})", "expected every number once, got 1 again"},
      {R"({"model":{"size":1}})", "expected a part of a model of BPE, got 'size'"},
      {R"({"model":{"type":"BPE","type":"BPE"}})", "expected every name once, got 'type' again"},
      {R"({"model":{"merges":{}}})", "expected '[', got '{'"},
      {R"({"model":{"merges":[1]}})", "expected a string, got '1'"},
      {R"({"model":{"merges":["ab"]}})", "expected two tokens with a space between, got 'ab'"},
      {R"({"model":{"merges":["a b c"]}})",
       "expected two tokens with a space between, got 'a b c'"},
      {R"({"model":{"merges":[["a"]]}})", "expected two tokens, got 1"},
      {R"({"model":{"merges":[["a","b","c"]]}})", "expected two tokens, got 3"},
      {R"({"model":{"merges":[["a",1]]}})", "expected a string, got '1'"},
  });
}

TEST_CASE("a model that is no byte-level BPE throws") {
  check_all({
      {text_of({.model = R"("type":"WordPiece",)"}),
       "'model.type': expected \"BPE\", got \"WordPiece\""},
      {text_of({.model = R"("type":1,)"}), "'model.type': expected a string, got 1"},
      {text_of({.model = R"("dropout":0.1,)"}), "'model.dropout': expected null, got 0.1"},
      {text_of({.model = R"("byte_fallback":true,)"}),
       "'model.byte_fallback': expected false, got true"},
      {text_of({.model = R"("byte_fallback":1,)"}),
       "'model.byte_fallback': expected true or false, got 1"},
      {text_of({.model = R"("ignore_merges":"no",)"}),
       "'model.ignore_merges': expected true or false, got \"no\""},
      {text_of({.model = R"("continuing_subword_prefix":"##",)"}),
       "'model.continuing_subword_prefix': expected null or \"\", got \"##\""},
      {text_of({.model = R"("end_of_word_suffix":"</w>",)"}),
       "'model.end_of_word_suffix': expected null or \"\", got \"</w>\""},
      {text_of({.merges = R"(["a b"])"}),
       "'model.merges.0': expected tokens of the vocabulary, got 'ab'"},
      {text_of({.vocabulary = R"(,"ab":256)", .merges = R"(["a b","x yz"])"}),
       "'model.merges.1': expected tokens of the vocabulary, got 'yz'"},
      {text_of({.merges = R"([["","a"]])"}),
       "'model.merges.0': expected tokens of the vocabulary, got ''"},
      {text_of({.merges = R"([["\u001b[31m","a"]])"}),
       "'model.merges.0': expected tokens of the vocabulary, got '\\x1b[31m'"},
  });
}

TEST_CASE("parts of a tokenizer that would change tokens throw") {
  std::string const regex(llama3_regex);
  check_all({
      {text_of({.normalizer = R"({"type":"NFC"})"}), "'normalizer': expected null, got an object"},
      {text_of({.others = R"("truncation":{"max_length":8},)"}),
       "'truncation': expected null, got an object"},
      {text_of({.others = R"("padding":true,)"}), "'padding': expected null, got true"},
      {text_of({.decoder = "null"}), "'decoder': expected a value, got none"},
      {text_of({.decoder = "[]"}), "'decoder': expected an object, got an array"},
      {text_of({.decoder = R"({"type":"WordPiece"})"}),
       "'decoder.type': expected \"ByteLevel\", got \"WordPiece\""},
      {text_of({.words = "null"}), "'pre_tokenizer': expected a value, got none"},
      {text_of({.words = R"({"type":"Whitespace"})"}),
       "'pre_tokenizer.type': expected \"ByteLevel\", or a \"Sequence\" of a \"Split\" and it, got "
       "\"Whitespace\""},
      {text_of({.words = R"({"type":"ByteLevel"})"}),
       "'pre_tokenizer.add_prefix_space': expected a value, got none"},
      {text_of({.words = R"({"type":"ByteLevel","add_prefix_space":0})"}),
       "'pre_tokenizer.add_prefix_space': expected true or false, got 0"},
      {text_of({.words = R"({"type":"ByteLevel","add_prefix_space":false,"use_regex":false})"}),
       "'pre_tokenizer': expected a regular expression for words, got an object"},
      {text_of({.words = R"({"type":"Sequence","pretokenizers":[]})"}),
       "'pre_tokenizer': expected a regular expression for words, got an object"},
      {text_of({.words = R"({"type":"Sequence","pretokenizers":[{"type":"Sequence"}]})"}),
       "'pre_tokenizer.pretokenizers.0.type': expected \"ByteLevel\", or a \"Sequence\" of a "
       "\"Split\" and it, got \"Sequence\""},
      {text_of({.words = R"({"type":"Sequence","pretokenizers":[)" + Parts{}.words + "," +
                         Parts{}.words + "]}"}),
       "'pre_tokenizer.pretokenizers.1': expected nothing after ByteLevel, got an object"},
      {text_of({.words = split(".")}),
       "'pre_tokenizer.pretokenizers.0.pattern.Regex': expected the regular expression of GPT-2 or "
       "of Llama 3, got \".\""},
      {text_of({.words = split("(a+)+$")}),
       "'pre_tokenizer.pretokenizers.0.pattern.Regex': expected the regular expression of GPT-2 or "
       "of Llama 3, got \"(a+)+$\""},
      {text_of({.words = split(regex, "Removed")}),
       "'pre_tokenizer.pretokenizers.0.behavior': expected \"Isolated\", got \"Removed\""},
      {text_of({.words = split(regex, "Isolated", "true")}),
       "'pre_tokenizer.pretokenizers.0.invert': expected false, got true"},
      {text_of({.words = split(regex, "Isolated", "false", "true")}),
       "'pre_tokenizer.pretokenizers.1.add_prefix_space': expected false after a Split, got true"},
      {text_of({.processor = R"({"type":"BertProcessing"})"}),
       "'post_processor.type': expected \"ByteLevel\", \"TemplateProcessing\" or a \"Sequence\" of "
       "them, got \"BertProcessing\""},
      {text_of({.processor = R"({"type":"Sequence","processors":[{"type":"Sequence"}]})"}),
       "'post_processor.processors.0.type': expected no Sequence in another, got \"Sequence\""},
  });
}

TEST_CASE("added tokens and templates that do not fit throw") {
  check_all({
      {text_of({.added = "{}"}), "'added_tokens': expected an array, got an object"},
      {text_of({.added = "[1]"}), "'added_tokens.0': expected an object, got 1"},
      {text_of({.added = "[{}]"}), "'added_tokens.0.id': expected a value, got none"},
      {text_of({.added = R"([{"id":256,"content":"x"}])"}),
       "'added_tokens.0.special': expected a value, got none"},
      {text_of({.added = added("-1", R"("<b>")")}),
       "'added_tokens.0.id': expected a whole number from 0 to 2147483647, got -1"},
      {text_of({.added = added("1e3", R"("<b>")")}),
       "'added_tokens.0.id': expected a whole number of 64 bits, got 1e3"},
      {text_of({.added = added("256", R"("")")}),
       "'added_tokens.0.content': expected a text, got \"\""},
      {text_of({.added = added("256", "null")}),
       "'added_tokens.0.content': expected a value, got none"},
      {text_of({.added = added("97", R"("<b>")")}),
       "'added_tokens.0.id': expected a number that no token has, got 97"},
      {text_of({.added = added("256", R"("a")")}),
       "'added_tokens.0.id': expected 97, the token of that text, got 256"},
      {text_of({.added = R"([{"id":256,"content":"x1","special":true},)"
                         R"({"id":256,"content":"x1","special":true}])"}),
       "'added_tokens.1.content': expected every token once, got \"x1\""},
      {text_of({.added = added("256", R"("<b>")", R"(,"lstrip":true)")}),
       "'added_tokens.0.lstrip': expected false, got true"},
      {text_of({.added = added("256", R"("<b>")", R"(,"rstrip":true)")}),
       "'added_tokens.0.rstrip': expected false, got true"},
      {text_of({.added = added("256", R"("<b>")", R"(,"single_word":true)")}),
       "'added_tokens.0.single_word': expected false, got true"},
      {text_of({.processor = llama3_template(R"([{"SpecialToken":{"id":"<b>"}}])")}),
       "'post_processor.special_tokens.<b>.ids.0': expected a token, got 256"},
      {text_of({.processor = llama3_template(R"([])")}),
       "'post_processor.single': expected a Sequence A, got an array"},
      {text_of({.processor = llama3_template(R"([{"Sequence":{"id":"B"}}])")}),
       "'post_processor.single.0.Sequence': expected A, once, got an object"},
      {text_of(
           {.processor = llama3_template(R"([{"Sequence":{"id":"A"}},{"Sequence":{"id":"A"}}])")}),
       "'post_processor.single.1.Sequence': expected A, once, got an object"},
      {text_of({.processor = llama3_template(R"([{"SpecialToken":{"id":"<c>"}}])")}),
       "'post_processor.special_tokens.<c>': expected a value, got none"},
      {text_of({.processor = llama3_template(R"([{"Other":{}}])")}),
       "'post_processor.single.0.SpecialToken': expected a value, got none"},
      {text_of({.processor = llama3_template(R"([{"SpecialToken":{"id":"<b>"}}])", "256")}),
       "'post_processor.special_tokens.<b>.ids': expected an array, got 256"},
      {text_of({.processor = R"({"type":"Sequence","processors":[)" +
                             llama3_template(R"([{"Sequence":{"id":"A"}}])") + "," +
                             llama3_template(R"([{"Sequence":{"id":"A"}}])") + "]}"}),
       "'post_processor.processors.1': expected one template, got an object"},
  });
}

TEST_CASE("every truncation of a tokenizer.json throws") {
  std::string const text =
      text_of({.added = added("256", R"("<b>")"), .words = split(llama3_regex)});
  for (std::size_t size = 0; size < text.size(); size += 11)
    CHECK(message_of(text.substr(0, size)) != "nothing");
}

TEST_CASE("a change of any byte of a tokenizer.json gives an error or a tokenizer") {
  std::string const text =
      text_of({.added = added("256", R"("<b>")"), .words = split(llama3_regex)});
  for (std::size_t at = 0; at < text.size(); at += 11) {
    for (char const byte : {'\0', '"', '9', '{', ']', ',', '\\', '\xff'}) {
      std::string changed = text;
      changed[at] = byte;
      std::string const found = message_of(changed);
      CHECK((found == "nothing" || found.starts_with("tenon::load: ")));
    }
  }
}

TEST_CASE("a file that is not there, or not UTF-8, throws") {
  Folder const folder;
  auto const load = [&] { Tokenizer(folder / "t"); };
  CHECK(words_of<FileError>(load) ==
        "tenon::load: expected a file that can be read, got No such file or directory (t)");
  write_bytes(folder / "t", "{\"\xff");
  CHECK(words_of<FileError>(load) ==
        "tenon::load: expected a text of UTF-8, got other bytes (t, byte 2)");
}

}  // namespace tokenizer_malformed_test
