import { z } from 'zod';
import { zCount } from './verbs.js';

/** What an agent says of itself. */
export const zAgentInfo = z.object({
  /** New with every start. */
  id: z.string(),
  version: z.string(),
  host: z.string(),
  platform: z.string(),
  cpus: zCount,
  cpuModel: z.string(),
  kernel: z.string(),
  /** RLIMIT_MEMLOCK, bytes; null: none. */
  memlockLimit: zCount.nullable(),
});
export type AgentInfo = z.infer<typeof zAgentInfo>;
