import { faultsText } from '../faults-text.js';
import { lookupWcStatus } from '../errno.js';
import type { EventKind, RunEvent, RunEventOf } from '../events.js';
import { WR_STAGES } from '../wr-stages.js';
import { errorOf } from './trace-errors.js';
import { frameEvents } from './trace-frames.js';
import type { TraceLanes } from './trace-lanes.js';
import { counter, edge, instant, slice, us, type Thread } from './trace-shapes.js';

/** The request as a slice, with its stages as inner slices and marks. */
function* requestEvents(event: RunEventOf<'wr'>, lanes: TraceLanes): Generator<object> {
  const { endpoint, wrId, qpn, opcode, byteLen, status } = event;
  const stages = WR_STAGES.flatMap(([field, title]) => {
    const t = event[field];
    return t === null ? [] : [{ title, t }];
  });
  const from = event.posted;
  const to = Math.max(...stages.map(({ t }) => t));
  const place = lanes.requests(endpoint, qpn, 'requests', from, to);
  const { name: statusName } = lookupWcStatus(status);
  const name = status === 0 ? opcode : `${opcode}: ${statusName}`;
  yield slice('request', name, from, to, place, { wrId, qpn, byteLen, status: statusName });
  const inOrder = stages.every(({ t }, index) => index === 0 || stages[index - 1]!.t <= t);
  for (const [index, { title, t }] of stages.entries()) {
    const next = stages[index + 1];
    // Slices that overlap without nesting would be drawn incorrectly.
    if (next && inOrder) yield slice('stage', `${title} → ${next.title}`, t, next.t, place, {});
    yield instant('stage', title, t, place, { wrId });
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

/** Converts the items of a run to trace events. Remembers only what the next item needs. */
export class TraceEvents {
  readonly #lanes: TraceLanes;
  readonly #sources = new Map<number, RunEventOf<'source'>>();
  readonly #cpu = new Map<string, Cpu>();
  /** Names of the phases that have begun. */
  readonly #phases = new Map<string, string>();

  constructor(lanes: TraceLanes) {
    this.#lanes = lanes;
  }

  /** Handlers by kind. Other kinds have no place on a timeline. */
  readonly #handlers: Handlers = {
    source: (event) => {
      this.#sources.set(event.source, event);
      return [];
    },
    endpoint: ({ endpoint, role, device, providerClass, host }) => {
      const at = host === undefined ? '' : ` on ${host}`;
      this.#lanes.describe(endpoint ?? role, `${device}${at}, ${providerClass}`);
      return [];
    },
    'run.state': (event) => [instant('run', event.state, event.t, this.#marks(event), {})],
    verb: ({ endpoint, t, call, args, result, error, durationNs }) => {
      const place = this.#lanes.calls(endpoint, t, t + durationNs);
      return [slice('call', call, t, t + durationNs, place, { args, result, error })];
    },
    qp: ({ endpoint, t, qpn, from, to, attrs }) => [
      instant('qp', `${from} → ${to}`, t, this.#lanes.qp(endpoint, qpn), attrs),
    ],
    wr: (event) => [...requestEvents(event, this.#lanes)],
    completion: ({ endpoint, t, wc }) => [
      instant(
        'completion',
        wc.status === 0 ? 'completion' : `completion: ${wc.statusName}`,
        t,
        this.#lanes.qp(endpoint, wc.qpn),
        { wc },
      ),
    ],
    async: (event) => {
      const { endpoint, t, qpn } = event;
      const place = qpn === undefined ? this.#marks(event) : this.#lanes.qp(endpoint, qpn);
      return [instant('async', event.event, t, place, {})];
    },
    faults: (event) => [
      instant('faults', `faults: ${faultsText(event) || 'none'}`, event.t, this.#marks(event), {}),
    ],
    counter: ({ endpoint, t, values }) =>
      Object.entries(values).flatMap(([name, value]) =>
        counter(name, t, this.#lanes.process(endpoint), { value }),
      ),
    cpu: (event) => this.#ofCpu(event),
    check: (event) =>
      event.ok
        ? [instant('check', `check: ${event.id}`, event.t, this.#marks(event), { detail: event.detail })]
        : [],
    step: ({ phase, id, ok, t }) => {
      const [pid, tid] = this.#lanes.row(undefined, 'steps');
      const args = ok === undefined ? {} : { ok };
      return [{ ph: phase === 'begin' ? 'B' : 'E', cat: 'step', name: id, ts: us(t), pid, tid, args }];
    },
    phase: (event) => this.#ofPhase(event),
    dropped: (event) => [
      instant('dropped', `not recorded: ${event.records} ${event.what}`, event.t, this.#marks(event), {
        reason: event.reason,
      }),
    ],
  };

  ofEvent(event: RunEvent): object[] {
    const handle = this.#handlers[event.kind] as ((event: RunEvent) => object[]) | undefined;
    const found = handle?.(event) ?? [];
    const error = errorOf(event);
    if (!error) return found;
    const row = this.#lanes.row(event.endpoint, 'errors');
    return [...found, instant('error', error.name, event.t, row, error.args)];
  }

  ofFrame(frame: Uint8Array): Generator<object> {
    return frameEvents(frame, this.#sources, this.#lanes);
  }

  #marks({ endpoint }: RunEvent): Thread {
    return this.#lanes.row(endpoint, 'events');
  }

  /** Both edges use the name of the first. Otherwise readers take them for two slices. */
  #ofPhase({ phase, id: name, transport, text, t }: RunEventOf<'phase'>): object[] {
    const id = `${transport ?? ''} ${name}`;
    const known = this.#phases.get(id);
    const pid = this.#lanes.process(undefined);
    if (phase === 'begin') {
      this.#phases.set(id, text);
      return [edge('b', 'phase', id, text, t, pid)];
    }
    this.#phases.delete(id);
    return known === undefined ? [] : [edge('e', 'phase', id, known, t, pid)];
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
    // A counter holds from its time on. This value was true since the last report.
    return counter('CPUs of the process', last.t, this.#lanes.process(event.endpoint), args);
  }
}
