#pragma once

// Statistics: nansum nanmean nanmax nanmin ptp count_nonzero average diff trapezoid quantile median
// cov corrcoef.

#include <tenon/numeric/statistics.hpp>
#include <tenon/tenon.hpp>
