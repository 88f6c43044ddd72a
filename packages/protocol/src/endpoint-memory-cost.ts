import { z } from 'zod';
import { op } from './endpoint-op.js';
import { handle, zRemoteMemory } from './endpoint-work.js';
import { zAccess, zCount } from './verbs.js';

/** Most registrations of a `timeRegistrations`, and most messages of a `timeWrites`. */
export const TIMED_REGISTRATIONS = 1000;
export const TIMED_WRITES = 4096;

const nanoseconds = z.array(z.number().min(0));

/** Times of registrations of one kind of memory. They are those of the calls alone, in the endpoint's process. */
export const zRegistrationTimes = z.object({
  registerNs: nanoseconds,
  deregisterNs: nanoseconds,
  /** Minor page faults of the whole process meanwhile. Its other threads add a few. */
  faults: zCount,
  /** Growth of the process's locked and pinned memory (VmLck, VmPin) with the first region, bytes. */
  lockedBytes: z.number(),
});
export type RegistrationTimes = z.infer<typeof zRegistrationTimes>;

/** Times of a message by part, with the way in which it got its registered memory. */
export const zTimedWrite = z.object({
  /** True if its buffer was already registered. */
  hit: z.boolean(),
  /** Deregistrations that made room, or that followed the message. */
  evictions: zCount,
  /**
   * Time of look-up, registration and deregistration, or of the copy, before the post of the WRITE or after its
   * completion.
   */
  prepareNs: z.number().min(0),
  /** Time from the post of the WRITE to its completion. */
  transferNs: z.number().min(0),
});
export type TimedWrite = z.infer<typeof zTimedWrite>;

export const MEMORY_COST_OPS = {
  /**
   * Registers memory and deregisters it, `times` times, and returns the time of each call. `untouched`: pages without
   * any access so far, so that registration makes them. `touched`: the same pages again. With `hugePages` there is only
   * `untouched`, and its times include the mmap. These calls are not reported as events.
   */
  timeRegistrations: op(
    () =>
      z.object({
        pd: handle,
        length: z.int().min(1).max(0x1_0000_0000),
        times: z.int().min(1).max(TIMED_REGISTRATIONS),
        access: zAccess,
        /** Bytes between the start of a page and the start of each region; default 0. Not with `hugePages`. */
        offset: z.int().min(0).max(65_535).optional(),
        hugePages: z.boolean().optional(),
      }),
    () =>
      z.object({
        /** Page size of ordinary memory, bytes. */
        pageBytes: zCount,
        /** RLIMIT_MEMLOCK of the process, bytes; null: no limit. */
        memlockLimit: zCount.nullable(),
        untouched: zRegistrationTimes,
        touched: zRegistrationTimes.nullable(),
      }),
  ),
  /**
   * WRITEs messages of these lengths to `remote`, one at a time. Every length has its own buffer, filled like
   * `fillMemory` with `seed`. `cache`: registers the buffer unless it is still registered; beyond `capacity` regions,
   * deregisters the least or the most recently used one. With capacity 0 each message registers and deregisters.
   * `copy`: copies the buffer into this region, which is sent. Registrations are reported, WRITEs are not. The CQ must
   * have no other use.
   */
  timeWrites: op(
    () =>
      z.object({
        pd: handle,
        qp: handle,
        cq: handle,
        remote: zRemoteMemory,
        lengths: z.array(z.int().min(1).max(0x4000_0000)).min(1).max(TIMED_WRITES),
        seed: zCount,
        memory: z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('cache'), capacity: zCount, evict: z.enum(['lru', 'mru']) }),
          z.object({ kind: z.literal('copy'), mr: handle }),
        ]),
      }),
    () =>
      z.object({
        writes: z.array(zTimedWrite),
        /** Number of regions still registered at the end. They are then deregistered. */
        left: zCount,
      }),
  ),
} as const;
