#pragma once

/// What the program calls: pointers and sizes, no type of Tenon's.
[[gnu::visibility("default")]] void softmax(float const* from, float* to, long count);
[[gnu::visibility("default")]] char const* instructions();
