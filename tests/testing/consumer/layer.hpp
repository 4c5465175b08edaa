#pragma once

#include <tenon/tenon.hpp>

struct Layer {
  tenon::Float64<"pixel=4 digit=3"> weight;

  auto operator()(tenon::Float<"batch pixel=4"> auto const& image) const {
    return tenon::eval(tenon::matmul(image, weight));  // "batch digit=3"
  }
};
