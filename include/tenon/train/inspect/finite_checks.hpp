#pragma once

#include <tenon/core/config.hpp>
#include <tenon/tensor/tracing.hpp>
#include <tenon/train/inspect/finite.hpp>

namespace tenon::training {

/// Checks the result of every kernel that this thread runs, forward and backward, from construction
/// to destruction: the first that contains NaN or infinity throws `NotFiniteError` with the
/// operation, the expression, the shape, the open `ProfileRange` and the line that evaluates it
/// (Linux, programs compiled with -g, addr2line installed). Covers float16, bfloat16, float and
/// double on the host; not tensors in the memory of a device, nor small ones in registers. PyTorch:
/// `torch.autograd.detect_anomaly`. JAX: `jax_debug_nans`.
class FiniteChecks final : public internal::Observer {
 public:
  void ran(internal::ObservedKernel const& kernel) override;
};

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <string>

#include <tenon/core/error.hpp>
#include <tenon/core/half.hpp>
#include <tenon/eval/tracing/text.hpp>
#include <tenon/train/inspect/profile_range.hpp>
#include <tenon/train/inspect/source_line.hpp>

namespace tenon::internal::training {

/// The elements of an observed value that are not finite; none of an integer, or on a device.
inline NotFinite not_finite_in(ObservedValue const& value) {
  auto const look = [&]<class T>(T const* elements) {
    return find_not_finite<T>(elements, count(value.sizes, value.rank));
  };
  if (value.elements == nullptr) return {};
  if (value.dtype == dtype_name<float>) return look(static_cast<float const*>(value.elements));
  if (value.dtype == dtype_name<double>) return look(static_cast<double const*>(value.elements));
  if (value.dtype == dtype_name<float16>) return look(static_cast<float16 const*>(value.elements));
  if (value.dtype == dtype_name<bfloat16>)
    return look(static_cast<bfloat16 const*>(value.elements));
  return {};
}

[[noreturn, gnu::cold]] inline void refuse_not_finite(ObservedKernel const& kernel,
                                                      ObservedValue const& value,
                                                      NotFinite const& found) {
  std::string const name(kernel.expression.type() == nullptr ? "" : kernel.expression->name);
  std::string const what = (kernel.is_backward ? "backward of " : "") + name;
  std::string where = std::string(kernel.is_backward ? "an adjoint, " : "") +
                      std::string(value.dtype) + " " +
                      (value.spec.empty() ? "" : "\"" + std::string(value.spec) + "\" ") + "of " +
                      tracing::kernel_text(kernel.expression, true);
  std::string const range = tenon::training::ProfileRange::path();
  if (!range.empty()) where += ", in " + range;
  std::string const line = source_line();
  if (!line.empty()) where += ", at " + line;
  fail<tenon::training::NotFiniteError>({.who = "FiniteChecks",
                                         .what = what,
                                         .expected = "finite elements",
                                         .got = not_finite_text(found, value.sizes, value.rank),
                                         .where = where});
}

}  // namespace tenon::internal::training

namespace tenon::training {

TENON_RUNTIME void FiniteChecks::ran(internal::ObservedKernel const& kernel) {
  for (internal::ObservedValue const& value : kernel.values) {
    auto const found = internal::training::not_finite_in(value);
    if (found.any()) internal::training::refuse_not_finite(kernel, value, found);
  }
}

}  // namespace tenon::training

#endif
