/** The work requests of a run that its picture shows, if the caller names none. */
import { WC_FLUSH } from '@verbslab/protocol';
import type { Analysis } from '@verbslab/roce';
import { bookOf } from '../machine/book';
import { isLive, type MachineObject } from '../machine/object';
import type { Work } from '../machine/work';
import { messageOfWork } from '../machine/work-message';
import type { RunModel } from '../run-model';

/** Requests of a QP to look at: the message of each is searched. */
const LOOKED = 100;
/** Most requests of one picture. */
const MOST = 64;

interface Candidate {
  qp: MachineObject;
  work: Work;
}

/** Requests of a CQ that overran. */
function overrun(run: RunModel): readonly Work[] | null {
  const { objects, workOf } = bound(run);
  for (const e of run.trace) {
    if (e.kind !== 'async' || e.event !== 'CQ_ERR') continue;
    const cq = objects.find(
      (one) =>
        one.kind === 'CQ' && one.endpoint === e.endpoint && one.number === e.cq && isLive(one, e.t - 1),
    );
    const qp = cq && objects.find((one) => one.kind === 'QP' && one.sendCq === cq.id);
    const works = qp ? workOf(qp).filter(({ posted }) => posted < e.t) : [];
    if (works.length > 0) return works.slice(0, MOST);
  }
  return null;
}

function bound(run: RunModel): {
  objects: readonly MachineObject[];
  workOf: (qp: MachineObject) => readonly Work[];
} {
  const book = bookOf(run);
  return { objects: book.objects, workOf: (qp) => book.workOf(qp, 'SQ') };
}

/** The request with the most to see: stamps, packets, a completion, and data. */
function weight(run: RunModel, { qp, work }: Candidate, analysis: Analysis | null): number {
  const message = analysis ? messageOfWork(run, qp, work, analysis) : null;
  return (
    (message ? 16 : 0) +
    (work.life ? 8 : 0) +
    (work.signaled ? 4 : 0) +
    (work.polled !== null ? 2 : 0) +
    (work.bytes > 0 ? 1 : 0)
  );
}

const refused = (work: Work): boolean =>
  work.status !== null && work.status !== 0 && work.status !== WC_FLUSH;

/** A request that found no RECV, and the requests that were posted with it. */
function withoutReceive(run: RunModel, all: readonly Candidate[], analysis: Analysis): Candidate | null {
  if (!analysis.messages.some(({ responses }) => responses.some((i) => analysis.rows[i]!.kind === 'rnr')))
    return null;
  return (
    all.find(({ qp, work }) => {
      const found = messageOfWork(run, qp, work, analysis);
      return found?.message.responses.some((i) => analysis.rows[i]!.kind === 'rnr') ?? false;
    }) ?? null
  );
}

/** Requests that one call posted. */
function together(run: RunModel, { qp, work }: Candidate): readonly Work[] {
  if (work.seq === work.life?.seq) return [work];
  return bound(run)
    .workOf(qp)
    .filter(({ seq }) => seq === work.seq)
    .slice(0, MOST);
}

/**
 * An overrun or an error first, then a request without a RECV, then the first one with the most to see. Empty if no
 * request is recorded.
 */
export function tellingWorks(run: RunModel, analysis: Analysis | null): readonly Work[] {
  const { objects, workOf } = bound(run);
  const over = overrun(run);
  if (over) return over;
  const all: Candidate[] = objects
    .filter(({ kind }) => kind === 'QP')
    .flatMap((qp) => workOf(qp).map((work) => ({ qp, work })))
    .sort((a, b) => a.work.posted - b.work.posted);
  const looked = all.slice(0, LOOKED);
  const errors = all.filter(({ work }) => refused(work));
  // An error with its packets shows more than one without.
  const error =
    (analysis && errors.slice(0, LOOKED).find(({ qp, work }) => messageOfWork(run, qp, work, analysis))) ??
    errors[0];
  if (error) return [error.work];
  const waiting = analysis && withoutReceive(run, looked, analysis);
  if (waiting) return [waiting.work];
  let best: Candidate | null = null;
  let most = -1;
  for (const one of looked) {
    const found = weight(run, one, analysis);
    if (found > most) [best, most] = [one, found];
  }
  return best ? together(run, best) : [];
}
