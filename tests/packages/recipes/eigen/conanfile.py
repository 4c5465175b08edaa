"""A header in place of Eigen."""
import os

from conan import ConanFile
from conan.tools.files import save


class EigenConan(ConanFile):
    name = "eigen"
    version = "3.4.0"
    package_type = "header-library"

    def package(self):
        save(self, os.path.join(self.package_folder, "include", "eigen3", "Eigen", "Core"), "")

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "Eigen3")
        self.cpp_info.set_property("cmake_target_name", "Eigen3::Eigen")
        self.cpp_info.includedirs = [os.path.join("include", "eigen3")]
        self.cpp_info.bindirs = self.cpp_info.libdirs = []
