// Packets that were sent again after a loss, as tshark reads them.
import { middle } from '../figures.js';
import { OPCODE } from '../wire.js';
import type { Recompute } from './found.js';

const WRITES: readonly number[] = [OPCODE.writeFirst, OPCODE.writeMiddle, OPCODE.writeLast, OPCODE.writeOnly];
const PSNS = 2 ** 24;

export const amplification: Recompute = ({ wire }, { loss }) => {
  if (!wire) throw new Error('the explanation of losses is audited with the capture of its run');
  const writes = wire.packets.filter(({ opcode }) => WRITES.includes(opcode));
  const sent = writes.filter((packet) => packet.sent).map(({ psn }) => psn);
  const left = writes.filter((packet) => !packet.sent).map(({ psn }) => psn);
  // The last of several copies in a row is the one that arrived, so both lists are read from their ends.
  const arrived = new Set<number>();
  for (let i = sent.length - 1; i >= 0; i--)
    if (left.at(-1) === sent[i]) {
      arrived.add(i);
      left.pop();
    }
  const before = new Map<number, number[]>();
  const copies = sent.map((psn, i) => {
    const earlier = before.get(psn) ?? [];
    before.set(psn, [...earlier, i]);
    return { psn, last: earlier.at(-1), had: earlier.some((at) => arrived.has(at)), arrived: arrived.has(i) };
  });
  /** Distance on the circle of PSNs, from −2^23 on. */
  const offset = (psn: number, from: number): number => {
    const ahead = (psn - from + PSNS) % PSNS;
    return ahead >= PSNS / 2 ? ahead - PSNS : ahead;
  };
  const falls = (i: number): boolean => i > 0 && offset(sent[i]!, sent[i - 1]!) <= 0;
  const starts = [...copies.keys()].filter(
    (i) => falls(i) && copies[i]!.last !== undefined && !copies[i]!.had,
  );
  const endOf = (start: number): number => {
    let end = start + 1;
    while (end < sent.length && copies[end]!.last !== undefined && !falls(end)) end++;
    return end;
  };
  const first = starts[Number(loss)]!;
  const { psn, last: lost } = copies[first]!;
  const end = endOf(first);
  const again = copies.slice(first, end);
  const had = again.filter((one) => one.had).length;
  const repeated = copies.filter(({ last }) => last !== undefined);
  const missing = repeated.filter((one) => !one.had).length;
  const costs = starts.map((start) => endOf(start) - start);
  const total = costs.reduce((sum, one) => sum + one, 0);
  const from = Math.max(0, lost! - 4);
  return {
    figures: {
      behind: first - lost! - 1,
      again: again.length,
      had,
      selective: again.length - had,
      'run-losses': starts.length,
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
