'use client';
import { noun, plural } from '@verbslab/labs';
import { isFinal, isProgram, whyNoLines, type RunRecord } from '@verbslab/protocol';
import { leadOf, problemList, type ProblemOf } from '@verbslab/report/failure';
import { count } from '../../format/number';
import type { Topic } from '../../model/run-model';
import { useReplaying } from '../../connection/replaying';
import { useTopics } from '../../connection/use-session';
import { ProblemEntry } from './problem';
import type { PanelContentProps } from '../../parts/run/panel-content';

const TOPICS: readonly Topic[] = ['notes', 'trace', 'counters', 'work', 'packets', 'state'];
/** Most problems that are listed: the first ones. */
const SHOWN = 300;

/** Problems by cause, with their reports: by time, then those that only counters show, then leaks. */
export default function ProblemsPanel({ view }: PanelContentProps) {
  useTopics(view, TOPICS);
  const replaying = useReplaying();
  const { notes, record } = view.model;
  const { groups, flushes, intended, intendedNames } = problemList(view.model);
  const told = groups.flatMap(({ parts }) => parts);
  const noLines = whyNoLines(told.map((e) => (e.kind === 'finding' ? e.place : null)));
  // Notes of a lab explain the figures and have their own panel.
  const logs = notes.filter((n) => (n.kind === 'note' ? isProgram(record) : n.level !== 'debug'));
  return (
    <div
      className="thin-scroll h-full overflow-auto px-3 pb-3"
      tabIndex={0}
      role="group"
      aria-label="Errors and misuse"
      data-problems={groups.length}
    >
      {groups.length === 0 ? (
        <p className="py-1.5 text-13 text-ink-2" data-shows="nothing-wrong">
          {replaying ? 'No problem in what has been loaded so far.' : nothingText(record, intended)}
        </p>
      ) : null}
      <ul className="divide-y">
        {groups.slice(0, SHOWN).map((group) => (
          <ProblemEntry key={keyOf(group)} problem={group} model={view.model} />
        ))}
      </ul>
      {groups.length > SHOWN ? (
        <p className="border-t py-1.5 text-13 text-ink-3" data-shows="more-problems">
          {count(groups.length - SHOWN)} more are not shown.
        </p>
      ) : null}
      {noLines === null ? null : <p className="border-t py-1.5 text-13 text-ink-3">{noLines}</p>}
      {intended > 0 ? (
        <p className="border-t py-1.5 text-13 text-ink-3" data-shows="intended">
          {plural(intended, 'error')} {noun(intended, 'is', 'are')} not listed: this lab causes them on
          purpose. {intendedNames.length === 1 ? 'It is' : 'They are'} {intendedNames.join(', ')}.
        </p>
      ) : null}
      {flushes.length > 0 ? (
        <p className="border-t py-1.5 text-13 text-ink-3" data-flushes={flushes.length} data-shows="flushes">
          On {plural(flushes.length, 'QP')}, work requests that were still queued ended with WR_FLUSH_ERR when
          the QP went to ERR. That is normal when a connection ends.
        </p>
      ) : null}
      {logs.map((n) => (
        <p key={n.seq} className="py-1 text-13 text-ink-3" data-shows="remark">
          {n.text}
        </p>
      ))}
    </div>
  );
}

/** Text for a run without reported errors. A run can fail nevertheless; the text then names what ended it. */
function nothingText({ state, error }: RunRecord, intended: number): string {
  if (!isFinal(state)) return 'No call, work request or counter has reported an error yet.';
  if (error === null || state === 'cancelled')
    return intended > 0
      ? 'Nothing went wrong except what this lab causes on purpose.'
      : 'Nothing went wrong.';
  return `No call, work request or counter reported an error. The run failed: ${error.message}`;
}

const keyOf = (group: ProblemOf): string => String(leadOf(group)?.seq ?? group.cause);
