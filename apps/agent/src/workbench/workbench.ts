import { existsSync } from 'node:fs';
import { findTask, TASKS } from '@verbslab/labs/workbench';
import {
  AppError,
  MAX_SOURCE_BYTES,
  WORKBENCH_FILE,
  WORKBENCH_LANGUAGES,
  type AgentMessageOf,
  type ClientMessageOf,
  type RunRecord,
} from '@verbslab/protocol';
import { urocePath } from '@verbslab/native';
import { answers, type Subsystem } from '../base/subsystem.js';
import type { Logger } from '../base/log.js';
import type { RunManager } from '../runs/manager.js';
import { compileC } from './compile-c.js';
import { compileTypeScript } from './compile-typescript.js';
import { gaps, needConfinement } from './confinement.js';
import { drive } from './drive.js';
import { makeProgramFolder, type ProgramFolder } from './folder.js';
import { LIMITS, type ProgramLimits } from './limits.js';
import { checksOf } from './points.js';
import { INSTALL, missingFor } from './requirements.js';

/** Command with which the owner of an agent allows programs of the workbench. */
export const ALLOW_COMMAND = 'npm start -- --allow-programs';

const LANGUAGE_TITLE = { typescript: 'TypeScript', c: 'C' } as const;

export interface WorkbenchOptions {
  /** True if the owner of the agent has allowed programs that come from a page. */
  allowed: boolean;
  manager: RunManager;
  /** Data folder of the agent. */
  home: string;
  logger: Logger;
  /** Default `LIMITS`. */
  limits?: ProgramLimits;
}

type Asked = Pick<ClientMessageOf<'workbench.start'>, 'task' | 'language' | 'source'>;

/** Runs programs that a person wrote for a task, confined, if the owner of the agent has allowed this. */
export class Workbench implements Subsystem {
  readonly messages = answers({
    'workbench.list': () => this.list,
    'workbench.start': async (message) => ({ run: await this.start(message) }),
  });
  readonly #options: WorkbenchOptions;
  #compiling = false;

  constructor(options: WorkbenchOptions) {
    this.#options = options;
  }

  get #limits(): ProgramLimits {
    return this.#options.limits ?? LIMITS;
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
      limits: this.#limits,
      gaps: gaps(),
    };
  }

  /**
   * Compiles the program and starts it. Throws AppError PROGRAMS_OFF, UNKNOWN_TASK, SOURCE_SIZE, WORKBENCH_MISSING,
   * WORKBENCH_UNCONFINED, WORKBENCH_PTRACE, NO_EMBEDDED_DEVICE, COMPILE_FAILED, PROGRAM_IMPORT, RUN_BUSY.
   */
  async start(asked: Asked): Promise<RunRecord> {
    const title = this.#need(asked);
    const { language, source } = asked;
    const name = WORKBENCH_FILE[language];
    // The flag is set before any await, so that a second request in the same turn sees it.
    this.#compiling = true;
    try {
      return await this.#start(await makeProgramFolder(name, source), asked, title);
    } finally {
      this.#compiling = false;
    }
  }

  async #start(folder: ProgramFolder, { task, language, source }: Asked, title: string): Promise<RunRecord> {
    const { manager, home, logger } = this.#options;
    const name = WORKBENCH_FILE[language];
    try {
      const compiled = await (language === 'c' ? compileC(folder) : compileTypeScript(folder));
      const run = manager.openWorkbench(compiled.command, { task, language }, title);
      run.file(name, source);
      for (const text of compiled.warnings) run.log('warn', text);
      void drive({
        ...{ run, compiled, folder, home, logger, limits: this.#limits },
        checks: (stopped) => checksOf(task, manager.read(run.id, 1).reader, stopped),
      });
      return run.record;
    } catch (error) {
      folder.remove();
      throw error;
    }
  }

  /** Returns the title of the run. Throws the error that keeps the program from being compiled. */
  #need({ task, language, source }: Asked): string {
    const { allowed, manager } = this.#options;
    if (!allowed) throw new AppError('PROGRAMS_OFF', { command: ALLOW_COMMAND });
    const found = findTask(task);
    if (!found) throw new AppError('UNKNOWN_TASK', { task, known: TASKS.map(({ id }) => id).join(', ') });
    const bytes = Buffer.byteLength(source);
    if (bytes > MAX_SOURCE_BYTES)
      throw new AppError('SOURCE_SIZE', { bytes: String(bytes), limit: String(MAX_SOURCE_BYTES) });
    const [missing] = missingFor(language);
    if (missing !== undefined)
      throw new AppError('WORKBENCH_MISSING', { what: missing, command: INSTALL[language] });
    if (!existsSync(urocePath)) throw new AppError('NO_EMBEDDED_DEVICE', { path: urocePath });
    needConfinement();
    const busy = manager.busy();
    if (busy) throw busy;
    if (this.#compiling)
      throw new AppError('RUN_BUSY', {
        what: 'Another program of the workbench',
        host: manager.host,
        hint: 'Wait until it is compiled and has run.',
      });
    return `${found.title} (${LANGUAGE_TITLE[language]})`;
  }
}
