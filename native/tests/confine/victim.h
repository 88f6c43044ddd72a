// Outcomes of the victim, and what it fills memory and disk with.
#pragma once

#include <cerrno>

// Exit code: it was allowed.
constexpr int kLet = 9;

inline int from(bool done) { return done ? kLet : errno; }

int fill_memory();
// Fills memory that is not resident: the pages are forgotten, and their contents are kept.
int fill_shared_memory();
// Each read needs a page table for 2 MiB, and no page.
int fill_page_tables();
// Fills memory after the end of the first thread: /proc shows only that thread's memory for the process.
int fill_memory_after_the_first_thread();
int fill_memory_in_a_child();
// Fills memory that is not resident in the process, under the name of the device's memory files.
int fill_memory_files(int files);
int fill_disk();
int fill_disk_below(int depth);
// Fills the disk by files that only mappings hold.
int fill_disk_unnamed();
// Fills the disk by files that only wait in a socket.
int fill_disk_in_a_socket();
