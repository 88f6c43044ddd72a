// Packets that were sent again after a loss, as tshark reads them.
import { middle } from '../figures.js';
import { OPCODE, type Wire, type WirePacket } from '../wire.js';
import type { Recompute } from './found.js';

const WRITES: readonly number[] = [OPCODE.writeFirst, OPCODE.writeMiddle, OPCODE.writeLast, OPCODE.writeOnly];
const PSNS = 2 ** 24;

/** Distance on the circle of PSNs, from −2^23 on. */
export const offset = (psn: number, from: number): number => {
  const ahead = (psn - from + PSNS) % PSNS;
  return ahead >= PSNS / 2 ? ahead - PSNS : ahead;
};

/** A packet as it was sent, and the capture of its arrival; null if it was lost. */
interface Copy {
  psn: number;
  packet: WirePacket;
  arrival: WirePacket | null;
  arrived: boolean;
  /** Index of the copy that was sent before it. */
  last: number | undefined;
  /** An earlier copy had arrived. */
  had: boolean;
}

function copiesOf(wire: Wire | null): Copy[] {
  if (!wire) throw new Error('the explanation of losses is audited with the capture of its run');
  const writes = wire.packets.filter(({ opcode }) => WRITES.includes(opcode));
  const sent = writes.filter((packet) => packet.sent);
  const left = writes.filter((packet) => !packet.sent);
  // The last of several copies in a row is the one that arrived, so both lists are read from their ends.
  const arrivals = new Map<number, WirePacket>();
  for (let i = sent.length - 1; i >= 0; i--)
    if (left.at(-1)?.psn === sent[i]!.psn) arrivals.set(i, left.pop()!);
  const before = new Map<number, number[]>();
  return sent.map((packet, i) => {
    const { psn } = packet;
    const earlier = before.get(psn) ?? [];
    before.set(psn, [...earlier, i]);
    return {
      ...{ psn, packet, arrival: arrivals.get(i) ?? null, arrived: arrivals.has(i) },
      ...{ last: earlier.at(-1), had: earlier.some((at) => arrivals.has(at)) },
    };
  });
}

/** Packets of a ladder: from four before the lost one to the last that was sent again. `lost`: of the lost one. */
export function ladderOf(wire: Wire | null, loss: number): { lost: number; packets: Copy[] } {
  const copies = copiesOf(wire);
  const { lost, from, end } = episodesOf(copies)[loss]!;
  return { lost: copies[lost]!.psn, packets: copies.slice(from, end) };
}

function episodesOf(copies: readonly Copy[]): { start: number; lost: number; from: number; end: number }[] {
  const sent = copies.map(({ psn }) => psn);
  const falls = (i: number): boolean => i > 0 && offset(sent[i]!, sent[i - 1]!) <= 0;
  const starts = [...copies.keys()].filter(
    (i) => falls(i) && copies[i]!.last !== undefined && !copies[i]!.had,
  );
  const endOf = (start: number): number => {
    let end = start + 1;
    while (end < sent.length && copies[end]!.last !== undefined && !falls(end)) end++;
    return end;
  };
  return starts.map((start) => {
    const lost = copies[start]!.last!;
    return { start, lost, from: Math.max(0, lost - 4), end: endOf(start) };
  });
}

export const amplification: Recompute = ({ wire }, { loss }) => {
  const copies = copiesOf(wire);
  const episodes = episodesOf(copies);
  const { start: first, lost, from, end } = episodes[Number(loss)]!;
  const { psn } = copies[first]!;
  const again = copies.slice(first, end);
  const had = again.filter((one) => one.had).length;
  const repeated = copies.filter(({ last }) => last !== undefined);
  const missing = repeated.filter((one) => !one.had).length;
  const costs = episodes.map((one) => one.end - one.start);
  const total = costs.reduce((sum, one) => sum + one, 0);
  return {
    figures: {
      behind: first - lost - 1,
      again: again.length,
      had,
      selective: again.length - had,
      'run-losses': episodes.length,
      'run-median': middle(costs),
      'run-after': total,
      'run-other': repeated.length - total,
      'run-selective': missing,
      'run-ratio': missing === 0 ? null : repeated.length / missing,
    },
    tables: {
      packets: again.map((one) => ({
        psn: one.psn,
        offset: offset(one.psn, psn),
        had: one.had,
        selective: !one.had,
        arrived: one.arrived,
      })),
    },
    curves: {
      order: copies.slice(from, end).map((one, i) => ({
        x: i + 1,
        y: offset(one.psn, psn),
        series: one.last === undefined ? (one.arrived ? 'first' : 'lost') : one.had ? 'vain' : 'needed',
      })),
    },
  };
};
