'use client';
import { noun } from '@verbslab/labs';
import { type EndpointFault, findingText, lookupWcStatus, qpnText } from '@verbslab/protocol';
import { type ProblemEvent, problemId } from '@verbslab/report/failure';
import { count } from '../../format/number';
import { Words } from '../../ui/words';
import type { PhaseStore } from '../../model/phases';

/** Most reports of a problem that are listed: the first ones. */
const SHOWN = 100;

interface EvidenceProps {
  phases: PhaseStore;
  parts: readonly ProblemEvent[];
  faults: readonly EndpointFault[];
  /** True to show the reports from the start, for a problem that has no other text. */
  open: boolean;
}

/** All reports of a problem, behind their number. */
export function Evidence({ phases, parts, faults, open }: EvidenceProps) {
  const all = parts.length + faults.length;
  if (all === 0) return null;
  return (
    <details open={open} data-evidence={all}>
      <summary
        className="inline-flex min-h-8 cursor-pointer items-center text-13 text-ink-2 pointer-coarse:min-h-11"
        data-shows="evidence-count"
      >
        {count(all)} {open ? '' : 'more '}
        {noun(all, 'report')} of it
      </summary>
      <ul className="border-l pl-3">
        {parts.slice(0, SHOWN).map((p) => (
          <li
            key={p.seq}
            id={problemId(p)}
            className="py-1 target:bg-accent-wash"
            data-kind={p.kind}
            data-shows="problem"
          >
            <ProblemStory problem={p} phases={phases} />
          </li>
        ))}
        {faults.map((f) => (
          <li key={`${f.endpoint} ${f.name}`} className="py-1" data-shows="fault">
            <FaultStory fault={f} />
          </li>
        ))}
      </ul>
      {parts.length > SHOWN ? (
        <p className="text-ink-3" data-shows="more-evidence">
          {count(parts.length - SHOWN)} more are not shown.
        </p>
      ) : null}
    </details>
  );
}

export function FaultStory({ fault: f }: { fault: EndpointFault }) {
  return (
    <>
      <span className={f.lost ? 'text-error-ink' : 'text-retx-ink'}>
        {count(f.count)} {f.what}.
      </span>{' '}
      {f.text}
      <span className="num block text-12 text-ink-3">
        {f.endpoint ? `${f.endpoint}, ` : ''}
        {f.name}
      </span>
    </>
  );
}

/** Problem reported by an event, with its place and time. */
export function ProblemStory({ problem: p, phases }: { problem: ProblemEvent; phases: PhaseStore }) {
  const phase = phases.at(p.t);
  return (
    <>
      <One problem={p} />
      <span className="num text-12 text-ink-3">
        {p.endpoint ? `${p.endpoint}, ` : ''}
        {(p.t / 1e9).toFixed(3)} s{phase ? `, ${phase.begin.text}` : ''}
      </span>
    </>
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
          <span className="num text-12 font-semibold">QP {qpnText(p.wc.qpn)}</span>{' '}
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
          {p.qpn === undefined ? '' : ` on QP ${qpnText(p.qpn)}`}
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
