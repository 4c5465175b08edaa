#pragma once

// A header between two files of a program: the types of tensors without the engine.

#include <tenon/types.hpp>

struct Classifier {
  tenon::Float32<"pixel=6 digit=3"> weight;
  tenon::Float32<"digit=3"> bias;
};

tenon::Float32<"batch digit=3"> classify(Classifier const& model,
                                         tenon::Float32<"batch pixel=6"> const& images);

/// `classify`, through a file that includes nothing else.
tenon::Float32<"batch digit=3"> classify_twice(Classifier const& model,
                                               tenon::Float32<"batch pixel=6"> const& images);
