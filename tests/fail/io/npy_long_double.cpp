// expect: tenon::npy: expected a tensor or a number; npz files store structs
#include <tenon/io/npy.hpp>

void save_rate(long double rate) { tenon::npy::save("rate.npy", rate); }
