/*
 * Extension API of the embedded device (liburoce.so).
 *
 * Information that only a device in user space has: CPU time of the engine, life-cycle stamps of a work
 * request, counters, a packet tap, fault injection, pinned memory. Vendors add such calls beside libibverbs in
 * the same way (mlx5dv, efadv). Programs find them with dlsym() and must live without them: other devices do
 * not have them.
 *
 * Conventions
 *  - Every function returns 0 or a positive errno value; errno itself is left alone.
 *  - `ctx` is a context of this device; any other pointer gives EINVAL.
 *  - A process has one engine, shared by all its contexts: CPU time, counters, tap, faults and stamps are those
 *    of the process, for every context.
 *  - Times are nanoseconds of CLOCK_MONOTONIC. Sizes are bytes. Structures are in host byte order.
 *  - All functions may be called from any thread.
 */
#ifndef UROCE_EXT_UROCE_H
#define UROCE_EXT_UROCE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ibv_context;
struct ibv_qp;

#if defined(__GNUC__)
#define UROCE_API __attribute__((visibility("default")))
#else
#define UROCE_API
#endif

/* Major in the upper 16 bits, minor in the lower. A change of the major breaks callers. */
#define UROCE_VERSION_MAJOR 1
#define UROCE_VERSION_MINOR 11
UROCE_API uint32_t uroce_version(void);

/* ---- CPU time ----------------------------------------------------------------------------------------- */

/*
 * CPU time spent on NIC work, both on the engine's own thread and inside post_send/poll_cq of the application.
 * Only productive work counts: a poll that finds nothing is the application's own spinning. Time is measured
 * with the monotonic clock and corrected for preemption from the thread's CPU clock.
 */
struct uroce_cpu {
  uint64_t engine_user_ns;   /* engine code outside system calls: what a NIC would do in hardware */
  uint64_t engine_kernel_ns; /* in the engine's own system calls (UDP send and receive) */
  uint64_t app_thread_ns;    /* share of the two above that ran on application threads */
  uint64_t thread_cpu_ns;    /* CPU clock of the engine's own thread, everything included */
  uint64_t progress_calls;   /* productive progress calls */
  uint64_t empty_polls;      /* progress calls that found nothing */
  uint64_t app_user_ns;      /* share of engine_user_ns that ran on application threads (1.1) */
};
UROCE_API int uroce_query_cpu(struct ibv_context* ctx, struct uroce_cpu* cpu);

/* ---- Counters ----------------------------------------------------------------------------------------- */

#define UROCE_COUNTER_NAME_MAX 48

/* rxe's hardware counter names (sent_pkts, rcvd_pkts, duplicate_request ...) and the device's own. Never
 * reset. */
struct uroce_counter {
  char name[UROCE_COUNTER_NAME_MAX];
  uint64_t value;
};

/*
 * `*n` is the capacity of `counters` on entry and the number of existing counters on return. ENOSPC when
 * that is more than the capacity; as many as fit are then filled in. `counters` may be NULL when `*n` is 0.
 */
UROCE_API int uroce_query_counters(struct ibv_context* ctx, struct uroce_counter* counters, uint32_t* n);

/* ---- Files -------------------------------------------------------------------------------------------- */

enum uroce_file_kind {
  UROCE_FILE_TEXT = 0, /* `content` is the file's text; if empty, the kernel's file cannot be read: EINVAL */
  UROCE_FILE_LINK = 1, /* a symbolic link; `content` is its target */
  UROCE_FILE_CHAR_DEVICE = 2, /* a device that can be opened and does nothing more */
};
typedef void (*uroce_file_reader)(void* arg, enum uroce_file_kind kind, const char* path,
                                  const char* content);

/*
 * Lists the device as the kernel would show it in /sys and /dev: calls `reader` for each file, with an absolute
 * path. The files do not exist; the caller makes them for its programs. No context is needed. The errors are
 * those of ibv_open_device for an address that is not available. (1.2)
 */
UROCE_API int uroce_list_files(uroce_file_reader reader, void* arg);

/*
 * Records for the misuse report that the program loaded the system's library at `path` with dlopen(): that
 * library's functions do not see the device. EINVAL without a path. (1.7)
 */
UROCE_API int uroce_note_library(const char* path);

/* ---- Packet tap --------------------------------------------------------------------------------------- */

enum uroce_direction { UROCE_DIR_RX = 0, UROCE_DIR_TX = 1 };

enum uroce_tap_mode {
  UROCE_TAP_RING = 0, /* when full, the oldest packet is dropped (counted) */
  UROCE_TAP_KEEP = 1, /* when full, new packets are dropped (counted) */
};

struct uroce_tap_attr {
  uint32_t max_packets; /* 0: 65536 */
  uint32_t snap_len;    /* bytes kept of a packet; 0: whole packets */
  uint64_t max_bytes;   /* memory for packets, allocated at start; 0: 64 MiB */
  uint32_t mode;        /* enum uroce_tap_mode */
  uint32_t reserved;    /* 0 */
};

enum uroce_packet_flags {
  UROCE_PKT_BAD_ICRC = 1 << 0,   /* received with a wrong ICRC, dropped by the port */
  UROCE_PKT_FAULT_DROP = 1 << 1, /* the fault injector dropped it: it never reached the wire */
  UROCE_PKT_FAULT_DUP = 1 << 2,  /* a copy made by the fault injector */
  UROCE_PKT_FAULT_LATE = 1 << 3, /* held back by the fault injector (delay, reorder) */
  UROCE_PKT_FAULT_BAD = 1 << 4,  /* corrupted by the fault injector after its ICRC was computed */
  UROCE_PKT_FAULT_MARK = 1 << 5, /* marked as congested by the fault injector (1.6) */
};

/*
 * Header of a captured packet in the buffer of uroce_tap_read; `cap_len` bytes follow, then padding up to the
 * next multiple of 8. The bytes start at the IP header (IPv4 or IPv6), restored to the one on which the sender
 * computed the ICRC, and run to the last byte of the ICRC.
 */
struct uroce_tap_record {
  uint64_t time_ns;
  uint32_t seq;      /* counts the packets that the tap saw since its start, dropped ones too */
  uint32_t orig_len; /* bytes from the IP header on */
  uint32_t cap_len;  /* bytes that follow */
  uint8_t direction; /* enum uroce_direction */
  uint8_t flags;     /* enum uroce_packet_flags */
  uint16_t reserved;
};

/* EBUSY when one is running, ENOMEM, EINVAL. */
UROCE_API int uroce_tap_start(struct ibv_context* ctx, const struct uroce_tap_attr* attr);

/*
 * Moves captured packets, oldest first and whole records only, into `buf` (8-byte aligned). `*used` gets the
 * bytes written (0: no packets), `*dropped` the packets lost since the start (may be NULL). Packets stay
 * readable after uroce_tap_stop. ENOENT when no tap was started, ENOSPC when `len` is too small for the next
 * record.
 */
UROCE_API int uroce_tap_read(struct ibv_context* ctx, void* buf, size_t len, size_t* used, uint64_t* dropped);

/* Ends the capture; captured packets stay readable until the next start. ENOENT when none runs. */
UROCE_API int uroce_tap_stop(struct ibv_context* ctx);

/*
 * Writes every packet of this process to a pcapng file (link type RAW: the record starts at the IP header;
 * one record per RoCE packet), independently of the tap above. `%p` in the path becomes the process id. The
 * environment variable UROCE_PCAP=<path> does the same from the first open on. EBUSY when one is open; errno
 * of open(2).
 */
UROCE_API int uroce_pcapng_open(struct ibv_context* ctx, const char* path);

/* Flushes and closes. ENOENT when none is open, EIO (or ENOSPC) when a write had failed. */
UROCE_API int uroce_pcapng_close(struct ibv_context* ctx);

/* ---- Faults ------------------------------------------------------------------------------------------- */

enum uroce_fault_action {
  UROCE_FAULT_DROP = 1,
  UROCE_FAULT_DUPLICATE = 2,
  UROCE_FAULT_REORDER = 3, /* swapped with the next packet (or sent 100 us later when none comes) */
  UROCE_FAULT_DELAY = 4,   /* held back for delay_us */
  UROCE_FAULT_CORRUPT = 5, /* a bit flipped behind the ICRC's back */
  UROCE_FAULT_MARK =
      6, /* leaves with ECN 3, congestion experienced, as from a switch with a long queue (1.6) */
};

enum uroce_fault_match {
  UROCE_MATCH_QPN = 1 << 0, /* destination QPN of the packet */
  UROCE_MATCH_PSN = 1 << 1,
  UROCE_MATCH_OPCODE = 1 << 2, /* (BTH opcode & opcode_mask) == opcode */
  UROCE_MATCH_ITER = 1 << 3,   /* the iter-th time (from 1) that a packet matches the rest of this rule */
};

/* Rules act on packets that this process sends. The first rule that matches decides. */
struct uroce_fault_rule {
  uint32_t match; /* or-ed enum uroce_fault_match; 0 matches every packet */
  uint32_t qpn;
  uint32_t psn;
  uint32_t iter;
  uint8_t opcode;
  uint8_t opcode_mask; /* 0 means 0xff */
  uint16_t reserved;
  uint32_t action;   /* enum uroce_fault_action */
  uint32_t times;    /* the rule acts this many times, then is spent; 0: no limit */
  uint32_t delay_us; /* for UROCE_FAULT_DELAY */
};

/* Random faults on packets that this process sends, in parts per million, each drawn on its own; at most
 * 1000000. */
struct uroce_fault_rates {
  uint32_t drop_ppm;
  uint32_t duplicate_ppm;
  uint32_t reorder_ppm;
  uint32_t delay_ppm;
  uint32_t corrupt_ppm;
  uint32_t delay_us; /* for delay_ppm */
  uint64_t seed;     /* 0: a random one, which uroce_query_faults returns */
};

#define UROCE_FAULT_RULES_MAX 256

/*
 * Replaces all rules and rates at once; `rates` NULL means no random faults, `rules` may be NULL when `n` is
 * 0. Both absent takes the injector out of the path. EINVAL on a value out of range, E2BIG on too many rules.
 */
UROCE_API int uroce_set_faults(struct ibv_context* ctx, const struct uroce_fault_rates* rates,
                               const struct uroce_fault_rule* rules, uint32_t n);

/*
 * A longer and slower link for the packets that this process sends, like that of tc-netem(8) (1.4). Packets that
 * rates and rules let through wait for delay_us plus or minus a uniformly drawn jitter_us (packets overtake each
 * other where it is longer than the time between them). They then leave no faster than rate_bps, IP header included.
 */
struct uroce_shaping {
  uint64_t rate_bps; /* bits per second; 0: no limit */
  uint32_t delay_us;
  uint32_t jitter_us; /* at most delay_us */
  uint32_t limit; /* packets that may wait, also for delays of rates and rules; 0: 1000. More are dropped */
  uint32_t mark_ppm; /* parts per million of the packets that UROCE_FAULT_MARK happens to (1.6); before, 0 */
};

/* uroce_set_faults with shaping as well (1.4); `shaping` NULL: none. */
UROCE_API int uroce_set_shaped_faults(struct ibv_context* ctx, const struct uroce_fault_rates* rates,
                                      const struct uroce_fault_rule* rules, uint32_t n,
                                      const struct uroce_shaping* shaping);

/* Counts of the injector since it was set. `delayed` counts packets that a rate or a rule delayed, not those
 * that only waited for the shaping, as all do. */
struct uroce_fault_report {
  uint64_t seed;
  uint64_t packets; /* seen */
  uint64_t dropped;
  uint64_t duplicated;
  uint64_t reordered;
  uint64_t delayed;
  uint64_t corrupted;
};
UROCE_API int uroce_query_faults(struct ibv_context* ctx, struct uroce_fault_report* report);

/* The number of packets that the injector has marked since it was set (1.6). */
UROCE_API int uroce_query_fault_marks(struct ibv_context* ctx, uint64_t* marked);

/* ---- Packets of one's own ------------------------------------------------------------------------------ */

/*
 * Sends one packet to the peer of a connected queue pair (RC, UC) unchanged, to the address and by the link of
 * that queue pair (1.5). `packet` runs from the BTH to the ICRC; nothing in it is checked or filled in, so the
 * ICRC is the caller's, over IPv4 identification 0. Taps show it. The queue pair does not know about it: neither
 * its PSN nor a counter changes, and no fault touches it. EINVAL for a queue pair of another device or type, and
 * for an invalid length (valid: 16 to 4160 bytes); ENOTCONN before the queue pair has an address; EAGAIN while
 * there is no room.
 */
UROCE_API int uroce_send_packet(struct ibv_qp* qp, const void* packet, size_t length);

/* ---- Life-cycle stamps -------------------------------------------------------------------------------- */

/* The life of one send work request, on the clock of captured packets: first_tx, last_tx and acked are the
 * times that the tap gives to those packets. A time of 0 means that the step did not happen (yet): an
 * unsignaled request has no CQE, a CQE that was not polled has no `polled`, and what sends nothing has no
 * packets. Each time is at least the one before it. */
struct uroce_stamp {
  uint64_t wr_id;
  uint32_t qpn;
  uint32_t opcode;   /* enum ibv_wr_opcode */
  uint32_t byte_len; /* payload of the request */
  uint32_t status;   /* enum ibv_wc_status */
  uint64_t posted;   /* ibv_post_send took it */
  uint64_t first_tx; /* its first packet was handed to the socket */
  uint64_t last_tx;  /* its last packet was, for the last time */
  uint64_t acked;    /* the packet that acknowledged it (or the last response) came from the socket;
                        0 for UC and UD */
  uint64_t cqe;      /* the packet of `acked` wrote its completion; for UC and UD, the hand-over did */
  uint64_t polled;   /* ibv_poll_cq returned it */
};

struct uroce_stamps_attr {
  uint32_t max_records; /* ring of finished records; 0: 65536. When full the oldest goes (counted). */
  uint32_t every;       /* keep one request in so many; 0 and 1: all */
};

/* EBUSY when running, ENOMEM, EINVAL. Only requests posted after the start are stamped. */
UROCE_API int uroce_stamps_start(struct ibv_context* ctx, const struct uroce_stamps_attr* attr);

/*
 * Moves finished records, oldest first. `*n` is the capacity on entry, the number of records on return;
 * `*dropped` the number lost since the start (may be NULL). A signaled request is finished when it was
 * polled, an unsignaled one when it retired. ENOENT when there was no start.
 */
UROCE_API int uroce_stamps_read(struct ibv_context* ctx, struct uroce_stamp* records, uint32_t* n,
                                uint64_t* dropped);

/* Ends stamping; what was recorded stays readable until the next start. ENOENT when it does not run. */
UROCE_API int uroce_stamps_stop(struct ibv_context* ctx);

/* ---- Link --------------------------------------------------------------------------------------------- */

enum uroce_link {
  UROCE_LINK_UDP = 0,  /* through the kernel's sockets */
  UROCE_LINK_SHM = 1,  /* through rings in shared memory */
  UROCE_LINK_AUTO = 2, /* shared memory where the other process takes it, else sockets */
};

/*
 * The link for what this queue pair sends, from its next ibv_modify_qp with IBV_QP_AV on. Each end of a connection
 * chooses for itself. Without this call it is that of the process (UROCE_LINK). EINVAL for a queue pair of
 * another device, and for anything but UROCE_LINK_UDP and UROCE_LINK_AUTO. In a process with UROCE_LINK=udp,
 * UROCE_LINK_AUTO means sockets too.
 */
UROCE_API int uroce_set_qp_link(struct ibv_qp* qp, enum uroce_link link);

/*
 * The link that what a connected queue pair (RC, UC) sends takes now: UROCE_LINK_UDP or UROCE_LINK_SHM. Asks the other
 * process for a ring if nothing has been sent yet. EINVAL for a queue pair of another device or type, ENOTCONN
 * before it has an address, EAGAIN while the other process has not answered.
 */
UROCE_API int uroce_query_qp_link(struct ibv_qp* qp, enum uroce_link* link);

#include "uroce_policy.h"

/* ---- Occupancy of queues (1.8) -------------------------------------------------------------------------- */

struct ibv_cq;
struct ibv_srq;

/*
 * Entries of a queue that are in use: of a send queue those of requests whose completion was not polled, of a
 * receive queue those of receives that no message has taken, of a completion queue those of completions that were
 * not polled. A receive queue of a QP with an SRQ has none.
 */
struct uroce_queue {
  uint32_t used;
  uint32_t size;
  uint32_t queued; /* send queue: requests that have not completed; others: as `used` */
  uint32_t reserved;
};

/* EINVAL for objects of other devices. `send` and `recv` may be NULL. */
UROCE_API int uroce_query_qp_queues(struct ibv_qp* qp, struct uroce_queue* send, struct uroce_queue* recv);
UROCE_API int uroce_query_srq_queue(struct ibv_srq* srq, struct uroce_queue* queue);
UROCE_API int uroce_query_cq_queue(struct ibv_cq* cq, struct uroce_queue* queue);

/* ---- Memory ------------------------------------------------------------------------------------------- */

/* Bytes of registered memory, in whole pages, overlapping regions counted each. An ordinary user's
 * RLIMIT_MEMLOCK is often 8 MiB: what could not be pinned works all the same and is counted as unpinned. With
 * UROCE_STRICT_MEMLOCK=1 ibv_reg_mr refuses with ENOMEM instead, as the kernel does. */
struct uroce_pinned {
  uint64_t pinned_bytes;
  uint64_t unpinned_bytes;
  uint64_t regions;
  uint64_t memlock_limit; /* RLIMIT_MEMLOCK; UINT64_MAX: none */
};
UROCE_API int uroce_query_mr_pinned(struct ibv_context* ctx, struct uroce_pinned* pinned);

#ifdef __cplusplus
}
#endif

#endif
