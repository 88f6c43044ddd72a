import { Connections, type Intended, type RunEvent, type RunEventOf } from '@verbslab/protocol';
import { PolicyHistory } from '../policies/history.js';
import { StillFacts } from '../standstill/facts.js';
import { BadPackets } from './bad-packets.js';
import { OutputStore } from './output-store.js';
import type { Problem, Told } from './problem-list.js';

/** Kinds of events that are examined. */
export const EVIDENCE_KINDS = [
  ...(['verb', 'completion', 'async', 'finding', 'check', 'intended', 'counter', 'qp'] as const),
  ...(['object', 'output', 'standstill', 'endpoint', 'faults', 'policies'] as const),
];

/** Most problems that are kept. A program that fails for hours must not fill the memory. */
const MAX_PROBLEMS = 20_000;

/** Problems, policies of queue pairs and program output from a recorded stream. */
export class Evidence implements Told {
  readonly problems: Problem[] = [];
  readonly trace: RunEvent[] = [];
  readonly checks = new Map<string, RunEventOf<'check'>>();
  readonly intended: Intended[] = [];
  readonly counters = new Map<
    string,
    { before: Record<string, number> | null; latest: Record<string, number> }
  >();
  readonly connections = new Connections();
  readonly output = new OutputStore();
  readonly packets = new BadPackets();
  readonly stills = new StillFacts();
  readonly policies = new PolicyHistory();
  /** Objects that were not destroyed when the stream ended: kind by key. */
  readonly #live = new Map<string, string>();

  event(e: RunEvent): void {
    this.stills.event(e);
    this.policies.event(e);
    if (e.kind === 'verb' || e.kind === 'completion' || e.kind === 'async' || e.kind === 'finding') {
      if (this.problems.length < MAX_PROBLEMS) this.problems.push(e);
    } else if (e.kind === 'check') this.checks.set(e.id, e);
    else if (e.kind === 'intended') this.intended.push(...e.refusals);
    else if (e.kind === 'qp') this.connections.add(e.endpoint ?? '', e);
    else if (e.kind === 'output') this.output.add(e);
    else if (e.kind === 'object') this.#object(e);
    else if (e.kind === 'counter') this.#counter(e);
  }

  frame(frame: Uint8Array): void {
    this.packets.frame(frame);
  }

  #counter({ endpoint = '', when, values }: RunEventOf<'counter'>): void {
    const known = this.counters.get(endpoint);
    this.counters.set(endpoint, {
      before: when === 'before' ? values : (known?.before ?? null),
      latest: values,
    });
  }

  #object({ endpoint = '', object, number, phase }: RunEventOf<'object'>): void {
    const key = `${endpoint} ${object} ${number}`;
    if (phase === 'made') this.#live.set(key, object);
    else this.#live.delete(key);
  }

  /** Number of objects of each kind that were alive at the end. */
  get live(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const kind of this.#live.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return counts;
  }
}
