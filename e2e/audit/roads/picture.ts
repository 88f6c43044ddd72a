// The picture that replays a run, and the table of a run beside the first one of its lab.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf } from '../export.js';
import { nearest, parseFigure } from '../figures.js';
import { seconds } from './header.js';
import { pathsTitle } from './paths.js';

const STREAM = 'the calls, requests and packets of the stream';

/** All that the stream has of calls and requests, as text. */
const recorded = ({ data }: Evidence): string =>
  JSON.stringify([
    itemsOf(data, 'verb'),
    itemsOf(data, 'wr'),
    itemsOf(data, 'completion'),
    // Items of a program, whose calls are not recorded.
    ...[itemsOf(data, 'object'), itemsOf(data, 'qp'), itemsOf(data, 'standstill')],
    data.run.parameters,
  ]);

/** Checks that each number of bytes in a sentence is one that was recorded. */
function bytesRecorded(claim: Claim, evidence: Evidence): void {
  const stream = recorded(evidence);
  for (const [, bytes = ''] of claim.text.matchAll(/(\d[\d,]*)\sB\b/g))
    claim.holds(new RegExp(`\\b${bytes.replaceAll(',', '')}\\b`).test(stream), STREAM, `no ${bytes} B`);
}

/** True for the picture of a shipped recording, which says nothing of the run. */
const isSample = ({ shown }: Claim): boolean => shown.data.sample !== undefined;

function stage(claim: Claim, evidence: Evidence): void {
  if (!isSample(claim)) bytesRecorded(claim, evidence);
}

export const PICTURE: Roads<Evidence> = {
  'picture-title': (claim, evidence) => {
    if (claim.text.startsWith('The same bytes')) return pathsTitle(claim, evidence);
    claim.match(/^(One|\d+) .+, recorded in this run$/);
    bytesRecorded(claim, evidence);
  },
  // Keys, QPNs and addresses of the drawing are numbers of calls.
  picture: (claim, evidence) => {
    if (isSample(claim)) return;
    const stream = recorded(evidence);
    for (const [hex] of claim.text.matchAll(/0x[0-9a-f]+/g))
      claim.holds(
        stream.includes(hex) || new RegExp(`\\b${Number(hex)}\\b`).test(stream),
        STREAM,
        `no ${hex}`,
      );
  },
  'picture-stage': stage,
  'picture-table': stage,
  'picture-time': (claim, evidence) => {
    if (isSample(claim)) return;
    const { from, to } = claim.match(
      /^(?:between (?<from>.+?) and )?(?<to>[\d.,]+ (?:ns|µs|ms|s))(?:, after .+ not shown)?$/,
    );
    const [first, last] = [from, to].map((text) => (text === undefined ? 0 : (nearest(text)?.value ?? NaN)));
    claim.holds(
      first! <= last! && last! <= seconds(evidence) * 1e9,
      'the length of the run',
      seconds(evidence),
    );
  },
  // The figures of the first run are not in the evidence of this one: their ratio to its own is.
  'against-first': (claim, { data }) => {
    const [head = [], ...rows] = claim.shown.rows ?? [];
    claim.equal(`Run ${data.run.number}`, 'the record of the run', head[2]?.trim());
    for (const [label = '', before = '', now = '', change = ''] of rows) {
      const ratio = /^([\d.,]+)×\*?$/.exec(change)?.[1];
      if (ratio === undefined) continue;
      const [a, b] = [before, now].map((cell) => parseFigure(cell.split(' ')[0]!)?.value ?? NaN);
      const about = claim.about({ row: label });
      // Both figures are rounded to three digits.
      about.figure(b! / a!, 'the figures beside it', ratio, 0.01 * (b! / a!));
    }
  },
};
