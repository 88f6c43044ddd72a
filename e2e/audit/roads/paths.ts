// The paths of the bytes of a run, and the queues of many QPs.
import type { Claim, Roads } from '../claim.js';
import { MEASURED, type Evidence, type Measured } from '../evidence.js';
import { medianCost, medianOf } from '../loops.js';
import { named } from './figures.js';
import { gbpsFigure } from './gbps.js';
import { goodput, INTERVALS, kernelShare } from './sentences.js';

function kernelPercent(claim: Claim, evidence: Evidence, transport: Measured, shown: string): void {
  claim.figure(kernelShare(medianCost(evidence.rounds(transport))), INTERVALS, shown);
}

/** Checks how many transports moved bytes. */
export function pathsTitle(claim: Claim, evidence: Evidence): void {
  const { n } = claim.match(/^The same bytes over (?<n>one path|\d+ paths), measured in this run$/);
  const ran = MEASURED.filter((transport) => evidence.rounds(transport).length > 0).length;
  claim.equal(ran === 1 ? 'one path' : `${ran} paths`, 'the transports with rounds in the stream', n);
}

/** From where to where the bytes of a run go. */
const ends = ({ data }: Evidence): readonly [string, string] =>
  data.run.parameters.operation === 'read' ? ['server', 'client'] : ['client', 'server'];

export const PATHS: Roads<Evidence> = {
  path: (claim, evidence) => {
    const { who, rate, arrow, share } = claim.match(
      /^(?<who>\S+) (?<rate>[\d.,]+) Gb\/s (?<arrow>[→←])(?:kernel (?<share>[\d.,]+) % of CPU time)?$/,
    );
    const transport = named(claim, evidence, who!);
    gbpsFigure(claim, medianOf(evidence.rounds(transport), goodput), INTERVALS, rate);
    claim.equal(ends(evidence)[0] === 'client' ? '→' : '←', 'the operation', arrow);
    if (share !== undefined) kernelPercent(claim, evidence, transport, share);
  },
  'path-words': (claim, evidence) => {
    const told = /^(?<who>\S+): (?<rate>[\d.,]+) Gb\/s, from (?<from>\w+) to (?<to>\w+)\. /.exec(
      claim.text,
    )?.groups;
    // Until a path is pointed at, the words say how to read the drawing.
    if (told === undefined)
      return claim.holds(!/\d/.test(claim.text), 'no path that is pointed at', 'a figure');
    const transport = named(claim, evidence, told.who!);
    gbpsFigure(claim, medianOf(evidence.rounds(transport), goodput), INTERVALS, told.rate);
    claim.equal(ends(evidence).join(), 'the operation', `${told.from},${told.to}`);
    const share = /kernel ([\d.,]+) %/.exec(claim.text)?.[1];
    if (share !== undefined) kernelPercent(claim, evidence, transport, share);
  },
  'paths-table': (claim, evidence) => {
    const [, ...rows] = claim.shown.rows!;
    for (const [who, , rate, cpu, share] of rows) {
      const transport = named(claim, evidence, who!);
      gbpsFigure(claim, medianOf(evidence.rounds(transport), goodput), INTERVALS, /^\S+/.exec(rate!)?.[0]);
      claim.figure(medianCost(evidence.rounds(transport)).sum, INTERVALS, cpu);
      kernelPercent(claim, evidence, transport, share!.replace(/\s%$/, ''));
    }
  },
};
