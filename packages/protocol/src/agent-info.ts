import { z } from 'zod';
import { zCount } from './verbs.js';

/** An agent's description of itself. */
export const zAgentInfo = z.object({
  /** Id, new with every start. */
  id: z.string(),
  version: z.string(),
  host: z.string(),
  platform: z.string(),
  cpus: zCount,
  cpuModel: z.string(),
  kernel: z.string(),
  /** RLIMIT_MEMLOCK, bytes; null: no limit. */
  memlockLimit: zCount.nullable(),
});
export type AgentInfo = z.infer<typeof zAgentInfo>;
