// The backends of the umbrella have the complete interface. (Asserted here and not in their
// headers: the compiler takes a hundredth of its time for the header to check them.)
#include <tenon/tenon.hpp>

namespace backends {

static_assert(tenon::Backend<tenon::internal::CpuBackend>);
static_assert(tenon::Backend<tenon::internal::ReferenceBackend>);

}  // namespace backends
