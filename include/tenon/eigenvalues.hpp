#pragma once

// Eigenvalues and functions of matrices that need not be symmetric: eig eigvals sqrtm logm. Needs
// Eigen 3.4 or newer.

#include <tenon/numeric/eigenvalues.hpp>
#include <tenon/tenon.hpp>
