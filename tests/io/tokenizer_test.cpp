#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "folder.hpp"
#include "tokenizer_files.hpp"

#include <tenon/io/tokenizer.hpp>

namespace tokenizer_test {

using namespace tenon;
using namespace tokenizer_files;
using Ids = std::vector<std::int32_t>;

Tokenizer tokenizer_of(Parts const& parts) { return Tokenizer::from_text(text_of(parts), "t"); }

/// The words into which a text is split.
std::vector<std::string> words(internal::WordPattern pattern, std::string_view text) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at < text.size();) {
    auto const end = internal::word_end(pattern, text, at);
    result.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return result;
}

using Words = std::vector<std::string>;

TEST_CASE("GPT-2's regular expression splits a text into words") {
  auto const split_by = [](std::string_view text) {
    return words(internal::WordPattern::gpt2, text);
  };
  CHECK(split_by("Hello, world's 42nd!") == Words{"Hello", ",", " world", "'s", " 42", "nd", "!"});
  CHECK(split_by("a  b   ") == Words{"a", " ", " b", "   "});
  CHECK(split_by("a \n b\n") == Words{"a", " \n", " b", "\n"});
  CHECK(split_by("I'M I'm") == Words{"I", "'", "M", " I", "'m"});
  CHECK(split_by("é中٣½\u00a0x") == Words{"é中", "٣½", "\u00a0", "x"});
  CHECK(split_by("😀 👍🏽") == Words{"😀", " 👍🏽"});
}

TEST_CASE("Llama 3's regular expression splits a text into words") {
  auto const split_by = [](std::string_view text) {
    return words(internal::WordPattern::llama3, text);
  };
  CHECK(split_by("Hello,world's 12345!\n\n x") ==
        Words{"Hello", ",world", "'s", " ", "123", "45", "!\n\n", " x"});
  CHECK(split_by("I'M a'\u017f") == Words{"I", "'M", " a", "'\u017f"});
  CHECK(split_by("a \r\n \n  b") == Words{"a", " \r\n \n", " ", " b"});
  CHECK(split_by("\tx  \t y ") == Words{"\tx", "  \t", " y", " "});
}

TEST_CASE("merges are applied by rank, then from the left") {
  auto const tokenizer = tokenizer_of({.vocabulary = R"(,"ab":256,"bc":257,"abc":258,"aa":259)",
                                       .merges = R"(["b c", ["a","b"], "ab c", "a a"])"});
  CHECK(tokenizer.encode("abc") == Ids{97, 257});  // bc is merged first, and a bc is no merge
  CHECK(tokenizer.encode("ab") == Ids{256});
  CHECK(tokenizer.encode("aaa") == Ids{259, 97});
  CHECK(tokenizer.encode("aaaa") == Ids{259, 259});
  CHECK(tokenizer.encode("") == Ids{});
  CHECK(tokenizer.size() == 260);
  auto const ignoring = tokenizer_of({.model = R"("ignore_merges":true,)",
                                      .vocabulary = R"(,"bc":256,"abc":257)",
                                      .merges = R"(["b c"])"});
  CHECK(ignoring.encode("abc abcd") == Ids{257, 32, 97, 256, 100});
}

TEST_CASE("any bytes are encoded, and decoded to the same") {
  for (std::string const& pattern : {Parts{}.words, split(llama3_regex)}) {
    auto const tokenizer = tokenizer_of({.words = pattern});
    std::string all;
    for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
    for (std::string_view const text :
         {std::string_view(all), std::string_view("\xff\xfe x\xc3 \xe4\xb8 \xf0\x9f\x98"),
          std::string_view("\xed\xa0\x80 \xc0\xaf"), std::string_view("a\0b", 3)}) {
      auto const ids = tokenizer.encode(text);
      CHECK((ids.size() == text.size() && tokenizer.decode(ids) == text));
    }
  }
}

TEST_CASE("added tokens stand for themselves: the leftmost, the longest") {
  auto const tokenizer =
      tokenizer_of({.added = R"([{"id":256,"content":"<a>","special":true},)"
                             R"({"id":257,"content":"<a><b>","special":true},)"
                             R"({"id":258,"content":"to","special":false,"normalized":true},)"
                             R"({"id":259,"content":"too","special":false,"normalized":false}])"});
  CHECK(tokenizer.encode("<a>x<a><b>") == Ids{256, 'x', 257});
  CHECK(tokenizer.encode("to<a>too") == Ids{258, 256, 259});
  CHECK(tokenizer.encode("<a") == Ids{'<', 'a'});
  CHECK(tokenizer.find("<a><b>") == 257);
  CHECK(tokenizer.find("<c>") == -1);
  CHECK(tokenizer.decode(Ids{256, 258, 120}) == "tox");
  CHECK(tokenizer.decode(Ids{256, 258, 120}, true) == "<a>tox");
  CHECK(words_of<IndexError>([&] { tokenizer.decode(Ids{260}); }) ==
        "tenon::Tokenizer: 'decode': expected a token, got 260");
}

TEST_CASE("a template adds tokens, unless it is not wanted") {
  auto const tokenizer = tokenizer_of(
      {.added = added("256", R"("<b>")"),
       .words = split(llama3_regex),
       .processor = R"({"type":"Sequence","processors":[{"type":"ByteLevel"},)" +
                    llama3_template(R"([{"SpecialToken":{"id":"<b>"}},{"Sequence":{"id":"A"}},)"
                                    R"({"SpecialToken":{"id":"<b>"}}])") +
                    "]}"});
  CHECK(tokenizer.encode("x") == Ids{256, 'x', 256});
  CHECK(tokenizer.encode("x", false) == Ids{'x'});
}

TEST_CASE("a space before the text is added where the file says so") {
  auto const tokenizer = tokenizer_of({.words = R"({"type":"ByteLevel","add_prefix_space":true})"});
  CHECK(tokenizer.encode("x") == Ids{' ', 'x'});
  CHECK(tokenizer.encode(" x") == Ids{' ', 'x'});
}

TEST_CASE("a word of a million bytes is encoded in n log n steps") {
  auto const tokenizer =
      tokenizer_of({.vocabulary = R"(,"aa":256,"aaaa":257)", .merges = R"(["a a", "aa aa"])"});
  auto const ids = tokenizer.encode(std::string(1 << 20, 'a'));
  CHECK((ids.size() == (1 << 18) && ids[0] == 257));
}

}  // namespace tokenizer_test
