import type { AppError, RunRecord } from '@verbslab/protocol';
import type { Logger } from '../base/log.js';
import type { Home } from '../config/home.js';
import type { Keep } from '../store/retention.js';
import type { RunStore } from '../store/store.js';
import type { RunnableLab } from './lab.js';
import type { Hosts } from './place.js';

export interface ManagerOptions {
  home: Home;
  store: RunStore;
  labs: readonly RunnableLab[];
  /** Hosts for endpoints: this machine and the paired agents. */
  hosts: Hosts;
  /** Name of this machine, shown as the place of a run. */
  host: string;
  /**
   * Returns the error for a run while something else uses devices of this machine: endpoints for another agent, a path
   * check.
   */
  elsewhere?: () => AppError | null;
  logger: Logger;
  runLimit?: number;
  /** Retention of the history: runs beyond it are deleted, oldest first. Default: everything is kept. */
  keep?: Keep;
}

export interface ManagerEvents {
  changed: [RunRecord];
  removed: [string];
  ended: [RunRecord];
}

/** Tool of the fixed list that a run belongs to; `toolOf` reads it. */
export type ToolOfRun = { name: string; params: Record<string, string | number | boolean>; link: string };
