#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/io/npy/elements.hpp>
#include <tenon/io/npy/leaf.hpp>
#include <tenon/io/npz/member_stream.hpp>
#include <tenon/io/safetensors/axes.hpp>
#include <tenon/io/safetensors/header.hpp>
#include <tenon/io/safetensors/tree_reader.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::internal::npz {

/// An array of a file.
struct Array {
  Member member{};
  npy::Header header{};
  npy::StoredDtype unknown{};  ///< The dtype in the index, if Tenon does not have it.
};

/// An open npz file, for `safetensors::TreeReader`: all is checked but the elements.
class OpenFile : public safetensors::PlainFile {
 public:
  explicit OpenFile(std::filesystem::path const& path) : file_(path, "npz::load") {
    for (Member& member : DirectoryReader(file_, place({})).read()) add(std::move(member));
  }

  safetensors::Header const& index() const { return index_; }
  std::string const& name() const { return file_.name(); }
  std::string const& who() const { return file_.who(); }

  template <class Tree>
  static constexpr void check_tree() {
    npy::check_tree<Tree>();
  }
  template <class Leaf>
  static constexpr void check_storable() {
    npy::check_storable<Leaf>();
  }
  template <class Leaf>
  static npy::StoredDtype const& dtype() {
    return npy::dtype_of<Leaf>();
  }

  /// Throws `FileError` for a dtype that Tenon does not have.
  void check_dtype(std::string const& name) const {
    auto const found = arrays_.find(name);
    if (found != arrays_.end()) npy::check_dtype(found->second.header, place(name));
  }

  /// Reads the elements of an array, which has passed the checks.
  void read(std::string const& name, void* elements) const {
    Array const& array = arrays_.find(name)->second;
    MemberStream stream(file_, array.member, place(name));
    std::string head(static_cast<std::size_t>(array.header.data_at), '\0');
    stream.read(head.data(), head.size());
    npy::read_elements(stream, array.header, elements);
    stream.finish();
  }

 private:
  ArrayPlace place(std::string name) const { return {file_.who(), std::move(name), file_.name()}; }

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
  safetensors::Header index_{};
};

}  // namespace tenon::internal::npz
