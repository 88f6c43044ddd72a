/** Programs that a person writes for a task of the workbench. An agent runs them only where its owner has allowed that. */
import { z } from 'zod';
import { RUN } from './runs.js';
import { PLAIN_MS } from './connection.js';
import { reply, request } from './message.js';
import { zCount } from './verbs.js';
import { WORKBENCH_LANGUAGES } from './workbench.js';

export const zWorkbenchLanguage = z.enum(WORKBENCH_LANGUAGES);

export const WORKBENCH_MESSAGES = [
  request(
    'workbench.list',
    {},
    reply('workbench', {
      allowed: z.boolean(),
      /** What the owner types to allow programs. */
      command: z.string(),
      languages: z.array(
        z.object({
          name: zWorkbenchLanguage,
          /** Programs and headers that it needs and the agent’s host lacks. */
          missing: z.array(z.string()),
          /** What installs them. */
          install: z.string(),
        }),
      ),
      limits: z.object({ seconds: zCount, memoryMiB: zCount, filesMiB: zCount }),
      /** What this host’s kernel does not confine, as whole sentences. Empty: nothing is missing. */
      gaps: z.array(z.string()),
    }),
    {
      what: "whether the owner has `allowed` programs of the workbench and the `command` that does, per language what is `missing` on the host, the `limits`, and what the host's kernel cannot confine (`gaps`); see [workbench.md](workbench.md)",
    },
  ),
  /**
   * Compiles the source and runs it, confined, as one run of kind `program`. The checks of the task follow when it has
   * ended. Bytes are counted as UTF-8.
   */
  request(
    'workbench.start',
    {
      task: z.string().max(64),
      language: zWorkbenchLanguage,
      /** The agent refuses one of more than MAX_SOURCE_BYTES with SOURCE_SIZE, which says more than a schema. */
      source: z.string(),
    },
    RUN,
    {
      // The program is compiled first.
      patience: 3 * PLAIN_MS,
      what: 'compiles `source` (at most 64 KiB, `language` `c` or `typescript`) for a `task` and runs it confined, as one run. Refused with PROGRAMS_OFF unless the agent was started with `--allow-programs`',
    },
  ),
];
