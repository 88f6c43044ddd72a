/*
 * Policies of a queue pair (1.9): recovery from loss and congestion control, and what they do. A part of uroce.h, whose
 * conventions hold. Programs include that.
 */
#ifndef UROCE_EXT_UROCE_POLICY_H
#define UROCE_EXT_UROCE_POLICY_H

#ifndef UROCE_EXT_UROCE_H
#error "Include uroce.h."
#endif

enum uroce_recovery {
  UROCE_RECOVERY_GO_BACK_N = 0, /* what was lost and all behind it is sent again: the default */
  UROCE_RECOVERY_GO_BACK_0 = 1, /* the whole message is sent again */
  /* Only what was lost is sent again (1.11). Between two ends that chose it; else as UROCE_RECOVERY_GO_BACK_N. */
  UROCE_RECOVERY_SELECTIVE_REPEAT = 2,
};

enum uroce_congestion {
  UROCE_CONGESTION_NONE = 0,        /* the default: CNPs are counted */
  UROCE_CONGESTION_DCQCN_PAPER = 1, /* DCQCN with the published constants */
  UROCE_CONGESTION_DCQCN_NIC = 2,   /* with the defaults of NVIDIA's NICs */
  UROCE_CONGESTION_DCQCN_NS3 = 3,   /* with those of HPCC's fork of ns-3 */
  UROCE_CONGESTION_SWIFT = 4,
  UROCE_CONGESTION_TIMELY = 5,
  UROCE_CONGESTION_TIMELY_PATCHED = 6, /* with the fixed point of its critics' patch (1.12) */
};

struct uroce_qp_policy {
  uint32_t recovery;   /* enum uroce_recovery; go-back-0 needs the same at both ends */
  uint32_t congestion; /* enum uroce_congestion */
  uint64_t line_rate;  /* bits per second from which DCQCN and TIMELY start; 0: 10 Gb/s */
  /* As a receiver (1.12). */
  uint32_t ack_every;    /* packets behind which it acknowledges, asked or not; 0: 32, where the peer asks */
  uint32_t ack_delay_ns; /* longest time that an ACK waits for a packet to leave with; 0: 20 us, 1: none */
};

/*
 * Chooses how an RC queue pair in RESET or INIT recovers from loss and controls congestion. Without this call
 * it is what the process has (UROCE_RECOVERY, UROCE_CONGESTION, UROCE_LINE_RATE). EINVAL for a queue pair of
 * another device, type or state, and for values out of range.
 */
UROCE_API int uroce_set_qp_policy(struct ibv_qp* qp, const struct uroce_qp_policy* policy);

/*
 * Takes a structure of that size, since later versions append members: those behind it are 0. EINVAL for a size that
 * ends before `line_rate` does, and for a longer one with more than 0 in what this version does not know. uroce_set_qp_policy
 * reads as far as `line_rate`, as it did when it was made; the macro of the same name hands over the whole structure. (1.12)
 */
UROCE_API int uroce_set_qp_policy_sized(struct ibv_qp* qp, const struct uroce_qp_policy* policy,
                                        uint32_t size);
#define uroce_set_qp_policy(qp, policy) \
  uroce_set_qp_policy_sized((qp), (policy), (uint32_t)sizeof(struct uroce_qp_policy))

/*
 * The policy of a queue pair, and what congestion control allows it now. Later versions append members, so the caller
 * sets `size` to the size that it knows; on return `size` is how much of the structure was filled in.
 */
struct uroce_qp_policy_state {
  uint32_t size;
  uint32_t recovery;      /* enum uroce_recovery */
  uint32_t congestion;    /* enum uroce_congestion */
  uint32_t alpha_ppm;     /* DCQCN, while the rate is limited */
  uint64_t line_rate;     /* DCQCN and TIMELY: bits per second from which they start; else 0 */
  uint64_t rate;          /* bits per second; 0: not limited */
  uint64_t target_rate;   /* DCQCN, while the rate is limited: where it returns to */
  uint64_t window_millis; /* thousandths of a packet; 0: no window of its own */
  uint64_t window_bytes;  /* the window in bytes of payload, by the path MTU */
  uint64_t rtt_ns;        /* the last round-trip time; 0: none yet, or no congestion control */
  uint64_t srtt_ns;       /* its average, in which each new one counts an eighth */
  uint64_t cnps;          /* CNPs that came to the queue pair since it was created */
  uint64_t marks;         /* packets with ECN 3 that came to it */
  /*
   * enum uroce_recovery (1.11). With UROCE_RECOVERY_SELECTIVE_REPEAT it is UROCE_RECOVERY_GO_BACK_N until a packet of the
   * peer has said that the peer repeats selectively too.
   */
  uint32_t recovery_in_effect;
  uint32_t ack_every;    /* as chosen (1.12) */
  uint32_t ack_delay_ns; /* as chosen (1.12) */
  uint32_t reserved;
};

/*
 * Takes the lock of the engine for less than a microsecond. EINVAL for a queue pair of another device and for a `size`
 * that ends before `marks`. (1.10)
 */
UROCE_API int uroce_query_qp_policy(struct ibv_qp* qp, struct uroce_qp_policy_state* state);

#endif
