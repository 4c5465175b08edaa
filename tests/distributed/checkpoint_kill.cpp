// A save that is killed at one of its system calls; checkpoint_kill_test.sh runs it for each of
// them. The functions here replace those of the C library.

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>

#include "checkpoint_trees.hpp"

namespace {

/// The number of calls that succeed before the process ends; negative: unlimited.
int calls_before = -1;

/// At the last call, `half` of it is made and the process ends; before, `all` of it is made.
template <class All, class Half>
long call(All const& all, Half const& half) {
  if (calls_before < 0) return all();
  if (calls_before-- > 0) return all();
  half();
  ::_exit(9);
}

bool is_file(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

long unlinked(int folder, char const* path, int flags) {
  return call([&] { return ::syscall(SYS_unlinkat, folder, path, flags); }, [] {});
}

bool is_folder(char const* path) {
  struct stat status {};
  return ::lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

}  // namespace

extern "C" {

ssize_t write(int file, void const* data, size_t bytes) {
  auto const real = [&](size_t count) { return ::syscall(SYS_write, file, data, count); };
  if (calls_before < 0 || !is_file(file)) return real(bytes);
  return call([&] { return real(bytes); }, [&] { return real(bytes / 2); });
}

int fsync(int file) {
  return static_cast<int>(call([&] { return ::syscall(SYS_fsync, file); }, [] {}));
}

int rename(char const* from, char const* to) noexcept {
  return static_cast<int>(
      call([&] { return ::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0u); }, [] {}));
}

int mkdir(char const* path, mode_t mode) noexcept {
  return static_cast<int>(
      call([&] { return ::syscall(SYS_mkdirat, AT_FDCWD, path, mode); }, [] {}));
}

int unlinkat(int folder, char const* path, int flags) noexcept {
  return static_cast<int>(unlinked(folder, path, flags));
}

int remove(char const* path) noexcept {
  return static_cast<int>(unlinked(AT_FDCWD, path, is_folder(path) ? AT_REMOVEDIR : 0));
}
}

using namespace checkpoint_trees;

namespace {

struct State {
  Sharded<float, "in=5@dp hidden=7@tp"> up;
  Float32<"hidden=7"> bias;
  std::int64_t step = 0;
};

State state_on(Topology const& mesh, int salt) { return stamped(placed<State>(mesh), salt); }

/// The number with which the checkpoint was filled; 0 if it is inconsistent.
int number_in(std::filesystem::path const& folder, Topology const& mesh) {
  State const state = load_shards(folder, state_on(mesh, 0), mesh);
  for (int salt = 1; salt < 4; ++salt)
    if (wrong_bytes(state, mesh.group(), salt) == 0) return salt;
  return 0;
}

/// Saves a number.
void save_number(std::filesystem::path const& folder, int number, Topology const& mesh) {
  save_shards(folder, state_on(mesh, number), mesh);
}

/// Prints the number that a checkpoint holds, and checks that the next save leaves one checkpoint.
void check(std::filesystem::path const& folder, Topology const& mesh) {
  int const found = number_in(folder, mesh);
  save_number(folder, 3, mesh);
  int const next = number_in(folder, mesh);
  barrier(mesh.group());
  auto const entries = std::distance(std::filesystem::directory_iterator(folder), {});
  barrier(mesh.group());
  if (mesh.group().rank() == 0)
    std::printf("holds %d, then %d, in %d\n", found, next, static_cast<int>(entries));
}

}  // namespace

// save FOLDER NUMBER [RANK CALLS]: the rank is killed after CALLS system calls. check FOLDER
int main(int count, char** words) {
  return run([&](World& world) {
    auto const mesh = mesh_of(world.group());
    if (std::string(words[1]) == "check") return check(words[2], mesh);
    if (count > 4 && std::atoi(words[4]) == world.rank()) calls_before = std::atoi(words[5]);
    save_number(words[2], std::atoi(words[3]), mesh);
    calls_before = -1;
  });
}
