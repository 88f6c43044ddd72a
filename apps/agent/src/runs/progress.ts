import { EventEmitter } from 'node:events';
import { findExercise } from '@verbslab/labs/exercises';
import { TASKS } from '@verbslab/labs/workbench';
import {
  AppError,
  EXERCISES_LAB,
  taskCheck,
  WORKBENCH_LAB,
  WORKBENCH_LANGUAGES,
  type AgentMessage,
  type LabProgress,
  type RunRecord,
} from '@verbslab/protocol';
import type { Logger } from '../base/log.js';
import { answers, hear, type Subsystem } from '../base/subsystem.js';
import type { ProgressStore } from '../store/progress-store.js';
import type { RunManager } from './manager.js';

interface Events {
  changed: [LabProgress[]];
}

/** Progress with each lab: its runs, and the self-checks, exercises and tasks that were answered. */
export class Progress extends EventEmitter<Events> implements Subsystem {
  readonly #manager: RunManager;
  readonly #store: ProgressStore;
  readonly #logger: Logger;
  readonly messages = answers({
    'progress.get': () => ({ labs: this.#store.list() }),
    'progress.answer': ({ lab, check, right }) => ({ labs: this.#answered(lab, check, right) }),
    'progress.reset': () => {
      this.#store.reset();
      return { labs: this.#tell() };
    },
  });

  constructor(manager: RunManager, store: ProgressStore, logger: Logger) {
    super();
    this.setMaxListeners(0);
    this.#manager = manager;
    this.#store = store;
    this.#logger = logger;
    manager.on('ended', (record) => this.#ran(record));
  }

  changes(send: (message: AgentMessage) => void): () => void {
    return hear<Events>(this, { changed: (labs) => send({ type: 'progress.changed', labs }) });
  }

  #tell(): LabProgress[] {
    const labs = this.#store.list();
    this.emit('changed', labs);
    return labs;
  }

  #ran(record: RunRecord): void {
    try {
      if (this.#store.ran(record)) this.#tell();
    } catch (error) {
      this.#logger.error({ run: record.id, err: error }, 'the progress cannot be written');
    }
  }

  /** Records an answer. Throws AppError UNKNOWN_LAB, or BAD_MESSAGE if there is no such self-check or exercise. */
  #answered(lab: string, check: string, right: boolean): LabProgress[] {
    const missing = this.#missing(lab, check);
    if (missing !== null) throw new AppError('BAD_MESSAGE', { detail: missing });
    this.#store.answered(lab, check, right);
    return this.#tell();
  }

  #missing(lab: string, check: string): string | null {
    if (lab === EXERCISES_LAB) return findExercise(check) ? null : `there is no exercise “${check}”`;
    if (lab === WORKBENCH_LAB) {
      const checks = TASKS.flatMap(({ id }) => WORKBENCH_LANGUAGES.map((one) => taskCheck(id, one)));
      return checks.includes(check) ? null : `there is no task “${check}”`;
    }
    const { selfChecks = [] } = this.#manager.lab(lab);
    return selfChecks.some(({ id }) => id === check) ? null : `the lab “${lab}” has no self-check “${check}”`;
  }
}
