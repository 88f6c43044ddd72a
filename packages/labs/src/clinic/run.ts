import type { LabContext } from '@verbslab/protocol';
import type { FailureCase } from '../failures/case.js';
import {
  differences,
  evidenceText,
  examine,
  type Counters,
  type Evidence,
  symptomCells,
} from '../failures/evidence.js';
import { closeBench, openBench } from '../failures/open.js';
import { choose } from './choose.js';
import type { ClinicParams } from './params.js';

type Context = LabContext<ClinicParams>;

export async function runClinic(ctx: Context): Promise<void> {
  const { bench, tapped } = await openBench(ctx);
  const { one, lacks } = await choose(bench, ctx.params);
  if (lacks !== null) {
    await closeBench(bench, tapped);
    for (const id of ['symptoms', 'fixed']) ctx.doesNotApply(id, lacks);
    ctx.answer(`These devices cannot show this failure. ${lacks}`);
    return;
  }
  const broken = await ctx.step('symptoms', async () => {
    const evidence = await examine(bench, one, true, tapped);
    ctx.note(one.symptom);
    symptoms(ctx, 'With the mistake', evidence);
    ctx.figure('brokenTime', micros(evidence.attempt.elapsedNs));
    return evidence;
  });
  await ctx.step('reveal', () => Promise.resolve(named(ctx) ? diagnosis(ctx, one) : undefined));
  const fixed = await ctx.step('fix', () => examine(bench, one, false, tapped));
  await closeBench(bench, tapped);
  symptoms(ctx, 'Without it', fixed);
  ctx.figure('fixedTime', micros(fixed.attempt.elapsedNs));
  counters(ctx, 'client', broken.clientCounters, fixed.clientCounters);
  counters(ctx, 'server', broken.serverCounters, fixed.serverCounters);
  conclude(ctx, one, broken, fixed);
}

/** True if the failure may be named: the user asked for it, or chose the failure by name. */
const named = ({ params }: Context): boolean => params.reveal || params.case !== 'random';

const micros = (ns: number | null): number | null => (ns === null ? null : ns / 1000);

function symptoms(ctx: Context, version: string, found: Evidence): void {
  const { attempt } = found;
  ctx.row('symptoms', {
    version,
    ...symptomCells(found),
    works: attempt.worked,
    seen: attempt.seen,
  });
}

function counters(ctx: Context, side: string, broken: Counters | null, fixed: Counters | null): void {
  if (!broken || !fixed) return;
  for (const counter of Object.keys(broken)) {
    const row = { broken: broken[counter] ?? 0, fixed: fixed[counter] ?? 0 };
    if (row.broken > 0 || row.fixed > 0) ctx.row('counters', { side, counter, ...row });
  }
}

function diagnosis(ctx: Context, one: FailureCase): void {
  for (const [part, text] of [
    ['Diagnosis', one.name],
    ['Cause', one.cause],
    ['Explanation', one.explanation],
    ['Fix', one.fix],
  ] as const)
    ctx.row('diagnosis', { part, text });
  ctx.outcome('diagnosis', one.id);
}

function conclude(ctx: Context, one: FailureCase, broken: Evidence, fixed: Evidence): void {
  const faults = differences(one.expected, broken);
  const seen = evidenceText(broken);
  ctx.check(
    'symptoms',
    faults.length === 0,
    faults.length === 0 ? `With the mistake: ${seen}` : faults.join(' '),
  );
  ctx.check('fixed', fixed.attempt.worked, `Without the mistake: ${evidenceText(fixed)}`);
  ctx.answer(
    named(ctx)
      ? `${one.name}. ${one.fix}`
      : `The symptoms: ${seen} Name the mistake, then run again with the same seed and “Reveal the diagnosis” on.`,
  );
}
