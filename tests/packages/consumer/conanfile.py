import os

from conan import ConanFile
from conan.tools.cmake import CMake


class ConsumerConan(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps", "CMakeToolchain", "PkgConfigDeps"

    def requirements(self):
        components = ("mpi", "eigen", "npz", "config", "spdlog", "yaml")
        options = {f"with_{name}": True for name in components}
        self.requires("tenon/[>=0.1 <0.2]", options=options)

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()
        self.run(os.path.join(self.build_folder, "ranks"), env="conanrun")
