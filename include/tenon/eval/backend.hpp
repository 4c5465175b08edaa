#pragma once

namespace tenon {

/// The backend that computes for a device; specialised where the backend is written. What
/// evaluation asks of it is in `backend/contract.hpp`.
template <class Device>
struct BackendFor;

template <class Device>
using BackendOf = typename BackendFor<Device>::type;

}  // namespace tenon
