import { AppError, type Faults } from '@verbslab/protocol';
import type { ProgramCommand } from './program-command.js';

/** Faults that a person injects into a program's run: sets them at its commands, also at later ones. */
export class ProgramFaults {
  readonly #runId: string;
  /** Faults of all processes, also those of later commands. */
  #all: Faults = {};
  /** Commands that pass the faults on to their new processes by themselves. */
  readonly #keepers = new Set<ProgramCommand>();

  constructor(runId: string) {
    this.#runId = runId;
  }

  /**
   * Sets faults of one process, or of all. Resolves with the names of the processes that inject them. Throws AppError
   * NO_FAULTS, FAULTS_REFUSED.
   */
  async set(going: readonly ProgramCommand[], only: string | undefined, faults: Faults): Promise<string[]> {
    if (going.every(({ options }) => !options.faults))
      throw new AppError('NO_FAULTS', {
        why: going.length === 0 ? 'no endpoint is open now' : 'its `verbslab exec` is of an older version',
      });
    const before = this.#all;
    if (only === undefined) {
      this.#all = faults;
      this.#keepers.clear();
    }
    const told = await Promise.all(
      going.map(async (command) => {
        const one = (await command.options.faults?.ask(this.#runId, only, faults)) ?? { endpoints: [] };
        if (only === undefined && one.endpoints.length > 0) this.#keepers.add(command);
        return one;
      }),
    );
    const endpoints = told.flatMap((one) => one.endpoints);
    if (endpoints.length > 0) return endpoints;
    if (this.#all === faults) this.#all = before;
    const [why] = told.flatMap((one) => one.why ?? []);
    if (why !== undefined) throw new AppError('FAULTS_REFUSED', { why });
    throw new AppError('NO_FAULTS', { why: `it has no endpoint “${only}” now` });
  }

  /**
   * Handles a process of this command that has opened the device. The first one gets the faults that were set for all
   * before.
   */
  opened(command: ProgramCommand): void {
    if (Object.keys(this.#all).length === 0 || this.#keepers.has(command)) return;
    this.#keepers.add(command);
    void command.options.faults?.ask(this.#runId, undefined, this.#all, true);
  }
}
