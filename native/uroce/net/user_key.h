// The key of this user in this network namespace, and the lock of those who join the device.
//
// Abstract names live and die with their process and lie in the network namespace, as the port does, but any
// user may bind any of them. So each name carries a tag made of the name and a key that only this user can
// read: a file in a folder that only this user can enter. A new key is made whenever none of the old names
// lives, since who watches /proc/net/unix learns the names that were in use.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "uroce/net/problem.h"
#include "uroce/net/unique_fd.h"

namespace uroce::share {

// How long others are waited for (ns): those that are stopped or cannot be seen, and those that run.
struct Patience {
  uint64_t ordinary, longest;
};

// The right to join, of one process of the user at a time; reads the key. A lock of the kernel's on the key
// file, which no other user can open; it ends with the process.
std::expected<UniqueFd, Problem> lock_joining(const Patience& patience);

// The first of these folders that belongs to this user alone, made if it is missing.
std::expected<std::string, Problem> own_folder(const std::vector<std::string>& candidates);

// The name with its tag behind "uroce.".
std::string tagged(const std::string& name);
// The name without its tag, or nothing if the tag is not ours.
std::string untagged(const std::string& name);

// Names in use, as /proc/net/unix lists them, with their tags, that begin with "uroce.". False when that
// cannot be read.
bool names_in_use(std::vector<std::string>* out);

}  // namespace uroce::share
