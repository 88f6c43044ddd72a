// The key of this user in this network namespace, and the lock for joining the device.
//
// Abstract names end with their process and belong to the network namespace, as the port does. But any user
// may bind any of them. So each name carries a tag, made of the name and a key that only this user can read:
// a file in a folder that only this user can enter. A new key is made whenever none of the old names is in
// use, since anyone can read the names in use from /proc/net/unix.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "uroce/net/host/problem.h"
#include "uroce/net/host/unique_fd.h"

namespace uroce::net::share {

// How long (ns) to wait for processes that are stopped or cannot be seen, and for those that run.
struct Patience {
  uint64_t ordinary, longest;
};

// The right to join, held by one process of the user at a time. Reads the key. It is a kernel lock on the
// key file, which no other user can open, and it ends with the process.
std::expected<UniqueFd, Problem> lock_joining(const Patience& patience);

// The first of these folders that belongs to this user alone, made if it is missing.
std::expected<std::string, Problem> own_folder(const std::vector<std::string>& candidates);

// The name with its tag behind "uroce.".
std::string tagged(const std::string& name);
// The name without its tag, or nothing if the tag is not ours.
std::string untagged(const std::string& name);

// The names in use that begin with "uroce.", with their tags, from /proc/net/unix. False if that cannot be
// read.
bool names_in_use(std::vector<std::string>* out);

}  // namespace uroce::net::share
