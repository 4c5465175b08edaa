// Checkpoints of another model: all entries that differ are named in one message.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/checkpoints.hpp>

#include "../io/folder.hpp"

namespace checkpoints_mismatch_test {

using namespace tenon;
using training::CheckpointManager;

namespace {

struct Saved {
  Float32<"n=2"> a;
  Float32<"n=2"> b;
  Float32<"n=2"> c;
};

/// Of `a` the shape differs, of `b` the dtype; `c` is extra and `d` missing.
struct Other {
  Float32<"n=3"> a;
  Float64<"n=2"> b;
  Float32<"n=2"> d;
};

struct Sizes {
  Float32<"word embed=4"> words;
  Float32<"step"> losses{};
};

template <class Exception, class State, class Like>
std::string words(State const& saved, Like const& like) {
  Folder const folder;
  CheckpointManager checkpoints(folder / "");
  checkpoints.save(saved, 1);
  return words_of<Exception>([&] { checkpoints.load("latest", like); });
}

}  // namespace

TEST_CASE("missing, extra, misshapen and mistyped entries are named together") {
  CHECK(words<FileError>(Saved{}, Other{}) ==
        "tenon::load: expected the entries of the tree, got 4 others: "
        "'a': expected float32 \"n=3\", got float32 \"n=2\"; "
        "'b': expected float64 \"n=2\", got float32 \"n=2\"; "
        "'d': expected float32 \"n=2\", got no tensor of that name; "
        "'c': expected no tensor of that name, got float32 \"n=2\" "
        "(checkpoint_epoch_001.safetensors)");
}

TEST_CASE("a single mismatch has the message of load") {
  struct One {
    Float32<"n=2"> a, b;
    Float32<"n=3"> c;
  };
  CHECK(words<ShapeError>(Saved{}, One{}) ==
        "tenon::load: 'c': expected float32 \"n=3\", got float32 \"n=2\" "
        "(checkpoint_epoch_001.safetensors)");
}

TEST_CASE("several mismatches of shapes alone are a ShapeError") {
  struct Longer {
    Float32<"n=2"> a;
    Float32<"n=3"> b, c;
  };
  CHECK(words<ShapeError>(Saved{}, Longer{})
            .starts_with("tenon::load: expected the entries of the tree, got 2 others: 'b': "));
}

TEST_CASE("of many mismatches eight are named, the others counted") {
  std::vector<Float32<"n=2">> const eleven(11);
  std::string const text = words<ShapeError>(eleven, std::vector<Float32<"n=3">>(11));
  CHECK(text.find("got 11 others: '0': ") != std::string::npos);
  CHECK(text.find("'7': ") != std::string::npos);
  CHECK(text.find("'8': ") == std::string::npos);
  CHECK(text.find("; and 3 more (") != std::string::npos);
}

TEST_CASE("names with control characters are escaped") {
  Folder const folder;
  CheckpointManager const checkpoints(folder / "");
  write_file(folder / "checkpoint_epoch_001.safetensors",
             R"({"\u001b[2J":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "1234");
  std::string const text = words_of<FileError>([&] { checkpoints.load("latest", Saved{}); });
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("'\\x1b[2J': expected no tensor of that name") != std::string::npos);
}

TEST_CASE("run-time sizes are those of the state, except of tensors without elements") {
  Sizes saved{zeros<Float32<"word embed=4">>(5), zeros<Float32<"step">>(3)};
  CHECK(words<ShapeError>(saved, Sizes{zeros<Float32<"word embed=4">>(6)}) ==
        "tenon::load: 'words': expected float32 \"word=6 embed=4\", got float32 \"word=5 "
        "embed=4\" (checkpoint_epoch_001.safetensors)");
  Folder const folder;
  CheckpointManager checkpoints(folder / "");
  checkpoints.save(saved, 1);
  auto const loaded = checkpoints.load("latest", Sizes{zeros<Float32<"word embed=4">>(5)});
  CHECK(loaded.losses.size() == 3);
}

TEST_CASE("a state that does not fit the checkpoint is unchanged") {
  Folder const folder;
  CheckpointManager checkpoints(folder / "");
  checkpoints.save(Saved{}, 1);
  Other other{.a = ones<Float32<"n=3">>(), .b = {}, .d = {}};
  CHECK_THROWS_AS(checkpoints.load_latest(other), FileError);
  CHECK(all(other.a == ones<Float32<"n=3">>()).item());
}

}  // namespace checkpoints_mismatch_test
