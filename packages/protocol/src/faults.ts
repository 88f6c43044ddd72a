import { z } from 'zod';
import { FAULT_ACTIONS } from './faults-text.js';
import { zCount, zHex64, zU24 } from './verbs.js';

/** A rule for packets that match all given fields. The first rule that matches a packet decides. */
export const zFaultRule = z.object({
  action: z.enum(FAULT_ACTIONS),
  qpn: zU24.optional(),
  psn: zU24.optional(),
  opcode: z.int().min(0).max(255).optional(),
  opcodeMask: z.int().min(0).max(255).optional(),
  iter: z.int().min(1).optional(),
  times: zCount.optional(),
  delayUs: zCount.optional(),
});

/** Probabilities of faults, drawn for every packet that no rule matches. */
export const zFaultRates = z.object({
  drop: z.number().min(0).max(1).optional(),
  duplicate: z.number().min(0).max(1).optional(),
  reorder: z.number().min(0).max(1).optional(),
  delay: z.number().min(0).max(1).optional(),
  corrupt: z.number().min(0).max(1).optional(),
  mark: z.number().min(0).max(1).optional(),
  delayUs: zCount.optional(),
  seed: zHex64.optional(),
});

/** Longest delay, µs. */
export const MAX_DELAY_US = 10_000_000;
export const MAX_RATE_BPS = 400e9;

/** Delay and rate of the link for all packets, as in tc-netem(8). */
export const zShaping = z
  .object({
    /** One-way delay, µs. */
    delayUs: zCount.max(MAX_DELAY_US).optional(),
    /** Largest random deviation from the delay, µs. */
    jitterUs: zCount.max(MAX_DELAY_US).optional(),
    /** Rate in bits per second, including the IP header. */
    rateBps: z.number().min(1000).max(MAX_RATE_BPS).optional(),
    /** Most packets that may wait. Further ones are lost. Default 1000. */
    limit: z.int().min(1).max(1_000_000).optional(),
  })
  .refine(({ delayUs = 0, jitterUs = 0 }) => jitterUs <= delayUs, {
    message: 'jitter is longer than the delay',
    path: ['jitterUs'],
  });

/** Faults in the packets that a device sends. */
export const zFaults = z.object({
  rates: zFaultRates.optional(),
  rules: z.array(zFaultRule).max(256).optional(),
  shaping: zShaping.optional(),
});
/**
 * Faults that begin with a run, or `at` seconds after its endpoints are ready (for a program: after a process opened
 * the device).
 */
export const zPlannedFaults = z.object({
  at: z.number().min(0).max(3600),
  /** Endpoint. Absent: all endpoints with devices that can inject faults. */
  endpoint: z.string().max(64).optional(),
  faults: zFaults,
});
export type PlannedFaults = z.infer<typeof zPlannedFaults>;

export type Faults = z.infer<typeof zFaults>;
export type FaultRule = z.infer<typeof zFaultRule>;
export type Shaping = z.infer<typeof zShaping>;
