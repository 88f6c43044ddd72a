import { z } from 'zod';
import { op } from './endpoint-op.js';
import { zCount } from './verbs.js';

/**
 * Part of an endpoint’s process that a thread belongs to: the loop that moves data (`program`), the device’s own thread
 * (`device`), or the threads that read commands and take figures (`control`).
 */
const zPart = z.enum(['program', 'device', 'control']);

const zSwitches = z.object({ voluntary: zCount, involuntary: zCount });

/** Number of times that a system call returned, and of those with nothing to do (EAGAIN). */
const zCallCount = z.object({ part: zPart, call: z.string(), count: zCount, empty: zCount });
export type CallCount = z.infer<typeof zCallCount>;

/** Work of the kernel and the machine for an endpoint. */
export const COST_OPS = {
  /**
   * Counts the system calls of the endpoint’s process until `calls.stop`. ptrace makes each of them several times
   * slower. `refused`: reason why nothing is counted; null if calls are counted.
   */
  'calls.start': op(
    () => z.object({}),
    () => z.object({ refused: z.string().nullable() }),
  ),
  'calls.stop': op(
    () => z.object({}),
    () => z.object({ calls: z.array(zCallCount) }),
  ),
  /** Context switches of the device’s own thread since it began; null if the device has no thread. */
  deviceSwitches: op(
    () => z.object({}),
    () => z.object({ switches: zSwitches.nullable() }),
  ),
  /**
   * Energy counters of the processor packages (RAPL), µJ. They wrap after `range` and count the whole machine.
   * `refused`: reason why there are none.
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
