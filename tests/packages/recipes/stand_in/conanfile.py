"""A package in place of a library that the tests do not compile with: --name and --version give what
it stands for."""
from conan import ConanFile


class StandInConan(ConanFile):
    package_type = "header-library"

    def package_info(self):
        self.cpp_info.defines = [f"HAS_{self.name.upper().replace('-', '_')}"]
        self.cpp_info.bindirs = self.cpp_info.libdirs = self.cpp_info.includedirs = []
