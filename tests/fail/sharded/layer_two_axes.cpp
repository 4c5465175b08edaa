// expect: tenon::nn: a layer takes specs of one axis each
#include <tenon/distributed/tensor_parallel/layers.hpp>
#include <tenon/tenon.hpp>

tenon::ParallelLinear<"embed=12", "head=4@tp feature=3"> layer;
