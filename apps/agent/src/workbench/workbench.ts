import {
  AppError,
  WORKBENCH_LANGUAGES,
  type AgentMessageOf,
  type ClientMessageOf,
  type RunRecord,
} from '@verbslab/protocol';
import { INSTALL, missingFor } from './requirements.js';
import { LIMITS } from './limits.js';

/** What the owner of an agent types so that it runs programs of the workbench. */
export const ALLOW_COMMAND = 'npm start -- --allow-programs';

export interface WorkbenchOptions {
  /** The owner of the agent has allowed programs that come from a page. */
  allowed: boolean;
}

/** Runs programs that a person wrote for a task, confined, where the owner of the agent has allowed that. */
export class Workbench {
  readonly #options: WorkbenchOptions;

  constructor(options: WorkbenchOptions) {
    this.#options = options;
  }

  get list(): Omit<AgentMessageOf<'workbench'>, 'type' | 're'> {
    return {
      allowed: this.#options.allowed,
      command: ALLOW_COMMAND,
      languages: WORKBENCH_LANGUAGES.map((name) => ({
        name,
        missing: missingFor(name),
        install: INSTALL[name],
      })),
      limits: LIMITS,
      gaps: [],
    };
  }

  /** Throws AppError PROGRAMS_OFF. */
  start(_: Pick<ClientMessageOf<'workbench.start'>, 'task' | 'language' | 'source'>): Promise<RunRecord> {
    throw new AppError('PROGRAMS_OFF', { command: ALLOW_COMMAND });
  }
}
