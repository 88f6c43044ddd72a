/** Content of the queues at a time. */
import { plural } from '@verbslab/labs';
import type { Events } from './events';
import type { PacketEvent, RecordedQueue } from './recording';
import type { QueueKind, RingState, Side, Slot } from './state';

/** Most slots that are drawn: beyond, one drawn slot stands for several. */
export const MOST_SLOTS = 32;
/** Drawn slots of a queue whose size is not recorded. */
const NO_SIZE = 16;

/** Slots that stand for several show what needs a look first. */
const WEIGHT: readonly Slot[] = ['free', 'unknown', 'used', 'cqe', 'waiting', 'failed'];

interface Entry {
  request: string;
  slot: Slot;
}

interface Content {
  entries: readonly Entry[];
  /** Entries that were written and read, from the first one on. */
  written: number;
  read: number;
}

/** True while an event with a span may or may not have happened. */
const inDoubt = ({ t: by, since }: { t: number; since?: number }, t: number): boolean =>
  since !== undefined && since < t && t < by;

/** True if the request waits: the device got an RNR NAK for it, or what it sent was lost. */
export function isWaiting(events: Events, request: string, t: number): boolean {
  const side = events.recording.poster;
  const own = events.packets.filter((one) => one.request === request && one.side === side && one.from <= t);
  const last = own.at(-1);
  if (!last || (events.find('retired', request)?.t ?? Infinity) <= t) return false;
  const answers = events.packets.filter((one) => one.side !== side && one.from >= last.from && one.from <= t);
  if (answers.some(({ wait, arrived, to }) => wait !== null && arrived !== null && to <= t)) return true;
  const resent = (lost: PacketEvent): boolean =>
    own.some(({ psn, from }) => psn === lost.psn && from > lost.from);
  if (own.some((one) => one.lost && one.to <= t && !resent(one)) && last.to <= t) return true;
  return answers.some(({ lost, to, psn }) => lost && to <= t && (psn ?? 0) >= (last.psn ?? 0));
}

function workContent(
  events: Events,
  side: Side,
  queue: 'sq' | 'rq',
  start: RecordedQueue,
  t: number,
): Content {
  const entries: Entry[] = (start.holds ?? []).map((request) => ({ request, slot: 'used' }));
  let written = start.before ?? entries.length;
  let read = written - entries.length;
  const leaves = queue === 'sq' ? 'retired' : 'fetched';
  const fetched = new Set<string>();
  for (const e of events.recording.events) {
    if (e.side !== side || !('queue' in e) || e.queue !== queue) continue;
    const doubt = inDoubt(e, t);
    if (e.t > t && !doubt) continue;
    if (e.kind === 'posted') {
      entries.push({ request: e.request, slot: doubt ? 'unknown' : 'used' });
      if (!doubt) written++;
    }
    if (!doubt && (e.kind === 'fetched' || e.kind === 'retired') && !fetched.has(e.request)) {
      fetched.add(e.request);
      read++;
    }
    if (e.kind !== leaves) continue;
    const at = entries.findIndex(({ request }) => request === e.request);
    if (at < 0) continue;
    if (doubt) entries[at]!.slot = 'unknown';
    else entries.splice(at, 1);
  }
  if (queue === 'sq')
    for (const one of entries)
      if (one.slot === 'used' && isWaiting(events, one.request, t)) one.slot = 'waiting';
  return { entries, written, read };
}

function completionContent(events: Events, side: Side, start: RecordedQueue, t: number): Content {
  const entries: Entry[] = (start.holds ?? []).map((request) => ({ request, slot: 'cqe' }));
  let written = start.before ?? entries.length;
  let read = written - entries.length;
  for (const e of events.recording.events) {
    if (e.side !== side) continue;
    if (e.kind === 'cqe' && !e.full) {
      const doubt = inDoubt(e, t);
      if (e.t > t && !doubt) continue;
      entries.push({ request: e.request, slot: doubt ? 'unknown' : e.status === 0 ? 'cqe' : 'failed' });
      if (!doubt) written++;
    }
    if (e.kind === 'polled' && e.t <= t) {
      const at = entries.findIndex(({ request }) => request === e.request);
      if (at < 0) continue;
      entries.splice(at, 1);
      read++;
    }
  }
  return { entries, written, read };
}

/** Slots as they are drawn: `drawn` of them, each for `per`. */
function drawnSlots({ entries, written }: Content, capacity: number): Slot[] {
  const drawn = Math.min(capacity, MOST_SLOTS);
  const slots: Slot[] = new Array<Slot>(drawn).fill('free');
  const doubtful = entries.filter(({ slot }) => slot === 'unknown').length;
  const first = written + (entries.at(-1)?.slot === 'unknown' ? doubtful : 0) - entries.length;
  entries.forEach(({ slot }, i) => {
    const at = Math.floor(((((first + i) % capacity) + capacity) % capacity) * (drawn / capacity));
    if (WEIGHT.indexOf(slot) > WEIGHT.indexOf(slots[at]!)) slots[at] = slot;
  });
  return slots;
}

function noteOf(
  events: Events,
  queue: QueueKind,
  { entries }: Content,
  capacity: number | null,
): string | null {
  const waiting = entries.find(({ slot }) => slot === 'waiting');
  if (waiting) return `${events.name(waiting.request)} waits`;
  if (queue === 'cq' && capacity !== null && entries.length >= capacity) return 'full';
  return null;
}

const sharedText = (qps: number): string => `of ${plural(qps, 'QP')}`;

export function ringAt(events: Events, side: Side, queue: QueueKind, t: number): RingState | undefined {
  const start = events.recording.ends[side].queues[queue];
  if (!start) return undefined;
  const { capacity, holds, before, sharedBy } = start;
  const shared = sharedBy === undefined ? {} : { label: 'SRQ' };
  if (holds === null || capacity === null) {
    const drawn = Math.min(capacity ?? NO_SIZE, MOST_SLOTS);
    const slots = new Array<Slot>(drawn).fill('unknown');
    const note = sharedBy === undefined ? null : sharedText(sharedBy);
    return { capacity, used: null, slots, written: null, read: null, note, ...shared };
  }
  const content =
    queue === 'cq' ? completionContent(events, side, start, t) : workContent(events, side, queue, start, t);
  const drawn = Math.min(capacity, MOST_SLOTS);
  const pointer = (n: number): number => Math.floor((n % capacity) * (drawn / capacity));
  const known = before !== null;
  const [writer, reader] =
    queue === 'cq' ? (['device', 'program'] as const) : (['program', 'device'] as const);
  return {
    capacity,
    used: content.entries.some(({ slot }) => slot === 'unknown') ? null : content.entries.length,
    slots: drawnSlots(content, capacity),
    written: known ? { slot: pointer(content.written), by: writer } : null,
    read: known && content.read >= 0 ? { slot: pointer(content.read), by: reader } : null,
    note: noteOf(events, queue, content, capacity) ?? (sharedBy === undefined ? null : sharedText(sharedBy)),
    ...shared,
  };
}
