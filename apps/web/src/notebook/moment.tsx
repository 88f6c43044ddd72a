import { parseQuantity, type Moment, type RunRecord } from '@verbslab/protocol';
import { text, time } from '../format/number';
import { runHref } from '../runs/figures';
import { PageLink } from '../ui/page-link';

/** `at 1.23 s, packet 17`. */
export function momentText({ t, selection }: Moment): string {
  const { packet, request } = selection ?? {};
  return [
    `at ${text(time(t))}`,
    ...(packet === undefined ? [] : [`packet ${packet}`]),
    ...(request === undefined ? [] : [`work request ${request.wrId} of ${request.endpoint}`]),
  ].join(', ');
}

/** The page of a run at a moment: nanoseconds since the run was created. */
export const momentHref = (runId: string, { t }: Moment): string => `${runHref(runId)}&t=${Math.round(t)}`;

export function MomentLink({ runId, moment }: { runId: RunRecord['id']; moment: Moment }) {
  return (
    <PageLink
      href={momentHref(runId, moment)}
      className="num inline-flex min-h-6 items-center text-13 text-accent underline underline-offset-4 hover:no-underline"
    >
      {momentText(moment)}
    </PageLink>
  );
}

/** What is typed as a time, in nanoseconds; null when it is none. */
export function parseMoment(typed: string): number | null {
  const seconds = parseQuantity(typed.replace('µ', 'u'), 's');
  return seconds === null || seconds < 0 ? null : Math.round(seconds * 1e9);
}
