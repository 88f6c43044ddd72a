// Does one thing that a confined program may or may not do, and reports the outcome. Exit code 9: it was
// allowed.
#include "victim.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>

namespace {

int read_file(const char* path) {
  const int fd = open(path, O_RDONLY);
  char byte;
  return from(fd >= 0 && read(fd, &byte, 1) >= 0);
}

int write_file(const char* path) {
  const int fd = open(path, O_WRONLY | O_CREAT, 0600);
  return from(fd >= 0 && write(fd, "x", 1) == 1);
}

int send_udp(const char* address, uint16_t port) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  inet_pton(AF_INET, address, &to.sin_addr);
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  return from(sendto(fd, "x", 1, 0, reinterpret_cast<sockaddr*>(&to), sizeof to) == 1);
}

int connect_unix(const char* path) {
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  std::strncpy(to.sun_path, path, sizeof to.sun_path - 1);
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  return from(connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0);
}

int symlinked() {
  if (symlink("/etc/passwd", "link") != 0) return errno;
  return read_file("link");
}

int in_a_thread() {
  int result = 0;
  std::thread([&] { result = write_file("from-a-thread"); }).join();
  return result;
}

// Changes the name to another socket than the launcher was asked about, while it decides.
int race_connect(const char* path) {
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  std::strncpy(to.sun_path, path, sizeof to.sun_path - 1);
  std::thread flip([&] {
    volatile char* first = to.sun_path;
    for (;;) {
      *first = '\0';
      *first = '/';
    }
  });
  for (;;) {
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to);
    close(fd);
  }
}

template <std::size_t N>
sockaddr_un abstract_name(const char (&text)[N]) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::memcpy(name.sun_path, text, N);
  return name;
}

// Connects to its own listener, which never accepts.
int connect_for_ever() {
  const sockaddr_un name = abstract_name("\0uroce-full");
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(listener, reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0 || listen(listener, 0) != 0)
    return errno;
  for (;;) {
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    connect(fd, reinterpret_cast<const sockaddr*>(&name), sizeof name);
  }
}

// The kernel sends the signal when the socket becomes readable.
int signal_by_owner() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return errno;
  return from(fcntl(ends[0], F_SETOWN, getppid()) == 0);
}

[[noreturn]] void spin() {
  for (volatile unsigned n = 0;;) n = n + 1;
}

// Fills memory while the launcher carries out a connection that is never established.
int fill_memory_behind_a_connection() {
  std::thread(connect_for_ever).detach();
  for (int n = 0; n < 200; ++n) std::memset(std::malloc(1 << 20), 1, 1 << 20);
  return pause();
}

// The process ends with its last thread.
int end_by_threads() {
  std::thread([] { usleep(1000); }).detach();
  syscall(SYS_exit, 0);
  return 1;
}

// Ends at once, and leaves a process that keeps all its resources.
int leave_one_behind() {
  if (fork() == 0) {
    alarm(60);  // nor does the machine keep it
    return pause();
  }
  return kLet;
}

// Makes a call whose pointers are valid, so that only the call itself can be wrong.
int call(long number) {
  static char room[4096];
  const auto at = reinterpret_cast<long>(room);
  return from(syscall(number, at, at, at, 0, 0, 0) >= 0);
}

int message(long number, long queue) {
  struct {
    long type = 1;
    char text[8] = "";
  } one;
  return from(syscall(number, queue, &one, sizeof one.text, 0, IPC_NOWAIT) >= 0);
}

int semaphore(long set) {
  sembuf up{0, 1, IPC_NOWAIT};
  return from(syscall(SYS_semop, set, &up, 1) >= 0);
}

// The kernel treats an address without a family as IPv4.
int send_without_a_family() {
  sockaddr_in to{};
  to.sin_family = AF_UNSPEC;
  to.sin_port = htons(4791);
  inet_pton(AF_INET, "192.0.2.1", &to.sin_addr);
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  return from(sendto(fd, "x", 1, 0, reinterpret_cast<sockaddr*>(&to), sizeof to) == 1);
}

int bind_udp(uint16_t port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  return from(bind(fd, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0);
}

int bind_unix(const char* path) {
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  std::strncpy(at.sun_path, path, sizeof at.sun_path - 1);
  if (*path == '@') at.sun_path[0] = '\0';
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + std::strlen(path));
  return from(bind(fd, reinterpret_cast<sockaddr*>(&at), length) == 0);
}

// The device's key, as uroce/net/share/user_key.cc opens it.
int write_key(const char* folder) {
  struct stat network{};
  stat("/proc/self/ns/net", &network);
  const std::string path = std::string(folder) + "/uroce-" + std::to_string(geteuid()) + "/uroce-key." +
                           std::to_string(network.st_ino);
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0 || write(fd, "mine", 4) != 4) return errno;
  close(open("has-key", O_WRONLY | O_CREAT, 0600));
  return pause();
}

int in_network(const char* name) {
  char here[64] = "";
  return readlink("/proc/self/ns/net", here, sizeof here - 1) > 0 && std::strcmp(here, name) == 0 ? kLet : 1;
}

int reserve_disk() {
  const int fd = open("file", O_RDWR | O_CREAT, 0600);
  return from(fallocate(fd, 0, 0, 1 << 20) == 0);
}

// Opens descriptors that /proc does not show for the process.
int own_descriptors() {
  int result = 0;
  std::thread([&] { result = from(close_range(~0U - 1, ~0U, CLOSE_RANGE_UNSHARE) == 0); }).join();
  return result;
}

int thread_with_own_descriptors() {
  alignas(16) static char stack[1 << 16];
  return from(clone([](void*) { return 0; }, stack + sizeof stack, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD,
                    nullptr) >= 0);
}

int run(const std::string& what, const char* argument) {
  const std::map<std::string, std::function<int()>> all{
      {"nothing", [] { return 0; }},
      {"fail", [] { return 3; }},
      {"abort", []() -> int { abort(); }},
      {"spin", []() -> int { spin(); }},
      {"sleep", [] { return pause(); }},
      {"fork", [] { return from(fork() >= 0); }},
      {"raw-clone", [] { return from(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) >= 0); }},
      {"exec", [] { return from(execl("/bin/true", "true", nullptr) == 0); }},
      {"memory", fill_memory},
      {"memory-shared", fill_shared_memory},
      {"page-tables", fill_page_tables},
      {"memory-after-exit", fill_memory_after_the_first_thread},
      {"end-by-threads", end_by_threads},
      {"memory-of-child", fill_memory_in_a_child},
      {"memory-while-connecting", fill_memory_behind_a_connection},
      {"left-behind", leave_one_behind},
      {"call", [=] { return call(std::atol(argument)); }},
      {"ioctl", [=] { return from(ioctl(0, static_cast<unsigned long>(std::atol(argument)), 0) == 0); }},
      {"new-namespace", [] { return from(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0) >= 0); }},
      {"udp-no-family", send_without_a_family},
      {"udp-bind", [=] { return bind_udp(static_cast<uint16_t>(std::atoi(argument))); }},
      {"unix-bind", [=] { return bind_unix(argument); }},
      {"key", [=] { return write_key(argument); }},
      {"in-network", [=] { return in_network(argument); }},
      {"in-own-user", [=] { return geteuid() == static_cast<uid_t>(std::atoi(argument)) ? kLet : 1; }},
      {"truncate", [=] { return from(open(argument, O_RDONLY | O_TRUNC) >= 0); }},
      {"truncate-neither", [=] { return from(open(argument, O_ACCMODE | O_TRUNC) >= 0); }},
      {"shm-attach", [=] { return from(syscall(SYS_shmat, std::atol(argument), 0, 0) >= 0); }},
      {"shm-remove", [=] { return from(syscall(SYS_shmctl, std::atol(argument), IPC_RMID, 0) >= 0); }},
      {"msg-remove", [=] { return from(syscall(SYS_msgctl, std::atol(argument), IPC_RMID, 0) >= 0); }},
      {"msg-send", [=] { return message(SYS_msgsnd, std::atol(argument)); }},
      {"msg-receive", [=] { return message(SYS_msgrcv, std::atol(argument)); }},
      {"sem-remove", [=] { return from(syscall(SYS_semctl, std::atol(argument), 0, IPC_RMID, 0) >= 0); }},
      {"sem-change", [=] { return semaphore(std::atol(argument)); }},
      {"disk", fill_disk},
      {"disk-deep", [] { return fill_disk_below(40); }},
      {"disk-unnamed", fill_disk_unnamed},
      {"disk-in-socket", fill_disk_in_a_socket},
      {"disk-reserved", reserve_disk},
      {"own-descriptors", own_descriptors},
      {"thread-without-files", thread_with_own_descriptors},
      {"memory-files", [] { return fill_memory_files(20); }},
      {"memory-files-closed", [] { return fill_memory_files(200); }},
      {"unix-race", [=] { return race_connect(argument); }},
      {"unix-full", connect_for_ever},
      {"unix-datagram-pair",
       [] {
         int ends[2];
         return from(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
       }},
      {"own", signal_by_owner},
      {"affinity",
       [] {
         cpu_set_t one;
         CPU_ZERO(&one);
         CPU_SET(0, &one);
         return from(sched_setaffinity(getppid(), sizeof one, &one) == 0);
       }},
      {"chmod-newer", [=] { return from(syscall(452, AT_FDCWD, argument, 0, 0) == 0); }},
      {"tcp", [] { return from(socket(AF_INET, SOCK_STREAM, 0) >= 0); }},
      {"unix-datagram", [] { return from(socket(AF_UNIX, SOCK_DGRAM, 0) >= 0); }},
      {"device-packet", [] { return send_udp("127.0.0.1", 4791); }},
      {"udp-out", [] { return send_udp("192.0.2.1", 4791); }},
      {"udp-port", [] { return send_udp("127.0.0.1", 53); }},
      {"unix", [=] { return connect_unix(argument); }},
      {"read", [=] { return read_file(argument); }},
      {"write", [=] { return write_file(argument); }},
      {"symlink", symlinked},
      {"unlink", [=] { return from(unlink(argument) == 0); }},
      {"chmod", [=] { return from(chmod(argument, 0) == 0); }},
      {"signal", [] { return from(kill(getppid(), SIGKILL) == 0); }},
      {"thread", in_a_thread},
  };
  return all.at(what)();
}

}  // namespace

int main(int argc, char** argv) { return argc < 2 ? 2 : run(argv[1], argc > 2 ? argv[2] : ""); }
