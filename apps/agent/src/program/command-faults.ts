import type { Faults, PlannedFaults } from '@verbslab/protocol';
import type { FaultsTold } from '../faults/asked-faults.js';
import { FaultSchedule } from '../faults/fault-schedule.js';
import type { ProcessControl } from './process-control.js';

/** The faults of the processes of one command: planned ones, and those that a person sets. */
export class CommandFaults {
  readonly #later: readonly PlannedFaults[];
  readonly #schedule = new FaultSchedule();
  readonly #before: number;
  /** True if the command began with a plan. */
  readonly #own: boolean;
  /** Faults of all processes, also of later ones. */
  #all: Faults | null = null;
  /** Planned faults of a process, by its number in the run, from 1. */
  readonly #planned = new Map<number, Faults>();
  /** Connected processes with their numbers. */
  readonly #processes = new Map<ProcessControl, number>();
  #came = 0;
  #begun = false;

  /**
   * @param plan an `endpoint` is the number of a process, from 1, in the order in which the processes of the run open
   * the device. Its times count from that moment; times for all processes count from the first process of this command.
   * @param before processes that the run had before this command
   */
  constructor(plan: readonly PlannedFaults[], before = 0) {
    this.#before = before;
    this.#own = plan.length > 0;
    this.#later = plan.filter(({ at }) => at > 0);
    for (const { at, endpoint, faults } of plan) if (at === 0) this.#keep(endpoint, faults);
  }

  /** True if a process must get its faults before it sends its first packets. */
  get atOnce(): boolean {
    return this.#all !== null || this.#planned.size > 0;
  }

  came(process: ProcessControl): void {
    const number = this.#before + ++this.#came;
    this.#processes.set(process, number);
    const faults = this.#planned.get(number) ?? this.#all ?? (this.atOnce ? {} : null);
    // The process waits for this message even if it has no faults of its own.
    const ready = faults ? process.set(faults) : Promise.resolve();
    void ready.then(() => this.#begin(process, number));
  }

  gone(process: ProcessControl): void {
    this.#processes.delete(process);
  }

  /**
   * Sets faults. Never rejects.
   *
   * @param endpoint one process. Absent: all processes, also later ones.
   * @param earlier the faults were set before the command took part: a plan of its own takes precedence
   */
  async set(endpoint: string | undefined, faults: Faults, earlier = false): Promise<FaultsTold> {
    if (earlier && this.#own) return { endpoints: [] };
    // Processes that have not identified themselves yet are included: they would not get these faults otherwise.
    const asked = [...this.#processes.keys()].filter(
      (process) => endpoint === undefined || process.endpoint === endpoint,
    );
    if (asked.length === 0)
      return { endpoints: [], ...(endpoint === undefined ? { why: 'no endpoint is open now' } : {}) };
    if (endpoint === undefined) this.#keep(undefined, faults);
    const whys = await Promise.all(asked.map((process) => process.set(faults)));
    const endpoints = asked.flatMap(({ endpoint: name }, i) =>
      whys[i] === null && name !== null ? [name] : [],
    );
    const why = whys.find((one) => one !== null);
    return { endpoints, ...(why == null || endpoints.length > 0 ? {} : { why }) };
  }

  stop(): void {
    this.#schedule.stop();
  }

  #keep(endpoint: string | undefined, faults: Faults): void {
    if (endpoint !== undefined) this.#planned.set(Number(endpoint), faults);
    else {
      this.#all = faults;
      this.#planned.clear();
    }
  }

  #begin(process: ProcessControl, number: number): void {
    const own = this.#later.filter(({ endpoint }) => Number(endpoint) === number);
    this.#start(own, (faults) => process.set(faults));
    if (this.#begun) return;
    this.#begun = true;
    const all = this.#later.filter(({ endpoint }) => endpoint === undefined);
    this.#start(all, (faults) => {
      this.#keep(undefined, faults);
      return Promise.all([...this.#processes.keys()].map((one) => one.set(faults)));
    });
  }

  #start(plan: readonly PlannedFaults[], inject: (faults: Faults) => Promise<unknown>): void {
    void this.#schedule.start(
      plan,
      ({ faults }) => inject(faults),
      () => undefined,
    );
  }
}
