/** Policies of queue pairs and what they do: the body of `policies` events, and of the device's message. */
import { z } from 'zod';
import { CONGESTIONS, RECOVERIES } from './policy-names.js';
import { zCount, zU24 } from './verbs.js';

/** Most queue pairs that a sample names. */
export const MAX_POLICIES = 16;

/** Choice for a queue pair of an endpoint. Requires the capability `policies`. */
export const zQpPolicy = z.object({
  /** From loss. Go-back-0 needs the same at both ends; selective repeat is go-back-N unless both have it. Default: go-back-n. */
  recovery: z.enum(RECOVERIES).optional(),
  congestion: z.enum(CONGESTIONS).optional(),
  /** Bits per second from which DCQCN and TIMELY start. Default: 10 Gb/s. */
  lineRate: z.int().min(1_000_000_000).max(10_000_000_000_000).optional(),
});
export type QpPolicyChoice = z.infer<typeof zQpPolicy>;

/** State of a queue pair's policy. What its law does not have is absent. */
const zPolicyState = z.object({
  qpn: zU24,
  /** A name in RECOVERIES, or one that this version does not know. */
  recovery: z.string().max(32),
  /** Recovery in effect where it is another one: go-back-n until a packet of the peer has said that the peer has selective repeat too. */
  recoveryInEffect: z.string().max(32).optional(),
  /** A name in CONGESTIONS, or one that this version does not know. */
  congestion: z.string().max(32),
  /** Bits per second from which the law starts. */
  lineRate: zCount.optional(),
  /** Bits per second; absent while the law does not limit it. */
  rate: zCount.optional(),
  /** DCQCN: rate to which it returns, while it is limited. */
  target: zCount.optional(),
  /** DCQCN: how congested the path is held to be, while the rate is limited; parts per million. */
  alphaPpm: zCount.optional(),
  /** Payload that may be in flight, bytes. */
  window: zCount.optional(),
  /** Smoothed round-trip time, ns. */
  srttNs: zCount.optional(),
  /** CNPs that came to the queue pair since it was created, and packets with ECN 3. */
  cnps: zCount,
  marks: zCount,
});
export type PolicyState = z.infer<typeof zPolicyState>;

/**
 * A sample of the queue pairs of a process that have another policy than the default, about ten times per second while
 * something changes: it holds until the next one. Without queue pairs: there are none any more.
 */
export const zPolicies = z.object({
  /** The first 16, by their numbers. */
  qps: z.array(zPolicyState).max(MAX_POLICIES),
  /** Number of further ones. */
  others: zCount,
});
export type PolicySample = z.infer<typeof zPolicies>;
