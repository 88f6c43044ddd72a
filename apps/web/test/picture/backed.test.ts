/** Every slot, cell, packet and lit part of a picture is backed by a recorded event, or drawn as unknown. */
import { describe, expect, it } from 'vitest';
import type { PictureStage, RecordedEvent, Recording } from '../../src/model/picture/recording';
import { stagesOf } from '../../src/model/picture/stages-of';
import { stateAt } from '../../src/model/picture/state-at';
import { SIDES, type PictureState, type QueueKind, type Side } from '../../src/model/picture/state';
import { ALL } from './recordings';

type Of<K extends RecordedEvent['kind']> = Extract<RecordedEvent, { kind: K }>;

const of = <K extends RecordedEvent['kind']>({ events }: Recording, kind: K, side: Side): Of<K>[] =>
  events.filter((e): e is Of<K> => e.kind === kind && e.side === side);

/** Times to look at: around each event, and inside of each stage. */
function timesOf({ events }: Recording, stages: readonly PictureStage[]): number[] {
  const marks = events.flatMap((e) =>
    e.kind === 'packet' ? [e.from, e.to] : e.kind === 'call' ? [e.t, e.end ?? e.t] : [e.t, e.since ?? e.t],
  );
  return [
    ...marks.flatMap((t) => [t - 1, t, t + 1]),
    ...stages.flatMap(({ from, to }) => [0, 0.25, 0.5, 0.75, 1].map((u) => from + u * (to - from))),
  ].filter((t) => t >= 0);
}

/** Least and most entries that the record allows in a queue. Null: its content is not recorded. */
function boundsOf(recording: Recording, side: Side, queue: QueueKind, t: number): [number, number] | null {
  const holds = recording.ends[side].queues[queue]?.holds;
  if (!holds) return null;
  const [enters, leaves] =
    queue === 'cq'
      ? (['cqe', 'polled'] as const)
      : (['posted', queue === 'sq' ? 'retired' : 'fetched'] as const);
  const mine = recording.events.filter(
    (e) => e.side === side && (queue === 'cq' || ('queue' in e && e.queue === queue)),
  );
  const put = mine.filter((e) => e.kind === enters && !(e.kind === 'cqe' && e.full));
  const took = mine.filter((e) => e.kind === leaves);
  const surely = (list: RecordedEvent[]): number => list.filter((e) => e.t <= t).length;
  const perhaps = (list: RecordedEvent[]): number => list.filter((e) => (e.since ?? e.t) <= t).length;
  return [holds.length + surely(put) - perhaps(took), holds.length + perhaps(put) - surely(took)];
}

function checkRings(recording: Recording, state: PictureState, t: number): void {
  for (const side of SIDES)
    for (const [queue, ring] of Object.entries(state.hosts[side].rings) as [
      QueueKind,
      NonNullable<PictureState['hosts'][Side]['rings']['sq']>,
    ][]) {
      const bounds = boundsOf(recording, side, queue, t);
      const { slots, used, capacity } = ring;
      if (!bounds || capacity === null) {
        expect(new Set(slots), `${side}.${queue} at ${t}`).toEqual(new Set(['unknown']));
        expect(used).toBeNull();
        continue;
      }
      const [least, most] = bounds;
      const per = capacity / slots.length;
      const sure = slots.filter((one) => one !== 'free' && one !== 'unknown').length;
      const taken = slots.filter((one) => one !== 'free').length;
      expect(sure, `${side}.${queue} at ${t}`).toBeLessThanOrEqual(most);
      expect(taken * per, `${side}.${queue} at ${t}`).toBeGreaterThanOrEqual(
        Math.min(Math.max(0, least), capacity) - (per > 1 ? per : 0),
      );
      if (used !== null) {
        expect(used).toBeGreaterThanOrEqual(least);
        expect(used).toBeLessThanOrEqual(most);
      }
      if (slots.includes('failed'))
        expect(of(recording, 'cqe', side).some((e) => e.t <= t && e.status !== 0)).toBe(true);
    }
}

function checkPackets(recording: Recording, state: PictureState, t: number): void {
  for (const drawn of state.packets) {
    const event = recording.events.find((e): e is Of<'packet'> => e.kind === 'packet' && e.id === drawn.id);
    expect(event, `${drawn.label} at ${t}`).toBeDefined();
    const { from, to, lost, sent, arrived, side } = event!;
    expect(from).toBeLessThanOrEqual(t);
    if (!lost) expect(t).toBeLessThan(to);
    expect([drawn.from, drawn.lost]).toEqual([side, lost]);
    // A time that was not recorded is said to lie between two events.
    expect(drawn.between).toBe(!lost && (sent === null || arrived === null));
    expect(drawn.crossed).toBeGreaterThanOrEqual(0);
    expect(drawn.crossed).toBeLessThanOrEqual(1);
  }
}

/** Cells are the payload that a request names, or that packets brought which were taken. */
function checkCells(recording: Recording, state: PictureState, t: number): void {
  const packets = SIDES.flatMap((side) => of(recording, 'packet', side));
  for (const side of SIDES) {
    const { memory } = state.hosts[side];
    if (!memory) continue;
    const region = recording.ends[side].regions.filter(
      ({ address, length }) => address === memory.address && length === memory.length,
    );
    const ids = new Set(region.map(({ id }) => id));
    const named = SIDES.flatMap((at) => of(recording, 'posted', at)).flatMap((e) =>
      [e.side === side ? e.local : e.remote].flatMap((range) =>
        range && e.t <= t && ids.has(range.region)
          ? [{ from: range.offset, to: range.offset + Math.max(e.bytes, 8), sure: true }]
          : [],
      ),
    );
    const brought = packets.flatMap((e) =>
      e.side !== side && e.taken && !e.lost && e.to <= t && e.into && ids.has(e.into.region)
        ? [{ from: e.into.offset, to: e.into.offset + e.bytes, sure: e.arrived !== null }]
        : [],
    );
    for (const cell of memory.filled) {
      const inside = [...named, ...brought].some(({ from, to }) => from <= cell.from && cell.from < to);
      expect(inside, `cell ${cell.from} of ${side} at ${t}`).toBe(true);
      const end = [...named, ...brought].some(({ from, to }) => from < cell.to && cell.to <= to);
      expect(end, `cell to ${cell.to} of ${side} at ${t}`).toBe(true);
    }
    if (memory.touched)
      expect(named.length + packets.filter(({ reth, to }) => reth && to <= t).length).toBeGreaterThan(0);
  }
}

/** Times between which the device of a side has work: requests that it reads, packets that leave or arrive, CQEs. */
function deviceTimes(recording: Recording, side: Side): [from: number, to: number][] {
  const { events } = recording;
  const packets = events.filter((e) => e.kind === 'packet');
  const between = (times: number[]): [number, number][] =>
    times.map((t, i) => [t, times[i + 1] ?? t] as [number, number]);
  return [
    ...events.flatMap((e): [number, number][] =>
      e.side === side && (e.kind === 'fetched' || e.kind === 'cqe') ? [[e.since ?? e.t, e.t]] : [],
    ),
    ...between(packets.flatMap((e) => (e.side === side ? [e.from] : []))),
    ...between(packets.flatMap((e) => (e.side !== side && !e.lost ? [e.to] : []))),
  ];
}

function checkLit(
  recording: Recording,
  state: PictureState,
  stages: readonly PictureStage[],
  t: number,
): void {
  const stage = stages.findLast(({ from, to }) => from <= t && t <= to);
  for (const side of SIDES) {
    const { lit, library, device, kernel } = state.hosts[side];
    const calls = of(recording, 'call', side).some((e) => e.t <= t && e.end !== null && t < e.end);
    expect(lit.includes('program'), `program of ${side} at ${t}`).toBe(calls);
    expect(lit.includes('library')).toBe(calls);
    expect(library !== null).toBe(calls);
    if (lit.includes('device')) {
      const marks = deviceTimes(recording, side);
      const since = stage?.from ?? t;
      const within = marks.some(([from, to]) => (from <= t && t <= to) || (to >= since && to <= t));
      expect(within, `device of ${side} at ${t}`).toBe(true);
      expect(device.length).toBeGreaterThan(0);
    }
    if (recording.link !== 'udp') expect([kernel, lit.includes('kernel')]).toEqual([null, false]);
    if (lit.includes('kernel')) expect(lit).toContain('device');
  }
}

describe.each(ALL)('%s', (_name, recording) => {
  const stages = stagesOf(recording);

  it('has stages in order, each with a length, a caption and the time that is cut before it', () => {
    expect(stages.length).toBeGreaterThan(1);
    let before = 0;
    for (const { name, caption, from, to, cut } of stages) {
      expect(from, name).toBeGreaterThanOrEqual(before);
      expect(to, name).toBeGreaterThan(from);
      expect(cut).toBe(from - before);
      expect(caption.length).toBeGreaterThan(20);
      expect(caption).not.toMatch(/undefined|NaN|null|–/);
      before = to;
    }
  });

  it('shows nothing that no event backs', () => {
    for (const t of timesOf(recording, stages)) {
      const state = stateAt(recording, stages, t);
      checkRings(recording, state, t);
      checkPackets(recording, state, t);
      checkCells(recording, state, t);
      checkLit(recording, state, stages, t);
    }
  });

  it('is the same at the same time, whatever was shown before', () => {
    const middle = stages[1]!.from;
    const first = stateAt(recording, stages, middle);
    for (const { to } of stages) stateAt(recording, stages, to);
    expect(stateAt(structuredClone(recording), stages, middle)).toEqual(first);
  });
});
