import type { LabContext } from '@verbslab/protocol';
import { CASES } from '../failures/cases/index.js';
import type { FailureCase } from '../failures/case.js';
import { countersText } from '../failures/diagnostic-counters.js';
import { statusText, type Evidence, symptomCells } from '../failures/evidence.js';
import { closeBench, openBench } from '../failures/open.js';
import { missing, runBoth } from '../failures/verdict.js';
import { plural } from '../base/format.js';
import type { LinkParam } from '../endpoints/link.js';
import { inPhase } from '../endpoints/phase.js';

type Context = LabContext<{ link: LinkParam }>;

const micros = (ns: number | null): number | null => (ns === null ? null : ns / 1000);

/** A program that reads statuses, errnos and events would not notice. */
const silent = ({ attempt, clientEvents, serverEvents }: Evidence): boolean =>
  !attempt.status &&
  attempt.errno === null &&
  attempt.code === undefined &&
  clientEvents.length + serverEvents.length === 0;

function report(ctx: Context, { name }: FailureCase, broken: Evidence, fixed: Evidence): void {
  const { attempt } = broken;
  ctx.row('failures', {
    failure: name,
    ...symptomCells(broken),
    counters: countersText(broken.clientCounters, broken.serverCounters),
    seen: attempt.seen,
  });
  ctx.row('fixes', {
    failure: name,
    status: statusText(fixed.attempt.status),
    time: micros(fixed.attempt.elapsedNs),
    works: fixed.attempt.worked,
  });
}

export async function runTour(ctx: Context): Promise<void> {
  const { bench, tapped } = await openBench(ctx);
  const shown: { id: string; evidence: Evidence }[] = [];
  const unfixed: string[] = [];
  for (const [index, one] of CASES.entries()) {
    ctx.progress(index / CASES.length, one.name);
    const why = await missing(bench, one);
    if (why !== null) {
      ctx.doesNotApply(one.id, why);
      continue;
    }
    const { broken, fixed, faults, works } = await runBoth(bench, one, tapped, (broken, work) =>
      inPhase(
        ctx,
        `${one.id}-${broken ? 'broken' : 'fixed'}`,
        broken ? one.name : `${one.name}: fixed`,
        work,
      ),
    );
    report(ctx, one, broken, fixed);
    shown.push({ id: one.id, evidence: broken });
    if (!works) unfixed.push(one.name);
    ctx.check(one.id, faults.length === 0, faults.length === 0 ? broken.attempt.seen : faults.join(' '));
  }
  await closeBench(bench, tapped);
  ctx.check(
    'fixes',
    unfixed.length === 0,
    unfixed.length === 0
      ? `${plural(shown.length, 'program')} worked without the mistake.`
      : `These did not work: ${unfixed.join(', ')}.`,
  );
  conclude(ctx, shown);
}

function conclude(ctx: Context, shown: readonly { id: string; evidence: Evidence }[]): void {
  const timeOf = (id: string): number | null => {
    const ns = shown.find((one) => one.id === id)?.evidence.attempt.elapsedNs;
    return ns === undefined || ns === null ? null : ns / 1e6;
  };
  const quiet = shown.filter(({ evidence }) => silent(evidence)).length;
  const refused = shown.filter(({ evidence }) => evidence.attempt.errno !== null).length;
  const told = shown.filter(
    ({ evidence: { attempt, clientEvents, serverEvents } }) =>
      !attempt.status && attempt.errno === null && clientEvents.length + serverEvents.length > 0,
  ).length;
  const completed = shown.filter(({ evidence }) => (evidence.attempt.status ?? 0) > 0).length;
  const answered = shown.filter(({ evidence }) => evidence.attempt.code !== undefined).length;
  ctx.figure('cases', shown.length);
  ctx.figure('silent', quiet);
  ctx.figure('refused', refused);
  ctx.figure('goneTime', timeOf('peer-gone'));
  ctx.figure('rnrZeroTime', timeOf('rnr-timer-zero'));
  const statusOf = (id: string): number | null | undefined =>
    shown.find((one) => one.id === id)?.evidence.attempt.status;
  const gone = statusOf('peer-gone');
  ctx.outcome(
    'same-status',
    gone === statusOf('psn-mismatch') ? 'psn' : gone === statusOf('missing-recv') ? 'recv' : 'rkey',
  );
  ctx.outcome('qkey', statusOf('wrong-qkey') === 0 ? 'success' : 'error');
  ctx.answer(
    `Of ${plural(shown.length, 'failure')}, ${completed} complete with an error status, a call refuses ${refused}, ${told} ${told === 1 ? 'raises' : 'raise'} only an asynchronous event, the peer’s program answers ${answered} with a code, and ${quiet} show no error at all.`,
  );
}
