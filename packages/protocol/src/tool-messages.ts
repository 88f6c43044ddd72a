/** The distribution’s RDMA programs that an agent runs itself, from its fixed list. */
import { z } from 'zod';
import { zU32 } from './verbs.js';

const request = { id: zU32 };

export const TOOL_CLIENT_MESSAGES = {
  'tools.list': z.object({ type: z.literal('tools.list'), ...request }),
  /**
   * Runs the programs of a tool of the list as one run of kind `program`. The agent checks every field against the
   * declaration and makes the command lines itself.
   */
  'tool.start': z.object({
    type: z.literal('tool.start'),
    ...request,
    tool: z.string().max(64),
    params: z.record(z.string().max(64), z.json()),
    /** Path of the packets, as `verbslab exec --link` takes it. Absent: `auto`. */
    link: z.enum(['auto', 'udp']).optional(),
  }),
} as const;

export const TOOL_AGENT_MESSAGES = {
  tools: z.object({
    type: z.literal('tools'),
    re: zU32,
    tools: z.array(
      z.object({
        name: z.string(),
        /** Its programs that are not installed on the agent’s host. */
        missing: z.array(z.string()),
      }),
    ),
  }),
} as const;
