/** RDMA programs of the distribution that an agent runs itself, from its fixed list. */
import { z } from 'zod';
import { RUN } from './runs.js';
import { PLAIN_MS } from './connection.js';
import { reply, request } from './message.js';

export const TOOL_MESSAGES = [
  request(
    'tools.list',
    {},
    reply('tools', {
      tools: z.array(
        z.object({
          name: z.string(),
          /** Programs of the tool that are not installed on the agent’s host. */
          missing: z.array(z.string()),
        }),
      ),
    }),
    {
      what: 'the programs of the distribution that the agent runs, and which of them are not installed; see [tools.md](tools.md)',
    },
  ),
  /**
   * Runs the programs of a listed tool as one run of kind `program`. The agent checks every field against the
   * declaration and makes the command lines itself.
   */
  request(
    'tool.start',
    {
      tool: z.string().max(64),
      params: z.record(z.string().max(64), z.json()),
      /** Link of the packets, as in `verbslab exec --link`. Absent: `auto`. */
      link: z.enum(['auto', 'udp']).optional(),
    },
    RUN,
    {
      // The agent lists the devices of the host first.
      patience: 2 * PLAIN_MS,
      what: 'runs the programs of a `tool` as one run: `params` are its fields, `link` as `exec --link` takes it',
    },
  ),
];
