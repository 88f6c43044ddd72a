/** Programs that a person writes for a task of the workbench. An agent runs them only where its owner has allowed that. */
import { z } from 'zod';
import { zCount, zU32 } from './verbs.js';
import { WORKBENCH_LANGUAGES } from './workbench.js';

const request = { id: zU32 };

export const zWorkbenchLanguage = z.enum(WORKBENCH_LANGUAGES);

export const WORKBENCH_CLIENT_MESSAGES = {
  'workbench.list': z.object({ type: z.literal('workbench.list'), ...request }),
  /**
   * Compiles the source and runs it, confined, as one run of kind `program`. The checks of the task follow when it has
   * ended. Bytes are counted as UTF-8.
   */
  'workbench.start': z.object({
    type: z.literal('workbench.start'),
    ...request,
    task: z.string().max(64),
    language: zWorkbenchLanguage,
    /** The agent refuses one of more than MAX_SOURCE_BYTES with SOURCE_SIZE, which says more than a schema. */
    source: z.string(),
  }),
} as const;

export const WORKBENCH_AGENT_MESSAGES = {
  workbench: z.object({
    type: z.literal('workbench'),
    re: zU32,
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
} as const;
