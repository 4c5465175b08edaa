#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/atomic_file.hpp>
#include <tenon/io/npy/elements.hpp>
#include <tenon/io/npy/header.hpp>
#include <tenon/io/npz.hpp>
#include <tenon/io/npz/zip_directory.hpp>
#include <tenon/io/npz/zip_members.hpp>

namespace tenon::internal::npz {

TENON_RUNTIME void write_arrays(std::filesystem::path const& path,
                                std::vector<safetensors::Item> const& arrays, bool compressed) {
  AtomicFile file(path, "npz::save");
  ZipWriter zip(file);
  for (safetensors::Item const& array : arrays) {
    safetensors::HostElements const elements(array);
    std::string const head = npy::head_of(*array.dtype, array.sizes);
    zip.add(array.name + ".npy", {head, elements.data(), elements.bytes()}, compressed);
  }
  zip.finish();
  file.commit();
}

/// An open npz file.
class Arrays final : public safetensors::TensorFile {
 public:
  explicit Arrays(std::filesystem::path const& path)
      : TensorFile(path.string(), "npz::load"), file_(path, who()) {
    for (Member& member : DirectoryReader(file_, place({})).read()) add(std::move(member));
  }

  void check_dtype(std::string const& name) const override {
    auto const found = arrays_.find(name);
    if (found != arrays_.end()) npy::check_dtype(found->second.header, place(name));
  }

  void read(std::string const& name, npy::StoredDtype const&, void* to) const override {
    Array const& array = arrays_.find(name)->second;
    MemberStream stream(file_, array.member, place(name));
    std::string head(static_cast<std::size_t>(array.header.data_at), '\0');
    stream.read(head.data(), head.size());
    npy::read_elements(stream, array.header, to);
    stream.finish();
  }

 private:
  struct Array {
    Member member{};
    npy::Header header{};
    npy::StoredDtype unknown{};  ///< The dtype in the index, if Tenon does not have it.
  };

  ArrayPlace place(std::string name) const { return {who(), std::move(name), this->name()}; }

  void add(Member&& member) {
    std::string const name = member.name.substr(0, member.name.size() - 4);
    Array& array = arrays_[name];
    array.member = std::move(member);
    MemberStream stream(file_, array.member, place(name));
    array.header = npy::read_header(stream);
    index_.entries[name] = npy::entry_of(array.header, array.unknown);
  }

  InputFile file_;
  std::map<std::string, Array, std::less<>> arrays_{};
};

TENON_RUNTIME std::shared_ptr<safetensors::TensorFile const> open_file(
    std::filesystem::path const& path) {
  return std::make_shared<Arrays const>(path);
}

}  // namespace tenon::internal::npz
