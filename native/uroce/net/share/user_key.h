// The key of this user in this network namespace, and the lock for joining the device.
//
// Abstract names end with their process and belong to the network namespace, as the port does. But any user
// may bind any of them. So each name carries a tag, made of the name, a key that only this user can read (a
// file in a folder that only this user can enter), and a generation. Anyone can read the names in use from
// /proc/net/unix, and bind one once it is free. When another user is found to hold a name, a new generation
// begins, with tags that no other user has seen. A new key is made whenever no process of this user has a
// name.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "uroce/error.h"
#include "uroce/net/host/unique_fd.h"

namespace uroce::net::share {

// Time (ns) to wait for running processes (ordinary), and for stopped or invisible ones (longest).
struct Timeouts {
  uint64_t ordinary, longest;
};

// The right to join, held by one process of the user at a time. Reads the key. It is a kernel lock on the
// key file, which no other user can open, and it ends with the process.
std::expected<UniqueFd, Error> lock_joining(const Timeouts& timeouts);

// The first of these folders that belongs to this user alone; created if missing.
std::expected<std::string, Error> own_folder(const std::vector<std::string>& candidates);

// The generation of names taken now. All processes of the user share it, by the key file.
uint32_t generation();
// Begins the next one, unless another process has done so meanwhile.
void end_generation(uint32_t from);

// The name with its tag of that generation after "uroce.".
std::string tagged(const std::string& name, uint32_t generation);
// The name without its tag, or nothing if the tag is of no known generation.
std::string untagged(const std::string& name);

// The names in use that begin with "uroce.", with their tags, from /proc/net/unix. False if that cannot be
// read.
bool names_in_use(std::vector<std::string>* out);

}  // namespace uroce::net::share
