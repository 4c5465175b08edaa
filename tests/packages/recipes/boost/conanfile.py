"""The installed Boost.MPI. As in ConanCenter, there is none unless without_mpi is False."""
import os

from conan import ConanFile


class BoostConan(ConanFile):
    name = "boost"
    version = "1.74.0"
    options = {"without_mpi": [True, False]}
    default_options = {"without_mpi": True}

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "Boost")
        self.cpp_info.components["headers"].includedirs = os.environ["BOOST_HEADERS"].split(":")
        if not self.options.without_mpi:
            mpi = self.cpp_info.components["mpi"]
            mpi.set_property("cmake_target_name", "Boost::mpi")
            mpi.requires = ["headers"]
            mpi.includedirs = []
            mpi.system_libs = os.environ["BOOST_LIBRARIES"].split(":")
