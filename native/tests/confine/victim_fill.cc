// Fills memory and disk in every way that a limit might not see.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "victim.h"

int fill_memory() {
  for (;;) std::memset(std::malloc(1 << 20), 1, 1 << 20);
}

int fill_shared_memory() {
  constexpr size_t kPiece = 8 << 20;
  for (int n = 0; n < 64; ++n) {
    void* at = mmap(nullptr, kPiece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return errno;
    std::memset(at, 1, kPiece);
    madvise(at, kPiece, MADV_DONTNEED);
  }
  return kLet;
}

int fill_page_tables() {
  constexpr size_t kPiece = size_t{1} << 32, kTable = 2 << 20;
  for (;;) {
    void* at = mmap(nullptr, kPiece, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return errno;
    madvise(at, kPiece, MADV_NOHUGEPAGE);
    for (size_t n = 0; n < kPiece; n += kTable) static_cast<const volatile char*>(at)[n];
  }
}

int fill_memory_after_the_first_thread() {
  std::thread([] {
    for (int n = 0; n < 600; ++n) {
      std::memset(std::malloc(1 << 20), 1, 1 << 20);
      usleep(1000);
    }
    _exit(kLet);
  }).detach();
  syscall(SYS_exit, 0);
  return 1;
}

int fill_memory_in_a_child() {
  if (fork() == 0) return fill_memory();
  return pause();
}

int fill_memory_files(int files) {
  const std::vector<char> block(1 << 20, 'x');
  for (int n = 0; n < files; ++n) {
    const int fd = memfd_create("uroce", 0);
    for (int i = 0; i < 8 && fd >= 0; ++i)
      if (write(fd, block.data(), block.size()) < 0) return errno;
    if (files > 100) close(fd);
  }
  pause();
  return kLet;
}

int fill_disk() {
  const std::vector<char> block(1 << 20, 'x');
  for (int n = 0; n < 64; ++n) {
    const int fd = open(("file" + std::to_string(n)).c_str(), O_WRONLY | O_CREAT, 0600);
    if (fd < 0 || write(fd, block.data(), block.size()) < 0) return errno;
    close(fd);
  }
  pause();
  return kLet;
}

int fill_disk_below(int depth) {
  for (int n = 0; n < depth; ++n)
    if (mkdir("deep", 0700) != 0 || chdir("deep") != 0) return errno;
  return fill_disk();
}

int fill_disk_unnamed() {
  const std::vector<char> block(1 << 20, 'x');
  for (int n = 0; n < 64; ++n) {
    const int fd = open("file", O_RDWR | O_CREAT, 0600);
    if (fd < 0 || write(fd, block.data(), block.size()) < 0) return errno;
    if (mmap(nullptr, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED) return errno;
    close(fd);
    unlink("file");
  }
  pause();
  return kLet;
}

int fill_disk_in_a_socket() {
  const std::vector<char> block(1 << 20, 'x');
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) return errno;
  for (int n = 0; n < 64; ++n) {
    const int fd = open("file", O_RDWR | O_CREAT, 0600);
    if (fd < 0 || write(fd, block.data(), block.size()) < 0) return errno;
    unlink("file");
    char byte = 0;
    iovec data{&byte, 1};
    alignas(cmsghdr) char room[CMSG_SPACE(sizeof fd)]{};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    cmsghdr* rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof fd);
    std::memcpy(CMSG_DATA(rights), &fd, sizeof fd);
    if (sendmsg(ends[0], &message, 0) != 1) return errno;
    close(fd);
  }
  pause();
  return kLet;
}
