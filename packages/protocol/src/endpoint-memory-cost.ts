import { z } from 'zod';
import { op } from './endpoint-op.js';
import { handle, zRemoteMemory } from './endpoint-work.js';
import { zAccess, zCount } from './verbs.js';

/** Registrations of one `timeRegistrations`, messages of one `timeWrites`. */
export const TIMED_REGISTRATIONS = 1000;
export const TIMED_WRITES = 4096;

const nanoseconds = z.array(z.number().min(0));

/** Registrations of one kind of memory. Times are those of the calls alone, in the endpoint's process. */
export const zRegistrationTimes = z.object({
  registerNs: nanoseconds,
  deregisterNs: nanoseconds,
  /** Minor page faults of the whole process meanwhile: its other threads add a few. */
  faults: zCount,
  /** Bytes by which locked and pinned memory of the process (VmLck, VmPin) grew with the first region. */
  lockedBytes: z.number(),
});
export type RegistrationTimes = z.infer<typeof zRegistrationTimes>;

/** How one message got its registered memory, and how long each part took. */
export const zTimedWrite = z.object({
  /** Its buffer was registered already. */
  hit: z.boolean(),
  /** Deregistrations that made room, or that followed the message. */
  evictions: zCount,
  /** Look-up, registration and deregistration; or the copy. Before the WRITE is posted, or after its completion. */
  prepareNs: z.number().min(0),
  /** From the post of the WRITE to its completion. */
  transferNs: z.number().min(0),
});
export type TimedWrite = z.infer<typeof zTimedWrite>;

export const MEMORY_COST_OPS = {
  /**
   * Registers memory and deregisters it, `times` times, and gives the time of each call. `untouched`: pages that nobody has
   * accessed, so that registration makes them. `touched`: the same pages again. With `hugePages` there is `untouched` only, and its
   * times contain the mmap. These calls are not reported as events.
   */
  timeRegistrations: op(
    () =>
      z.object({
        pd: handle,
        length: z.int().min(1).max(0x1_0000_0000),
        times: z.int().min(1).max(TIMED_REGISTRATIONS),
        access: zAccess,
        /** Bytes between the start of a page and that of each region; default 0. Not with `hugePages`. */
        offset: z.int().min(0).max(65_535).optional(),
        hugePages: z.boolean().optional(),
      }),
    () =>
      z.object({
        /** Of ordinary memory. */
        pageBytes: zCount,
        /** RLIMIT_MEMLOCK of the process, bytes; null: none. */
        memlockLimit: zCount.nullable(),
        untouched: zRegistrationTimes,
        touched: zRegistrationTimes.nullable(),
      }),
  ),
  /**
   * WRITEs messages of these lengths, one at a time, to `remote`. Every length has a buffer of its own, filled as
   * `fillMemory` does with `seed`. `cache`: the buffer is registered unless it still is; beyond `capacity` regions one
   * is deregistered: the least or the most recently used. With capacity 0 each message registers and deregisters. `copy`: the
   * buffer is copied into this region, which is sent. Registrations are reported, WRITEs are not. The CQ must be used by
   * nothing else.
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
        /** Regions that were still registered at the end; they are deregistered then. */
        left: zCount,
      }),
  ),
} as const;
