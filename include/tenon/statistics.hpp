#pragma once

// Statistics: nansum nanmean nanmax nanmin ptp count_nonzero average diff trapezoid quantile median
// cov corrcoef; cummax cummin logcumsumexp; histogram bincount searchsorted unique; partition
// argpartition.

#include <tenon/numeric/counts.hpp>
#include <tenon/numeric/partition.hpp>
#include <tenon/numeric/scans.hpp>
#include <tenon/numeric/statistics.hpp>
#include <tenon/tenon.hpp>
