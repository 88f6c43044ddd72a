// Results of the explanations, computed again from the records of a run: see ../explained.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { amplification } from '../explained/amplification.js';
import { averages } from '../explained/averages.js';
import { averagesOverTime } from '../explained/averages-over-time.js';
import { copies } from '../explained/copies.js';
import type { Found, Recompute, Using } from '../explained/found.js';
import { setup } from '../explained/setup.js';
import { states } from '../explained/states.js';
import { waiting } from '../explained/waiting.js';
import { middle } from '../figures.js';
import { bodyOf, cell, number } from './results.js';

const RECOMPUTED: Readonly<Record<string, Recompute>> = {
  amplification,
  averages,
  'averages-over-time': averagesOverTime,
  copies,
  setup,
  states,
  waiting,
};
const RECORDS = 'the records of the run, computed again';

function foundOf(claim: Claim, evidence: Evidence): Found {
  const id = claim.data('explains');
  const recompute = RECOMPUTED[id] ?? claim.fail('e2e/audit/explained', `none of the explanation “${id}”`);
  return recompute(evidence, JSON.parse(claim.data('using')) as Using);
}

export const EXPLANATIONS: Roads<Evidence> = {
  'explained-figure': (claim, evidence) =>
    number(claim, foundOf(claim, evidence).figures[claim.data('result')]),
  'explained-table': (claim, evidence) => {
    const { columns, body } = bodyOf(claim);
    const rows = foundOf(claim, evidence).tables[claim.data('result')] ?? [];
    claim.equal(rows.length, RECORDS, String(body.length));
    rows.forEach((row, i) => columns.forEach((name, j) => cell(claim, row[name], body[i]?.[j] ?? '')));
  },
  'explained-curve': (claim, evidence) => {
    const { columns, body } = bodyOf(claim);
    const points = foundOf(claim, evidence).curves[claim.data('result')] ?? [];
    const xs = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b);
    claim.equal(xs.length, RECORDS, String(body.length));
    xs.forEach((x, i) => {
      number(claim, x, body[i]?.[0] ?? '');
      columns.slice(1).forEach((series, j) => {
        const ys = points.flatMap((point) =>
          point.x === x && point.series === series && point.y !== null ? [point.y] : [],
        );
        number(claim, ys.length === 0 ? null : middle(ys), body[i]?.[j + 1]);
      });
    });
  },
};
