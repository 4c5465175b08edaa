"""Tenon for Conan 2: `conan create conan`. The version is that of CMakeLists.txt."""
import glob
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake
from conan.tools.files import copy, load, rmdir
from conan.tools.scm import Version

required_conan_version = ">=2.0.9"

# The components of the options with_mpi, with_eigen, …: the packages that they need, and the targets
# of these.
OPTIONAL = {
    "mpi": {"boost/[>=1.74 <2]": ["boost::mpi"], "openmpi/[>=4.1 <6]": ["openmpi::openmpi"]},
    "eigen": {"eigen/[>=3.4 <6]": ["eigen::eigen"]},
    "npz": {"zlib/[>=1.2.11 <2]": ["zlib::zlib"]},
    "config": {"tomlplusplus/[>=3.3 <4]": ["tomlplusplus::tomlplusplus"]},
    "spdlog": {"spdlog/[>=1.10 <2]": ["spdlog::spdlog"]},
    "yaml": {"yaml-cpp/[>=0.7 <1]": ["yaml-cpp::yaml-cpp"]},  # and what config needs
}
OPTIONAL["yaml"].update(OPTIONAL["config"])


class TenonConan(ConanFile):
    name = "tenon"
    description = "Tensors whose shape, dtype and device are part of their type"
    license = "MIT"
    topics = ("tensor", "simd", "autodiff", "machine-learning", "mpi", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {f"with_{name}": [True, False] for name in OPTIONAL}
    default_options = {f"with_{name}": False for name in OPTIONAL}
    generators = "CMakeDeps", "CMakeToolchain"
    no_copy_source = True

    # Apple's clang 15 is LLVM's clang 16.
    _oldest_compilers = {"gcc": "12", "clang": "16", "apple-clang": "15"}

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, os.pardir)

    def set_version(self):
        project = load(self, os.path.join(self._root, "CMakeLists.txt"))
        self.version = re.search(r"VERSION (\d+\.\d+\.\d+)", project).group(1)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "scripts/debugger/*",
                        "scripts/module", "scripts/functions_page/*.py"):
            copy(self, pattern, self._root, self.export_sources_folder)

    def layout(self):
        self.folders.root = os.pardir
        self.folders.source = "."
        self.folders.build = "build/conan"
        self.folders.generators = "build/conan/generators"

    def configure(self):
        if self.options.with_mpi:
            self.options["boost/*"].without_mpi = False

    def requirements(self):
        self.requires("xsimd/[>=8.1 <15]", transitive_headers=True)
        packages = {package for name in self._chosen for package in OPTIONAL[name]}
        for package in sorted(packages):
            self.requires(package, transitive_headers=True, transitive_libs=True)

    @property
    def _chosen(self):
        return [name for name in OPTIONAL if self.options.get_safe(f"with_{name}")]

    def package_id(self):
        self.info.clear()

    def validate(self):
        check_min_cppstd(self, 20)
        compiler, version = str(self.settings.compiler), Version(self.settings.compiler.version)
        oldest = self._oldest_compilers.get(compiler)
        if oldest is None or version < oldest:
            expected = ", ".join(" ".join(pair) for pair in self._oldest_compilers.items())
            raise ConanInvalidConfiguration(
                f"tenon: expected one of {expected} or newer, got {compiler} {version}")

    def build(self):
        switches = {f"TENON_{part}": False for part in ("TESTS", "EXAMPLES", "BENCH")}
        switches.update(CMAKE_DISABLE_FIND_PACKAGE_MPI=True, CMAKE_INSTALL_MESSAGE="NEVER")
        CMake(self).configure(variables=switches)

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        for folder in ("doc", "pkgconfig"):  # (the generator PkgConfigDeps writes tenon.pc)
            rmdir(self, os.path.join(self.package_folder, "share", folder))

    def _cmake_functions(self):
        """The package's CMake files that define functions and tenon::compiled. CMakeDeps does what
        the others do: it defines targets and finds dependencies."""
        pattern = os.path.join(self.package_folder, "share", "cmake", "tenon", "*.cmake")
        texts = {path: load(self, path) for path in sorted(glob.glob(pattern))}
        finds = re.compile(r"^\s*find_(package|dependency)\((?!Python3)", re.MULTILINE)
        return [path for path, text in texts.items()
                if "function(tenon_" in text and not finds.search(text)]

    def _component(self, name, requires, system_libs=()):
        component = self.cpp_info.components[name]
        component.set_property("cmake_target_name", f"tenon::{name}")
        component.set_property("pkg_config_name", "tenon" if name == "tenon" else f"tenon-{name}")
        component.requires = list(requires)
        component.bindirs = component.libdirs = []
        if self.settings.os in ("Linux", "FreeBSD"):
            component.system_libs = list(system_libs)

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "tenon")
        self.cpp_info.set_property("cmake_target_name", "tenon::all")
        self.cpp_info.set_property("pkg_config_name", "tenon-all")
        self.cpp_info.set_property("cmake_config_version_compat", "SameMinorVersion")
        self.cpp_info.set_property("cmake_build_modules", self._cmake_functions())
        self._component("tenon", ["xsimd::xsimd"], ["pthread", "dl"])
        for name in ("opencl", "cuda", "metal", "onnx", "train", "testing"):
            self._component(name, ["tenon"])
        for name in self._chosen:
            self._component(name, ["tenon", *sum(OPTIONAL[name].values(), [])])
