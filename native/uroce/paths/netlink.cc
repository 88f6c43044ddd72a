// Requests of `rdma link` and `rdma dev` of iproute2 to the kernel by NETLINK_RDMA, which has no device
// here and often no such family. The program gets a socket of the family for user space instead. Its
// requests are read here, and the answers go to that socket, so that all other calls on it are the
// kernel's.
#include <dlfcn.h>
#include <errno.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <pthread.h>
#include <rdma/rdma_netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>

#include "uroce/ext/uroce.h"
#include "uroce/paths/redirect.h"

namespace uroce::paths {
namespace {

Next<int(int, int, int)> next_socket("socket");
Next<ssize_t(int, const void*, size_t, int)> next_send("send");
Next<ssize_t(int, const void*, size_t, int, const sockaddr*, socklen_t)> next_sendto("sendto");
Next<ssize_t(int, const msghdr*, int)> next_sendmsg("sendmsg");

// The replacement sockets, by number and inode: a number is reused after close().
struct Socket {
  int fd;
  ino_t inode;
};
constexpr int kMost = 16;
Socket g_sockets[kMost];
int g_next = 0;
std::atomic<bool> g_any{false};
pthread_mutex_t g_lock = PTHREAD_MUTEX_INITIALIZER;

ino_t inode_of(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 ? status.st_ino : 0;
}

void remember(int fd) {
  pthread_mutex_lock(&g_lock);
  g_sockets[g_next++ % kMost] = {fd, inode_of(fd)};
  pthread_mutex_unlock(&g_lock);
  g_any = true;
}

bool stands_in(int fd) {
  if (!g_any.load(std::memory_order_relaxed)) return false;
  const ino_t inode = inode_of(fd);
  bool found = false;
  pthread_mutex_lock(&g_lock);
  for (const Socket& s : g_sockets) found = found || (s.inode != 0 && s.fd == fd && s.inode == inode);
  pthread_mutex_unlock(&g_lock);
  return found;
}

// Contents of the answers, from the device's files.
struct Facts {
  char name[64], firmware[64], interface[IF_NAMESIZE];
  uint64_t guid, system_guid;
  unsigned state, physical, caps;
  bool described;
};

uint64_t guid_of(const char* text) {
  unsigned part[4] = {};
  sscanf(text, "%4x:%4x:%4x:%4x", &part[0], &part[1], &part[2], &part[3]);
  uint64_t guid = 0;
  for (const unsigned p : part) guid = guid << 16 | p;
  return guid;
}

void read_fact(void* arg, uroce_file_kind, const char* path, const char* content) {
  auto* facts = static_cast<Facts*>(arg);
  if (strstr(path, "/infiniband/") == nullptr) return;
  const auto ends = [&](const char* end) {
    const size_t a = strlen(path), b = strlen(end);
    return a >= b && strcmp(path + a - b, end) == 0;
  };
  if (ends("/node_desc")) facts->described = sscanf(content, "%63s", facts->name) == 1;
  if (ends("/fw_ver")) sscanf(content, "%63s", facts->firmware);
  if (ends("/node_guid")) facts->guid = guid_of(content);
  if (ends("/sys_image_guid")) facts->system_guid = guid_of(content);
  if (ends("/ports/1/state")) sscanf(content, "%u", &facts->state);
  if (ends("/ports/1/phys_state")) sscanf(content, "%u", &facts->physical);
  if (ends("/ports/1/cap_mask")) sscanf(content, "%x", &facts->caps);
  static_assert(IF_NAMESIZE == 16);
  if (strstr(path, "/gid_attrs/ndevs/") != nullptr && facts->interface[0] == '\0')
    sscanf(content, "%15s", facts->interface);
}

class Message {
 public:
  Message(const nlmsghdr& request, uint32_t port, uint16_t type, uint16_t flags) {
    head()->nlmsg_type = type;
    head()->nlmsg_flags = flags;
    head()->nlmsg_seq = request.nlmsg_seq;
    head()->nlmsg_pid = port;
    head()->nlmsg_len = NLMSG_HDRLEN;
  }
  void raw(const void* data, size_t size) {
    memcpy(bytes_ + head()->nlmsg_len, data, size);
    head()->nlmsg_len += static_cast<uint32_t>(NLMSG_ALIGN(size));
  }
  void put(uint16_t type, const void* data, size_t size) {
    const nlattr attribute{static_cast<uint16_t>(NLA_HDRLEN + size), type};
    raw(&attribute, sizeof attribute);
    raw(data, size);
  }
  void put(uint16_t type, const char* text) { put(type, text, strlen(text) + 1); }
  void put8(uint16_t type, unsigned value) {
    const auto byte = static_cast<uint8_t>(value);
    put(type, &byte, sizeof byte);
  }
  void put32(uint16_t type, uint32_t value) { put(type, &value, sizeof value); }
  void put64(uint16_t type, uint64_t value) { put(type, &value, sizeof value); }
  void send_from(int fd) const {
    sockaddr_nl to{};
    to.nl_family = AF_NETLINK;
    to.nl_pid = head()->nlmsg_pid;
    (*next_sendto)(fd, bytes_, head()->nlmsg_len, 0, reinterpret_cast<sockaddr*>(&to), sizeof to);
  }

 private:
  nlmsghdr* head() { return reinterpret_cast<nlmsghdr*>(bytes_); }
  const nlmsghdr* head() const { return reinterpret_cast<const nlmsghdr*>(bytes_); }
  alignas(nlmsghdr) char bytes_[1024] = {};  // more than all attributes of a device
};

void put_device(Message* out, const Facts& facts) {
  out->put32(RDMA_NLDEV_ATTR_DEV_INDEX, 0);
  out->put(RDMA_NLDEV_ATTR_DEV_NAME, facts.name);
  out->put32(RDMA_NLDEV_ATTR_PORT_INDEX, 1);  // the number of ports for a device, else the port
}

void put_details(Message* out, const Facts& facts) {
  put_device(out, facts);
  out->put(RDMA_NLDEV_ATTR_FW_VERSION, facts.firmware);
  out->put64(RDMA_NLDEV_ATTR_NODE_GUID, facts.guid);
  out->put64(RDMA_NLDEV_ATTR_SYS_IMAGE_GUID, facts.system_guid);
  out->put8(RDMA_NLDEV_ATTR_DEV_NODE_TYPE, 1);  // a channel adapter
  out->put(RDMA_NLDEV_ATTR_DEV_PROTOCOL, "roce");
}

void put_port(Message* out, const Facts& facts) {
  put_device(out, facts);
  out->put64(RDMA_NLDEV_ATTR_CAP_FLAGS, facts.caps);
  out->put8(RDMA_NLDEV_ATTR_PORT_STATE, facts.state);
  out->put8(RDMA_NLDEV_ATTR_PORT_PHYS_STATE, facts.physical);
  if (facts.interface[0] == '\0') return;
  out->put32(RDMA_NLDEV_ATTR_NDEV_INDEX, if_nametoindex(facts.interface));
  out->put(RDMA_NLDEV_ATTR_NDEV_NAME, facts.interface);
}

// The device or the port that a request names; defaults are 0 and 1.
bool names_ours(const nlmsghdr& request) {
  const auto* at = reinterpret_cast<const char*>(&request) + NLMSG_HDRLEN;
  for (size_t left = request.nlmsg_len - NLMSG_HDRLEN; left >= sizeof(nlattr);) {
    nlattr attribute;
    memcpy(&attribute, at, sizeof attribute);
    if (attribute.nla_len < sizeof attribute || attribute.nla_len > left) return false;
    uint32_t value = 0;
    if (attribute.nla_len == NLA_HDRLEN + sizeof value) memcpy(&value, at + NLA_HDRLEN, sizeof value);
    if (attribute.nla_type == RDMA_NLDEV_ATTR_DEV_INDEX && value != 0) return false;
    if (attribute.nla_type == RDMA_NLDEV_ATTR_PORT_INDEX && value != 1) return false;
    const size_t size = NLA_ALIGN(attribute.nla_len);
    if (size >= left) break;
    at += size;
    left -= size;
  }
  return true;
}

void send_reply(int from, uint32_t port, const nlmsghdr& request) {
  const auto files = reinterpret_cast<decltype(&uroce_list_files)>(dlsym(RTLD_DEFAULT, "uroce_list_files"));
  Facts facts{};
  const bool known = files != nullptr && files(read_fact, &facts) == 0 && facts.described;
  const bool dump = (request.nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
  const uint16_t multi = dump ? NLM_F_MULTI : 0;
  int error = 0;
  Message reply(request, port, request.nlmsg_type, multi);
  switch (request.nlmsg_type) {
    case RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET):
      put_details(&reply, facts);
      break;
    case RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_PORT_GET):
      put_port(&reply, facts);
      break;
    case RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_SYS_GET):
      reply.put8(RDMA_NLDEV_SYS_ATTR_NETNS_MODE, 1);  // shared
      break;
    default:
      error = -EOPNOTSUPP;
  }
  if (error == 0 && !names_ours(request)) error = -ENODEV;
  if (error == 0 && known) reply.send_from(from);
  if (error == 0 && dump) {
    Message done(request, port, NLMSG_DONE, NLM_F_MULTI);
    done.raw(&error, sizeof error);
    done.send_from(from);
  } else if (error != 0 || (request.nlmsg_flags & NLM_F_ACK) != 0) {
    Message result(request, port, NLMSG_ERROR, 0);
    const nlmsgerr body{!known && error == 0 ? -ENODEV : error, request};
    result.raw(&body, sizeof body);
    result.send_from(from);
  }
}

// Handles a request. Returns the length, as if the kernel had taken it; -1 with errno set.
ssize_t handle_request(int fd, const void* data, size_t length) {
  nlmsghdr request;
  if (length < sizeof request) {
    errno = EINVAL;
    return -1;
  }
  memcpy(&request, data, sizeof request);
  if (request.nlmsg_len < sizeof request || request.nlmsg_len > length) {
    errno = EINVAL;
    return -1;
  }
  sockaddr_nl own{};
  socklen_t size = sizeof own;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&own), &size) != 0) return -1;
  if (own.nl_pid == 0) {  // the kernel assigns a number to a sender
    if (bind(fd, reinterpret_cast<sockaddr*>(&own), size) != 0 ||
        getsockname(fd, reinterpret_cast<sockaddr*>(&own), &size) != 0)
      return -1;
  }
  const int from = (*next_socket)(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_USERSOCK);
  if (from < 0) return -1;
  send_reply(from, own.nl_pid, *static_cast<const nlmsghdr*>(data));
  close(from);
  return static_cast<ssize_t>(length);
}

__attribute__((noinline)) ssize_t handle_request(int fd, const msghdr& message) {
  alignas(nlmsghdr) char all[4096];
  size_t length = 0;
  for (size_t i = 0; i < message.msg_iovlen; ++i) {
    const iovec& part = message.msg_iov[i];
    if (part.iov_len > sizeof all - length) {
      errno = EMSGSIZE;
      return -1;
    }
    memcpy(all + length, part.iov_base, part.iov_len);
    length += part.iov_len;
  }
  return handle_request(fd, all, length);
}

}  // namespace
}  // namespace uroce::paths

using namespace uroce::paths;

extern "C" {

#pragma GCC visibility push(default)

int socket(int domain, int type, int protocol) {
  if (domain != AF_NETLINK || protocol != NETLINK_RDMA || tree_place() == nullptr)
    return (*next_socket)(domain, type, protocol);
  const int fd = (*next_socket)(domain, type, NETLINK_USERSOCK);
  if (fd >= 0) remember(fd);
  return fd;
}

ssize_t send(int fd, const void* data, size_t length, int flags) {
  return stands_in(fd) ? handle_request(fd, data, length) : (*next_send)(fd, data, length, flags);
}

ssize_t sendto(int fd, const void* data, size_t length, int flags, const sockaddr* to, socklen_t size) {
  return stands_in(fd) ? handle_request(fd, data, length) : (*next_sendto)(fd, data, length, flags, to, size);
}

ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  return stands_in(fd) ? handle_request(fd, *message) : (*next_sendmsg)(fd, message, flags);
}

#pragma GCC visibility pop

}  // extern "C"
