// A socket in a program that may close all descriptors that it does not know, and get this number for
// something else.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

namespace uroce::feed {

class OwnedSocket {
 public:
  explicit OwnedSocket(int fd) : fd_(fd) {
    struct stat at{};
    if (fstat(fd, &at) != 0) return;
    device_ = at.st_dev;
    inode_ = at.st_ino;
  }

  int fd() const { return fd_; }
  // Asked before each use of the descriptor.
  bool still_there() const {
    struct stat at{};
    return inode_ != 0 && fstat(fd_, &at) == 0 && at.st_dev == device_ && at.st_ino == inode_;
  }
  void close() const {
    if (still_there()) ::close(fd_);
  }

 private:
  int fd_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace uroce::feed
