#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/io/npz/directory.hpp>

namespace tenon::internal::npz {

/// The data of a member of a zip file, decompressed.
class MemberStream final : public ByteStream {
 public:
  MemberStream(InputFile const& file, Member const& member, ArrayPlace place)
      : ByteStream(member.bytes, std::move(place)), file_(file), member_(member) {
    if (member.method == deflated) inflater_.emplace();
  }

  /// Checks, when all bytes have been read, that there are no more, and their checksum. Throws
  /// `FileError`.
  void finish() {
    if (inflater_) finish_inflating();
    if (checksum_.value() != member_.checksum)
      place().refuse("the checksum " + std::to_string(member_.checksum),
                     std::to_string(checksum_.value()));
  }

 private:
  void read_next(void* to, std::size_t bytes) override {
    if (inflater_) {
      inflate_all(static_cast<std::byte*>(to), bytes);
    } else {
      file_.read(member_.data_at + taken_, to, bytes);
      taken_ += bytes;
    }
    checksum_.add(to, bytes);
  }

  void inflate_all(std::byte* to, std::size_t bytes) {
    for (std::size_t done = 0; done < bytes;) {
      Inflater::Step const step = inflate_some(to + done, bytes - done);
      done += step.made;
      if (step.state == Inflater::State::has_ended && done < bytes) refuse_size("fewer");
    }
  }

  /// The stream must end here, and with it the compressed data.
  void finish_inflating() {
    std::byte more{};
    auto state = Inflater::State::goes_on;
    while (state != Inflater::State::has_ended && !has_ended_) {
      Inflater::Step const step = inflate_some(&more, 1);
      if (step.made > 0) refuse_size("more");
      state = step.state;
    }
    if (taken_ < member_.compressed || !input_.empty())
      place().refuse("compressed data that end with the member", "more bytes");
  }

  Inflater::Step inflate_some(std::byte* to, std::size_t bytes) {
    if (input_.empty()) refill();
    Inflater::Step const step = inflater_->step(input_, to, bytes);
    if (step.state == Inflater::State::is_damaged) place().refuse("deflated data", "others");
    if (step.state == Inflater::State::has_ended) has_ended_ = true;
    input_.remove_prefix(step.taken);
    return step;
  }

  void refill() {
    std::uint64_t const left = member_.compressed - taken_;
    if (left == 0 || has_ended_) place().refuse("deflated data to their end", "a part");
    buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left, 1 << 16)));
    file_.read(member_.data_at + taken_, buffer_.data(), buffer_.size());
    taken_ += buffer_.size();
    input_ = buffer_;
  }

  [[noreturn]] void refuse_size(std::string const& got) const {
    place().refuse(std::to_string(member_.bytes) + " bytes, as the directory says", got);
  }

  InputFile const& file_;
  Member const& member_;
  std::uint64_t taken_ = 0;  ///< Of the bytes in the file.
  Checksum checksum_{};
  std::optional<Inflater> inflater_{};
  bool has_ended_ = false;  ///< The compressed data.
  std::string buffer_{};
  std::string_view input_{};
};

}  // namespace tenon::internal::npz
