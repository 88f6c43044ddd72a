// Runs a program that misuses verbs, and collects its report, its stderr, and its messages to an agent.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

struct Outcome {
  int status = -1;
  std::string report;  // the file's; empty if it was not written
  std::string errors;  // stderr
};

inline std::string take_file(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  std::remove(path.c_str());
  return text.str();
}

// Runs `MISUSE_PROGRAM misuse` or another with the report on, in this format, to a file.
inline Outcome run_program(const std::string& command, const std::string& format,
                           const std::string& environment = "") {
  const std::string path = testing::TempDir() + "uroce-report-" + std::to_string(getpid());
  const std::string errors = path + "-stderr";
  std::remove(path.c_str());
  const std::string line = "UROCE_ADDR=127.0.0.91 UROCE_REPORT=" + format + ":" + path + " " + environment +
                           " " + command + " 2>" + errors;
  Outcome outcome;
  outcome.status = std::system(line.c_str());
  outcome.report = take_file(path);
  outcome.errors = take_file(errors);
  return outcome;
}

// The findings of a report in JSON, unchanged.
inline std::vector<std::string> findings(const std::string& json) {
  std::vector<std::string> all;
  const std::string begin = "{\"id\":";
  for (std::size_t at = json.find(begin); at != std::string::npos;) {
    const std::size_t next = json.find(begin, at + 1);
    all.push_back(json.substr(at, next - at));
    at = next;
  }
  return all;
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// True if a line or finding has all of these parts.
inline bool one_has(const std::vector<std::string>& all, const std::vector<std::string>& parts) {
  for (const std::string& text : all) {
    bool every = true;
    for (const std::string& part : parts) every &= has(text, part);
    if (every) return true;
  }
  return false;
}

// Listens like an agent, and keeps the data of one process as it comes: JSON between binary records.
class FeedListener {
 public:
  FeedListener() : path_(testing::TempDir() + "uroce-feed-" + std::to_string(getpid())) {
    unlink(path_.c_str());
    fd_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path_.c_str(), sizeof address.sun_path - 1);
    EXPECT_EQ(bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(fd_, 4), 0);
    thread_ = std::thread([this] { take(); });
  }
  ~FeedListener() {
    said();
    close(fd_);
    unlink(path_.c_str());
  }
  std::string environment() const { return "UROCE_FEED=" + path_; }
  // All messages: the process has ended.
  const std::string& said() {
    shutdown(fd_, SHUT_RDWR);  // ends the wait for a program that never connected
    if (thread_.joinable()) thread_.join();
    return said_;
  }

 private:
  void take() {
    const int from = accept(fd_, nullptr, nullptr);
    if (from < 0) return;
    char bytes[1 << 16];
    for (ssize_t n; (n = read(from, bytes, sizeof bytes)) > 0;) said_.append(bytes, static_cast<size_t>(n));
    close(from);
  }

  std::string path_;
  int fd_ = -1;
  std::string said_;
  std::thread thread_;
};
