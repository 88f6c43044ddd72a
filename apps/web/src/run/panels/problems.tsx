'use client';
import { isFinal, lookupWcStatus } from '@verbslab/protocol';
import { count, hex } from '../../format/number';
import { Words } from '../../ui/words';
import type { Problem, Topic } from '../model/run-model';
import { useTopics } from '../use-session';
import type { PanelContentProps } from './types';
import { Waiting } from './waiting';

const TOPICS: readonly Topic[] = ['notes', 'state'];
/** Drawn: the latest. */
const SHOWN = 300;

/** Failed calls, completions with an error, asynchronous events, and at the end the misuse report. */
export default function ProblemsPanel({ view }: PanelContentProps) {
  useTopics(view, TOPICS);
  const { problems, notes, record } = view.model;
  const logs = notes.filter((n) => n.kind === 'note' || n.level !== 'debug');
  if (problems.length === 0 && logs.length === 0) {
    return (
      <Waiting>
        {isFinal(record.state)
          ? 'No call and no completion failed, and the program misused nothing.'
          : 'Failed calls, completions with an error and asynchronous events appear here; at the end, how the program misused verbs.'}
      </Waiting>
    );
  }
  return (
    <div
      className="thin-scroll h-full overflow-auto px-3 pb-3"
      tabIndex={0}
      role="group"
      aria-label="Errors and misuse"
      data-problems={problems.length}
    >
      {problems.length === 0 ? (
        <p className="py-1.5 text-13 text-ink-2">
          {isFinal(record.state) ? 'Nothing went wrong.' : 'Nothing has gone wrong so far.'}
        </p>
      ) : null}
      <ol className="divide-y">
        {problems.slice(-SHOWN).map((p) => (
          <li key={p.seq} className="py-1.5 text-13" data-problem={p.kind}>
            <One problem={p} />
            <span className="num text-12 text-ink-3">
              {p.endpoint ?? ''}, {(p.t / 1e9).toFixed(3)} s
            </span>
          </li>
        ))}
      </ol>
      {logs.map((n) => (
        <p key={n.seq} className="py-1 text-13 text-ink-3">
          {n.text}
        </p>
      ))}
    </div>
  );
}

function One({ problem: p }: { problem: Problem }) {
  switch (p.kind) {
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
          <span className="num text-12 font-semibold">{p.object}</span>{' '}
          <span className="text-retx-ink">
            {p.id}
            {p.count > 1 ? `, ${count(p.count)} times` : ''}: {p.detail}
          </span>{' '}
          in <span className="num text-12">{p.call}</span>
          {p.where === null ? '' : `, called by ${p.where}`}. <Words>{p.cure}</Words>
        </p>
      );
  }
}
