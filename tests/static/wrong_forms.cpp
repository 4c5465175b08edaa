// The overloads that name the right form of a call lose to every other function with the name, and
// what they answer is no well-formed call.

#include <tenon/tenon.hpp>

namespace wrong_forms {

using namespace tenon;

using Batch = Float32<"batch in=3">;
struct Own {};

Own softmax(Batch const&);
Own argsort(Batch const&, double);
Own slice(Float<"batch in=3"> auto const&, std::int64_t, std::int64_t);
Own take(Batch const&, Int32<"n"> const&);

template <class X>
void call_own(X const& x, Int32<"n=2"> const& ids) {
  static_assert(std::same_as<decltype(softmax(x)), Own>);
  static_assert(std::same_as<decltype(argsort(x, 1)), Own>);
  static_assert(std::same_as<decltype(slice(x, 0, 1)), Own>);
  static_assert(std::same_as<decltype(take(x, ids)), Own>);
}
[[maybe_unused]] auto const with_a_tensor = &call_own<Batch>;
[[maybe_unused]] auto const with_an_expression = &call_own<decltype(Batch() * 2.0f)>;

template <class X>
concept HasForms = requires(X const& x) { mean(x, 0); } || requires(X const& x) { sort(x); } ||
                   requires(X const& x) { sum<"batch", "in">(x); } || requires(X const& x) {
                     reshape(x, {3, 1});
                   } || requires(X const& x) {
                     concat({x, x}, 0);
                   };
static_assert(!HasForms<Batch>);
static_assert(!HasForms<decltype(Batch() * 2.0f)>);
static_assert(!HasForms<int>);

// `max` and `min` of a tensor and a number are elementwise.
static_assert(shape_of<decltype((max)(Batch(), 1.0f))> == "batch in=3");

}  // namespace wrong_forms
