// expect: tenon::nn: a layer takes specs of one axis each
#include <tenon/tenon.hpp>

tenon::Linear<"height=8 width=8", "hidden=256"> layer;
