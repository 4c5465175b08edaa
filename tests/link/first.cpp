#include "shared.hpp"

Result first(Model const& model, tenon::Float32<"batch pixel=6"> const& images) {
  return train_once(model, images);
}

tenon::Float32<"n"> curvature_of_first(tenon::Float32<"n"> const& x) { return curvature(x); }
