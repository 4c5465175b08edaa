#pragma once

/// The interface of the kernels: pointers and sizes, no types of Tenon.
[[gnu::visibility("default")]] void softmax(float const* from, float* to, long count);
[[gnu::visibility("default")]] char const* instructions();
