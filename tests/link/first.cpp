#include "shared.hpp"

Result first(Model const& model, tenon::Float32<"batch pixel=6"> const& images) {
  return train_once(model, images);
}
