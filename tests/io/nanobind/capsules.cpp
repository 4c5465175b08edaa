// A module with objects whose `__dlpack__` is ours, and functions that take the capsules of others.

#include <complex>
#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "../dlpack_structs.hpp"

#include <tenon/io/dlpack.hpp>
#include <tenon/io/nanobind.hpp>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

namespace nb = nanobind;
using namespace tenon;

static_assert(sizeof(dlpack::DLTensor) == sizeof(nb::dlpack::dltensor));
static_assert(offsetof(dlpack::DLTensor, strides) == offsetof(nb::dlpack::dltensor, strides));

namespace {

template <class M>
constexpr char const* unused = "dltensor";
template <>
constexpr char const* unused<dlpack::DLManagedTensorVersioned> = "dltensor_versioned";
template <class M>
constexpr char const* used = "used_dltensor";
template <>
constexpr char const* used<dlpack::DLManagedTensorVersioned> = "used_dltensor_versioned";

template <class M>
nb::object capsule_of(M* managed) {
  return nb::steal(PyCapsule_New(managed, unused<M>, [](PyObject* capsule) {
    if (PyCapsule_IsValid(capsule, unused<M>) == 0) return;  // a consumer has it
    M* const left = static_cast<M*>(PyCapsule_GetPointer(capsule, unused<M>));
    left->deleter(left);
  }));
}

/// The struct of a capsule, which has no other owner from now on.
template <class M>
M* taken(nb::handle capsule) {
  auto* const managed = static_cast<M*>(PyCapsule_GetPointer(capsule.ptr(), unused<M>));
  if (managed == nullptr || PyCapsule_SetName(capsule.ptr(), used<M>) != 0)
    throw nb::python_error();
  return managed;
}

template <class T>
using Matrix = Tensor<T, "row column">;

/// A tensor that exports itself as the protocol of Python says.
template <class T>
struct Exporter {
  Matrix<T> x;
  bool is_shared_with_writer = false;

  nb::object capsule(bool has_versions) {
    using dlpack::DLManagedTensor, dlpack::DLManagedTensorVersioned;
    if (is_shared_with_writer)
      return has_versions ? capsule_of(to_mutable_dlpack(x))
                          : capsule_of(to_mutable_dlpack<DLManagedTensor>(x));
    return has_versions ? capsule_of(to_dlpack(x)) : capsule_of(to_dlpack<DLManagedTensor>(x));
  }
};

template <class T>
auto view_of(nb::handle array) {
  nb::object capsule;
  try {
    capsule = array.attr("__dlpack__")(nb::arg("max_version") = nb::make_tuple(1, 1));
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError)) throw;
    capsule = array.attr("__dlpack__")();  // of a producer before 1.0
  }
  if (PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned") != 0)
    return from_dlpack<Matrix<T>>(taken<dlpack::DLManagedTensorVersioned>(capsule));
  return from_dlpack<Matrix<T>>(taken<dlpack::DLManagedTensor>(capsule));
}

template <class T>
void define(nb::module_& module, std::string const& name) {
  nb::class_<Exporter<T>>(module, ("Exporter_" + name).c_str())
      .def("__init__",
           [](Exporter<T>* self, Matrix<T> const& x, bool is_shared_with_writer) {
             new (self) Exporter<T>{x, is_shared_with_writer};
           })
      .def("__dlpack__",
           [](Exporter<T>& self, nb::kwargs const& options) {
             return self.capsule(options.contains("max_version") &&
                                 !options["max_version"].is_none());
           })
      .def("__dlpack_device__", [](Exporter<T> const&) { return nb::make_tuple(1, 0); })
      .def("address",
           [](Exporter<T> const& self) { return reinterpret_cast<std::uintptr_t>(self.x.data()); });
  module.def(("address_" + name).c_str(), [](nb::handle array) {
    return reinterpret_cast<std::uintptr_t>(view_of<T>(array).data());
  });
  module.def(("copied_" + name).c_str(),
             [](nb::handle array) { return Matrix<T>(view_of<T>(array)); });
}

/// A view that is kept by the module.
auto& kept() {
  static auto& views = *new std::vector<SharedView<float, "row column">>;
  return views;
}

}  // namespace

NB_MODULE(capsules, module) {
  register_python_errors();
  define<float>(module, "float32");
  define<double>(module, "float64");
  define<float16>(module, "float16");
  define<bfloat16>(module, "bfloat16");
  define<bool>(module, "bool");
  define<std::int32_t>(module, "int32");
  define<std::uint8_t>(module, "uint8");
  define<std::complex<float>>(module, "complex64");
  module.def("keep", [](nb::handle array) { kept().push_back(view_of<float>(array)); });
  module.def("keep_array", [](SharedView<float, "row column"> const& x) { kept().push_back(x); });
  module.def("drop", [] { kept().clear(); });
  module.def("bytes_in_use", [] { return memory::bytes_in_use(); });
}
