#pragma once

namespace tenon {

/// The backend that computes for a device; specialised where the backend is defined.
/// `backend/contract.hpp` has its requirements.
template <class Device>
struct BackendFor;

/// The backend of a device.
template <class Device>
using BackendOf = typename BackendFor<Device>::type;

}  // namespace tenon
