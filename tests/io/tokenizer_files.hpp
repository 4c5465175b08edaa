#pragma once

// Texts of tokenizer.json: a small one, with parts replaced.

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace tokenizer_files {

/// The members of the file, each with its text.
struct Parts {
  std::string added = "[]";
  std::string normalizer = "null";
  std::string words = R"({"type": "ByteLevel", "add_prefix_space": false})";
  std::string processor = "null";
  std::string decoder = R"({"type": "ByteLevel"})";
  std::string model = "";       // beside vocab and merges: `"type": "BPE", `
  std::string vocabulary = "";  // beside the 256 bytes, with a comma before it
  std::string merges = "[]";
  std::string others = "";  // beside these parts, with a comma after it
};

/// The 256 bytes as tokens 0 to 255, as files spell them.
inline std::string byte_vocabulary() {
  std::string text;
  char item[32];
  for (unsigned byte = 0, next = 0x100; byte < 256; ++byte) {
    bool const is_visible = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte != 0xad);
    unsigned const code = is_visible ? byte : next++;
    std::snprintf(item, sizeof item, "%s\"\\u%04x\":%u", byte == 0 ? "" : ",", code, byte);
    text += item;
  }
  return text;
}

inline std::string text_of(Parts const& parts) {
  return "{" + parts.others + "\"added_tokens\":" + parts.added +
         ",\"normalizer\":" + parts.normalizer + ",\"pre_tokenizer\":" + parts.words +
         ",\"post_processor\":" + parts.processor + ",\"decoder\":" + parts.decoder +
         ",\"model\":{" + parts.model + "\"vocab\":{" + byte_vocabulary() + parts.vocabulary +
         "},\"merges\":" + parts.merges + "}}";
}

inline std::string added(std::string_view id, std::string_view content,
                         std::string_view others = "") {
  return std::string(R"([{"id":)")
      .append(id)
      .append(R"(,"content":)")
      .append(content)
      .append(R"(,"special":true)")
      .append(others)
      .append("}]");
}

/// The pre-tokenizer of Llama 3, with parts replaced.
inline std::string split(std::string_view regex, std::string_view behavior = "Isolated",
                         std::string_view invert = "false", std::string_view prefix = "false") {
  return std::string(R"({"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":")")
      .append(regex)
      .append(R"("},"behavior":")")
      .append(behavior)
      .append(R"(","invert":)")
      .append(invert)
      .append(R"(},{"type":"ByteLevel","add_prefix_space":)")
      .append(prefix)
      .append(R"(,"use_regex":false}]})");
}

inline constexpr std::string_view llama3_regex =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}|)"
    R"( ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+)";

inline std::string llama3_template(std::string_view single, std::string_view ids = "[256]") {
  return std::string(R"({"type":"TemplateProcessing","single":)")
      .append(single)
      .append(R"(,"special_tokens":{"<b>":{"id":"<b>","ids":)")
      .append(ids)
      .append("}}}");
}

}  // namespace tokenizer_files
