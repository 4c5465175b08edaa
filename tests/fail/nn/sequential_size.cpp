// expect: axes_do_not_fit<
// expect: "matmul"
// expect: "hidden=128"
// expect: "hidden=64"
#include <tenon/nn.hpp>

using namespace tenon;

using Network =
    Sequential<Linear<"pixel=784", "hidden=128">, ReLU, Linear<"hidden=64", "digit=10">>;

auto scores(Network const& network, Float32<"batch pixel=784"> const& x) { return network(x); }
