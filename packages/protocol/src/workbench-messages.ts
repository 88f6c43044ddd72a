/** Programs that a person writes for a task of the workbench. An agent runs them only if its owner has allowed it. */
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
      /** Command with which the owner allows programs. */
      command: z.string(),
      languages: z.array(
        z.object({
          name: zWorkbenchLanguage,
          /** Required programs and headers that the agent’s host lacks. */
          missing: z.array(z.string()),
          /** Command that installs them. */
          install: z.string(),
        }),
      ),
      limits: z.object({ seconds: zCount, memoryMiB: zCount, filesMiB: zCount }),
      /** Resources that this host’s kernel does not confine, as whole sentences. Empty: none. */
      gaps: z.array(z.string()),
    }),
    {
      what: "whether the owner has `allowed` programs of the workbench and the `command` that does, per language what is `missing` on the host, the `limits`, and what the host's kernel cannot confine (`gaps`); see [workbench.md](workbench.md)",
    },
  ),
  /**
   * Compiles the source and runs it, confined, as one run of kind `program`. The checks of the task follow when it has
   * ended. Sizes are in bytes of UTF-8.
   */
  request(
    'workbench.start',
    {
      task: z.string().max(64),
      language: zWorkbenchLanguage,
      /** Source. Over MAX_SOURCE_BYTES, the agent refuses it with SOURCE_SIZE, which says more than a schema. */
      source: z.string(),
    },
    RUN,
    {
      // The agent compiles the program first.
      patience: 3 * PLAIN_MS,
      what: 'compiles `source` (at most 64 KiB, `language` `c` or `typescript`) for a `task` and runs it confined, as one run. Refused with PROGRAMS_OFF unless the agent was started with `--allow-programs`',
    },
  ),
];
