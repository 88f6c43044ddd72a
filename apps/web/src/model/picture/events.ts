/** Events of a recording, found by kind, side and request. Made once per recording. */
import type { CallEvent, PacketEvent, PostedEvent, RecordedEvent, Recording } from './recording';
import type { Side } from './state';

type Of<K extends RecordedEvent['kind']> = Extract<RecordedEvent, { kind: K }>;

export class Events {
  readonly packets: readonly PacketEvent[];
  readonly calls: readonly CallEvent[];
  readonly posted: ReadonlyMap<string, PostedEvent>;
  readonly end: number;
  readonly #byKind = new Map<string, RecordedEvent[]>();
  readonly #byRequest = new Map<string, RecordedEvent>();

  constructor(readonly recording: Recording) {
    for (const e of recording.events) {
      const list = this.#byKind.get(e.kind);
      if (list) list.push(e);
      else this.#byKind.set(e.kind, [e]);
      if (!('request' in e) || e.request === null) continue;
      const key = `${e.kind} ${e.request}`;
      if (!this.#byRequest.has(key)) this.#byRequest.set(key, e);
    }
    this.packets = this.of('packet').toSorted((a, b) => a.from - b.from || a.to - b.to);
    this.calls = this.of('call');
    this.posted = new Map(this.of('posted').map((e) => [e.request, e]));
    this.end = recording.events.reduce(
      (latest, e) => Math.max(latest, e.kind === 'packet' ? e.to : e.kind === 'call' ? (e.end ?? e.t) : e.t),
      0,
    );
  }

  of<K extends RecordedEvent['kind']>(kind: K): readonly Of<K>[] {
    return (this.#byKind.get(kind) ?? []) as Of<K>[];
  }

  find<K extends 'fetched' | 'retired' | 'cqe' | 'polled'>(kind: K, request: string): Of<K> | undefined {
    return this.#byRequest.get(`${kind} ${request}`) as Of<K> | undefined;
  }

  name(request: string): string {
    return this.posted.get(request)?.name ?? 'a request';
  }

  /** Requests that the recording is about and that are posted. */
  get subjects(): readonly PostedEvent[] {
    return this.recording.requests.flatMap((request) => this.posted.get(request) ?? []);
  }

  /** Calls at a side that had begun by `t` and not ended. */
  active(side: Side, t: number): CallEvent | undefined {
    return this.calls.findLast(
      (call) => call.side === side && call.t <= t && call.end !== null && t < call.end,
    );
  }

  /** The poll during which a completion was found, if its call is recorded. */
  pollAt(side: Side, t: number): CallEvent | undefined {
    return this.calls.findLast((call) => call.side === side && call.call === 'ibv_poll_cq' && call.t <= t);
  }
}

const known = new WeakMap<Recording, Events>();

export function eventsOf(recording: Recording): Events {
  let events = known.get(recording);
  if (!events) known.set(recording, (events = new Events(recording)));
  return events;
}
