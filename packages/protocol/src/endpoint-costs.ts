import { z } from 'zod';
import { op } from './endpoint-op.js';
import { zCount } from './verbs.js';

/**
 * Which part of an endpoint’s process a thread belongs to: the loop that moves data (`program`), the device’s own thread
 * (`device`), or what reads commands and takes figures (`control`).
 */
const zPart = z.enum(['program', 'device', 'control']);

const zSwitches = z.object({ voluntary: zCount, involuntary: zCount });

/** Times that a system call returned, and how many of them had nothing to do (EAGAIN). */
const zCallCount = z.object({ part: zPart, call: z.string(), count: zCount, empty: zCount });
export type CallCount = z.infer<typeof zCallCount>;

/** What the kernel and the machine have to do for an endpoint. */
export const COST_OPS = {
  /**
   * Counts the system calls of the endpoint’s process until `calls.stop`, with ptrace, which makes each of them several times
   * slower. `refused`: why nothing is counted; null where it is.
   */
  'calls.start': op(
    () => z.object({}),
    () => z.object({ refused: z.string().nullable() }),
  ),
  'calls.stop': op(
    () => z.object({}),
    () => z.object({ calls: z.array(zCallCount) }),
  ),
  /** Context switches of the device’s own thread since it began; null where it has none. */
  deviceSwitches: op(
    () => z.object({}),
    () => z.object({ switches: zSwitches.nullable() }),
  ),
  /**
   * Energy counters of the processor packages (RAPL), in µJ; they wrap after `range`. They count the whole machine. `refused`: why
   * there is none.
   */
  energy: op(
    () => z.object({}),
    () =>
      z.object({
        packages: z.array(z.object({ name: z.string(), microjoules: zCount, range: zCount })),
        machine: z.string(),
        refused: z.string().nullable(),
      }),
  ),
} as const;
