// expect: tenon::idx: IDX files have no such dtype
#include <tenon/tenon.hpp>
#include <tenon/train/data/idx.hpp>

auto mistaken() { return tenon::idx::load<tenon::UInt16<"n">>("x.idx"); }
