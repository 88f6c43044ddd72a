import type { EventKind, RunEvent, RunEventOf } from '../events.js';
import { decodeHeader, decodeSeries } from '../frames.js';
import { WR_STAGES } from '../wr-stages.js';
import type { Thread, TraceLanes } from './trace-lanes.js';

/** Times of the format are microseconds; fractions keep the nanoseconds. */
export const us = (ns: number): number => ns / 1000;

const instant = (name: string, t: number, [pid, tid]: Thread, args: object): object => ({
  ph: 'i',
  s: 't',
  name,
  ts: us(t),
  pid,
  tid,
  args,
});

const slice = (name: string, from: number, to: number, [pid, tid]: Thread, args: object): object => ({
  ph: 'X',
  name,
  ts: us(from),
  dur: us(to - from),
  pid,
  tid,
  args,
});

const counter = (name: string, t: number, pid: number, args: Record<string, number>): object => ({
  ph: 'C',
  name,
  ts: us(t),
  pid,
  tid: 0,
  args,
});

/** The request as a slice, what is known of its stages as slices in it and marks on it. */
function* requestEvents(event: RunEventOf<'wr'>, lanes: TraceLanes): Generator<object> {
  const { wrId, qpn, opcode, byteLen, status } = event;
  const stages = WR_STAGES.flatMap(([field, title]) => {
    const t = event[field];
    return t === null ? [] : [{ title, t }];
  });
  const from = event.posted;
  const to = Math.max(...stages.map(({ t }) => t));
  const place = lanes.request(event, from, to);
  yield slice(opcode, from, to, place, { wrId, qpn, byteLen, status });
  const inOrder = stages.every(({ t }, index) => index === 0 || stages[index - 1]!.t <= t);
  for (const [index, { title, t }] of stages.entries()) {
    const next = stages[index + 1];
    // Slices that overlap without one holding the other would be drawn wrong.
    if (next && inOrder) yield slice(`${title} → ${next.title}`, t, next.t, place, {});
    yield instant(title, t, place, { wrId });
  }
}

type Handlers = { readonly [K in EventKind]?: (event: RunEventOf<K>) => object[] };

type Cpu = RunEventOf<'cpu'>;
const CPU_KINDS = [
  ['process user', 'processUserNs'],
  ['process system', 'processSystemNs'],
  ['NIC work user', 'nicUserNs'],
  ['NIC work kernel', 'nicKernelNs'],
] as const;

/** Turns the items of a run into events of a trace. Remembers what the next item needs, and no more. */
export class TraceEvents {
  readonly #lanes: TraceLanes;
  readonly #sources = new Map<number, RunEventOf<'source'>>();
  readonly #cpu = new Map<string, Cpu>();

  constructor(lanes: TraceLanes) {
    this.#lanes = lanes;
  }

  /** Kinds that are not here have no place on a timeline. */
  readonly #handlers: Handlers = {
    source: (event) => {
      this.#sources.set(event.source, event);
      return [];
    },
    'run.state': (event) => [instant(event.state, event.t, this.#marks(event), {})],
    verb: ({ endpoint, t, call, args, result, error, durationNs }) => {
      const place = this.#lanes.thread(endpoint, 'calls', 'verbs calls');
      return [slice(call, t, t + durationNs, place, { args, result, error })];
    },
    qp: ({ endpoint, t, qpn, from, to, attrs }) => [
      instant(`${from} → ${to}`, t, this.#lanes.qp(endpoint, qpn), attrs),
    ],
    wr: (event) => [...requestEvents(event, this.#lanes)],
    completion: ({ endpoint, t, wc }) => [instant('completion', t, this.#lanes.qp(endpoint, wc.qpn), { wc })],
    async: (event) => {
      const { endpoint, t, qpn } = event;
      const place = qpn === undefined ? this.#marks(event) : this.#lanes.qp(endpoint, qpn);
      return [instant(event.event, t, place, {})];
    },
    counter: ({ endpoint, t, values }) =>
      Object.entries(values).map(([name, value]) =>
        counter(name, t, this.#lanes.process(endpoint), { value }),
      ),
    cpu: (event) => this.#ofCpu(event),
    check: (event) => [
      instant(`${event.ok ? 'check' : 'failed check'}: ${event.id}`, event.t, this.#marks(event), {
        detail: event.detail,
      }),
    ],
    finding: (event) => [
      instant(event.id, event.t, this.#marks(event), { call: event.call, detail: event.detail }),
    ],
    step: ({ phase, id, t }) => {
      const [pid, tid] = this.#lanes.thread(undefined, 'steps', 'steps');
      return [{ ph: phase === 'begin' ? 'B' : 'E', name: id, ts: us(t), pid, tid }];
    },
  };

  ofEvent(event: RunEvent): object[] {
    const handle = this.#handlers[event.kind] as ((event: RunEvent) => object[]) | undefined;
    return handle?.(event) ?? [];
  }

  #marks({ endpoint }: RunEvent): Thread {
    return this.#lanes.thread(endpoint, 'events', 'events');
  }

  /** CPUs in use since the endpoint's last report. */
  #ofCpu(event: Cpu): object[] {
    const key = event.endpoint ?? '';
    const last = this.#cpu.get(key);
    this.#cpu.set(key, event);
    if (!last || event.t <= last.t) return [];
    const args: Record<string, number> = {};
    for (const [title, field] of CPU_KINDS) {
      const [before, now] = [last[field], event[field]];
      if (before !== null && now !== null) args[title] = (now - before) / (event.t - last.t);
    }
    // A counter holds from its time on: this one was true since the last report.
    return [counter('CPUs of the process', last.t, this.#lanes.process(event.endpoint), args)];
  }

  *ofFrame(frame: Uint8Array): Generator<object> {
    const { kind, source } = decodeHeader(frame);
    if (kind !== 'series') return;
    const from = this.#sources.get(source);
    const pid = this.#lanes.process(from?.endpoint);
    const of = [from?.transport, from?.role, from?.label, from?.round && `round ${from.round}`]
      .filter(Boolean)
      .join(', ');
    for (const { t, intervalNs, bytes, appNs, nicNs, kernelNs } of decodeSeries(frame)) {
      const at = Math.max(0, t - intervalNs);
      const cpus = { application: appNs, 'NIC work': nicNs, kernel: kernelNs };
      const known = Object.entries(cpus).filter(([, ns]) => Number.isFinite(ns));
      yield counter(`Gb/s (${of})`, at, pid, { value: (bytes * 8) / intervalNs });
      yield counter(
        `CPUs (${of})`,
        at,
        pid,
        Object.fromEntries(known.map(([k, ns]) => [k, ns / intervalNs])),
      );
    }
  }
}
