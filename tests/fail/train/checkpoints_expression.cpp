// expect: tenon::safetensors: an expression is not stored; evaluate it first, with eval
#include <tenon/tenon.hpp>
#include <tenon/train/checkpoints.hpp>

void mistaken(tenon::training::CheckpointManager& checkpoints, tenon::Float32<"n=2"> const& x) {
  checkpoints.save(x + x, 1);
}
