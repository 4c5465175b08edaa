#pragma once

// Linear algebra: the functions of tenon.hpp, and lu slogdet solve_triangular cho_solve pinv lstsq
// matrix_rank null_space orth expm vector_norm matrix_norm cond kron toeplitz vander cross.

#include <tenon/numeric/matrix_exponential.hpp>
#include <tenon/numeric/matrix_factors.hpp>
#include <tenon/numeric/matrix_norms.hpp>
#include <tenon/numeric/pseudoinverse.hpp>
#include <tenon/numeric/special_matrices.hpp>
#include <tenon/numeric/triangular.hpp>
#include <tenon/tenon.hpp>
