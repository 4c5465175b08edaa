"""The installed MPI."""
import os

from conan import ConanFile


class MpiConan(ConanFile):
    name = "openmpi"
    version = "4.1.4"

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "MPI")
        self.cpp_info.set_property("cmake_target_name", "MPI::MPI_CXX")
        self.cpp_info.includedirs = os.environ["MPI_HEADERS"].split(":")
        self.cpp_info.system_libs = os.environ["MPI_LIBRARIES"].split(":")
