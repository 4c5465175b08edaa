#pragma once

/// The types of tensors, for headers between the files of a project: specs, dtypes, tensors,
/// expressions, and the concepts that name their axes (`Float<"batch pixel=784">`). Nothing is
/// computed with it: a file that does includes `tenon.hpp`, which contains this.
#include <tenon/core/format_spec.hpp>
#include <tenon/core/half.hpp>
#include <tenon/core/shape.hpp>
#include <tenon/expr/annotation.hpp>
#include <tenon/expr/checked.hpp>
#include <tenon/tensor/aliases.hpp>
#include <tenon/tensor/device.hpp>
#include <tenon/tensor/expression.hpp>
#include <tenon/tensor/tensor.hpp>
