'use client';
import {
  findingText,
  isFinal,
  isProgram,
  lookupWcStatus,
  whyNoLines,
  type RunRecord,
} from '@verbslab/protocol';
import { count, hex } from '../../format/number';
import { Words } from '../../ui/words';
import { problemList, type ProblemEvent } from '../model/problem-list';
import { problemId } from '../model/problem-text';
import type { Topic } from '../model/run-model';
import { useReplaying } from '../replaying';
import { useTopics } from '../use-session';
import { IncidentEntry } from './incident';
import type { PanelContentProps } from './types';

const TOPICS: readonly Topic[] = ['notes', 'trace', 'counters', 'work', 'packets', 'state'];
/** Drawn: the latest. */
const SHOWN = 300;

/** Requests that failed, then failed calls, events and misuse by time; then error counters that moved, then leaks. */
export default function ProblemsPanel({ view }: PanelContentProps) {
  useTopics(view, TOPICS);
  const replaying = useReplaying();
  const { notes, record } = view.model;
  const { incidents, events, faults, leaks, flushes, count: total, ...rest } = problemList(view.model);
  const { intended, intendedNames } = rest;
  const told = [...incidents.flatMap(({ parts }) => parts), ...events, ...leaks];
  const noLines = whyNoLines(told.map((e) => (e.kind === 'finding' ? e.place : null)));
  // In a lab the notes explain the figures, and have their own panel.
  const logs = notes.filter((n) => (n.kind === 'note' ? isProgram(record) : n.level !== 'debug'));
  return (
    <div
      className="thin-scroll h-full overflow-auto px-3 pb-3"
      tabIndex={0}
      role="group"
      aria-label="Errors and misuse"
      data-problems={total}
    >
      {total === 0 ? (
        <p className="py-1.5 text-13 text-ink-2" data-shows="nothing-wrong">
          {replaying ? 'No problem in what has been loaded so far.' : nothingText(record)}
        </p>
      ) : null}
      <ul className="divide-y">
        {incidents.slice(0, SHOWN).map((incident) => (
          <IncidentEntry key={incident.parts[0]!.seq} incident={incident} model={view.model} />
        ))}
        {events.slice(-SHOWN).map((p) => (
          <Entry key={p.seq} problem={p} />
        ))}
        {faults.map((f) => (
          <li
            key={`${f.endpoint} ${f.name}`}
            className="py-1.5 text-13"
            data-problem="counter"
            data-shows="fault"
          >
            <span className={f.lost ? 'text-error-ink' : 'text-retx-ink'}>
              {count(f.count)} {f.what}.
            </span>{' '}
            {f.text}
            <span className="num block text-12 text-ink-3">
              {f.endpoint ? `${f.endpoint}, ` : ''}
              {f.name}
            </span>
          </li>
        ))}
        {leaks.slice(0, SHOWN).map((p) => (
          <Entry key={p.seq} problem={p} />
        ))}
      </ul>
      {noLines === null ? null : <p className="border-t py-1.5 text-13 text-ink-3">{noLines}</p>}
      {intended > 0 ? (
        <p className="border-t py-1.5 text-13 text-ink-3" data-shows="intended">
          {intended === 1 ? '1 error is' : `${count(intended)} errors are`} not listed: this lab causes them
          on purpose. {intendedNames.length === 1 ? 'It is' : 'They are'} {intendedNames.join(', ')}.
        </p>
      ) : null}
      {flushes.length > 0 ? (
        <p className="border-t py-1.5 text-13 text-ink-3" data-flushes={flushes.length} data-shows="flushes">
          {flushes.length === 1 ? 'On 1 QP' : `On ${count(flushes.length)} QPs`}, work requests that were
          still queued ended with WR_FLUSH_ERR when the QP went to ERR. That is normal when a connection ends.
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

/** A run can fail although no call, work request or counter reported an error: then this says what ended it. */
function nothingText({ state, error }: RunRecord): string {
  if (!isFinal(state)) return 'Nothing has gone wrong so far.';
  if (error === null || state === 'cancelled') return 'Nothing went wrong.';
  return `No call, work request or counter reported an error. The run failed: ${error.message}`;
}

function Entry({ problem: p }: { problem: ProblemEvent }) {
  return (
    <li
      id={problemId(p)}
      className="py-1.5 text-13 target:bg-accent-wash"
      data-problem={p.kind}
      data-shows="problem"
    >
      <One problem={p} />
      <span className="num text-12 text-ink-3">
        {p.endpoint ? `${p.endpoint}, ` : ''}
        {(p.t / 1e9).toFixed(3)} s
      </span>
    </li>
  );
}

function One({ problem: p }: { problem: ProblemEvent }) {
  switch (p.kind) {
    case 'check':
      return <p className="text-error-ink">{p.detail}</p>;
    case 'verb':
      return (
        <p>
          <span className="text-error-ink">
            <Words>{p.error?.message}</Words>
          </span>{' '}
          <Words>{p.error?.cure}</Words>
        </p>
      );
    case 'completion': {
      const status = lookupWcStatus(p.wc.status);
      return (
        <p>
          <span className="num text-12 font-semibold">QP {hex(p.wc.qpn)}</span>{' '}
          <span className="text-error-ink">
            completed with {status.name}: {status.meaning}
          </span>{' '}
          <Words>{status.cure}</Words>
        </p>
      );
    }
    case 'async':
      return (
        <p>
          <span className="num text-12 font-semibold">IBV_EVENT_{p.event}</span>
          {p.qpn === undefined ? '' : ` on QP ${hex(p.qpn)}`}
        </p>
      );
    case 'finding':
      return (
        <p>
          <span className="text-retx-ink">
            <Words>{findingText(p)}</Words>
          </span>{' '}
          <Words>{p.cure}</Words>
        </p>
      );
  }
}
