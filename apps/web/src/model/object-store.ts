import type { QpState, RunEventOf } from '@verbslab/protocol';

export interface ProgramObject {
  key: string;
  endpoint: string;
  /** `QP`, `MR`, … */
  kind: string;
  number: number;
  call: string;
  attrs: Readonly<Record<string, unknown>>;
  /** Nanoseconds since the run was created. */
  madeAt: number;
  goneAt: number | null;
  /** States of a QP in order, RESET first, and the attributes set by its transitions. */
  states: { state: QpState; t: number }[];
  connection: Readonly<Record<string, unknown>>;
}

/** Transitions kept per QP: programs that reuse a QP cycle through its states forever. */
const MAX_STATES = 32;

/** Objects of the processes of a program, folded from its stream. */
export class ObjectStore {
  readonly #live = new Map<string, ProgramObject>();
  readonly #all: ProgramObject[] = [];

  /** Objects in the order of creation. */
  get all(): readonly ProgramObject[] {
    return this.#all;
  }

  add(e: RunEventOf<'object' | 'qp'>): void {
    const endpoint = e.endpoint ?? '';
    if (e.kind === 'qp') {
      const qp = this.#live.get(keyOf(endpoint, 'QP', e.qpn));
      if (!qp) return;
      if (e.from !== e.to || qp.states.at(-1)?.state !== e.to) qp.states.push({ state: e.to, t: e.t });
      if (qp.states.length > MAX_STATES) qp.states.shift();
      qp.connection = { ...qp.connection, ...e.attrs };
      return;
    }
    const key = keyOf(endpoint, e.object, e.number);
    if (e.phase === 'gone') {
      const object = this.#live.get(key);
      if (object) object.goneAt = e.t;
      // The number may be reused.
      this.#live.delete(key);
      return;
    }
    const object: ProgramObject = {
      key: `${key} ${e.seq}`,
      endpoint,
      kind: e.object,
      number: e.number,
      call: e.call,
      attrs: e.attrs,
      madeAt: e.t,
      goneAt: null,
      states: e.object === 'QP' ? [{ state: 'RESET', t: e.t }] : [],
      connection: {},
    };
    this.#live.set(key, object);
    this.#all.push(object);
  }
}

const keyOf = (endpoint: string, kind: string, number: number): string => `${endpoint} ${kind} ${number}`;
