// expect: no match
// expect note: annotation_does_not_fit<
// expect note: "batch pixel=784"
// expect note: "batch pixel=512"
#include <tenon/tenon.hpp>

using namespace tenon;

struct Layer {
  auto operator()(Float<"batch pixel=784"> auto const& image) const { return image; }
};
void g() { Layer()(Float32<"batch pixel=512">()); }
