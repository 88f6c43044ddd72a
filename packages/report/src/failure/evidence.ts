import { Connections, type Intended, type RunEvent, type RunEventOf } from '@verbslab/protocol';
import { BadPackets } from './bad-packets.js';
import { OutputStore } from './output-store.js';
import type { Problem, Told } from './problem-list.js';

/** Events that are looked into. */
export const EVIDENCE_KINDS = [
  ...(['verb', 'completion', 'async', 'finding', 'check', 'intended', 'counter', 'qp'] as const),
  ...(['object', 'output'] as const),
];

/** Problems that are kept: a program that fails for hours must not take memory without end. */
const MAX_PROBLEMS = 20_000;

/** What a recorded stream says of what went wrong, and of what a program printed. */
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
  /** Objects that were not destroyed when the stream ended: the kind of each, by what names it. */
  readonly #live = new Map<string, string>();

  event(e: RunEvent): void {
    switch (e.kind) {
      case 'verb':
      case 'completion':
      case 'async':
      case 'finding':
        if (this.problems.length < MAX_PROBLEMS) this.problems.push(e);
        break;
      case 'check':
        this.checks.set(e.id, e);
        break;
      case 'intended':
        this.intended.push(...e.refusals);
        break;
      case 'qp':
        this.connections.add(e.endpoint ?? '', e);
        break;
      case 'output':
        this.output.add(e);
        break;
      case 'object':
        this.#object(e);
        break;
      case 'counter': {
        const known = this.counters.get(e.endpoint ?? '');
        const before = e.when === 'before' ? e.values : (known?.before ?? null);
        this.counters.set(e.endpoint ?? '', { before, latest: e.values });
        break;
      }
      default:
    }
  }

  frame(frame: Uint8Array): void {
    this.packets.frame(frame);
  }

  #object({ endpoint = '', object, number, phase }: RunEventOf<'object'>): void {
    const key = `${endpoint} ${object} ${number}`;
    if (phase === 'made') this.#live.set(key, object);
    else this.#live.delete(key);
  }

  /** How many objects of each kind were alive at the end. */
  get live(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const kind of this.#live.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return counts;
  }
}
