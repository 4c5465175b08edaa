"""xsimd in the folder XSIMD, which contains xsimd/xsimd.hpp: its version is that of the headers."""
import os
import re

from conan import ConanFile
from conan.tools.files import copy, load


class XsimdConan(ConanFile):
    name = "xsimd"
    package_type = "header-library"

    @property
    def _headers(self):
        return os.path.join(os.environ["XSIMD"], "xsimd")

    def set_version(self):
        config = load(self, os.path.join(self._headers, "config", "xsimd_config.hpp"))
        numbers = re.findall(r"define XSIMD_VERSION_[A-Z]+ (\d+)", config)
        self.version = self.version or ".".join(numbers)

    def package(self):
        copy(self, "*", self._headers, os.path.join(self.package_folder, "include", "xsimd"))

    def package_info(self):
        self.cpp_info.set_property("cmake_target_name", "xsimd")
        self.cpp_info.bindirs = self.cpp_info.libdirs = []
