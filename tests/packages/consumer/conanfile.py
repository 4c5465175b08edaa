import os

from conan import ConanFile
from conan.tools.cmake import CMake


class ConsumerConan(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps", "CMakeToolchain", "PkgConfigDeps"

    def requirements(self):
        self.requires("tenon/[>=0.1 <0.2]", options={"with_mpi": True, "with_eigen": True})

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()
        self.run(os.path.join(self.build_folder, "ranks"), env="conanrun")
