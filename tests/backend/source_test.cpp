// Every planned kernel is printed as C, from the same bodies, and gives what `reference` gives.

#include "recipes.hpp"
#include "source_cases.hpp"

using namespace tenon;
using source_cases::Cases;

TEST_CASE("every planned kernel, printed as C, gives what reference gives") {
  Cases cases;
  recipes::Inputs<Cpu> const inputs;
  recipes::add_all(cases, inputs);
  recipes::add_ops<float, Cpu>(cases, op::Joined<op::Unary, op::Predicates, op::Binary>{});
  recipes::add_ops<double, Cpu>(cases, op::List<op::Gelu, op::Sin, op::Pow>{});
  cases.add("16-bit dtypes are read, rounded and stored by their bits", 0,
            rounded(to<float>(to<float16>(inputs.x) * to<float16>(inputs.y * 1e-5f)) +
                    to<float>(to<bfloat16>(inputs.x))));
  auto const part = view<Float32<"r=4 c=3">>(inputs.small.data(), ViewStrides(5, 2));
  cases.add("a view", 0, part * 2.0f);
  Folder folder;
  void* const library = source_cases::compiled(cases.text(), folder);
  if (library == nullptr) {
    MESSAGE("skipped: there is no C compiler `cc`");
    return;
  }
  cases.run(library);
  dlclose(library);
}
