'use client';
import { noun } from '@verbslab/labs';
import { NO_CURE, type Diagnosis as Diagnosed, type Finding, type Severity } from '@verbslab/roce';
import { useMemo } from 'react';
import { count } from '../format/number';
import { cn } from '../ui/cn';
import { captureStory } from './capture-story';
import { isUnusual } from './chips';
import { Connections } from './connections';
import { PacketLink } from './packet-link';

/** Most packets that a sentence names; the rest of a finding is in its reasons. */
const NAMED = 5;

const SEVERITY: Record<Severity, string> = {
  error: 'text-error-ink',
  warning: 'text-retx-ink',
  note: 'text-ink-3',
};

export function verdict(findings: readonly Finding[]): string {
  const of = (severity: Severity) =>
    findings.filter((one) => one.severity === severity && isUnusual(one)).length;
  const said = (['error', 'warning', 'note'] as const)
    .map((severity) => [of(severity), severity] as const)
    .filter(([n]) => n > 0)
    .map(([n, severity]) => `${count(n)} ${noun(n, severity)}`);
  return of('error') + of('warning') === 0 ? 'Nothing unusual found.' : `Found ${said.join(', ')}.`;
}

/** Summary of a capture and of its problems, with links to the packets, then its connections. */
export function Diagnosis({ diagnosis }: { diagnosis: Diagnosed }) {
  const { findings, checked, unchecked } = diagnosis;
  const story = useMemo(() => captureStory(diagnosis), [diagnosis]);
  return (
    <section aria-label="Diagnosis" className="text-13">
      {story.map((sentences) => (
        <p key={sentences} className="mb-1 max-w-[120ch]">
          {sentences}
        </p>
      ))}
      <h2 className="text-14 font-semibold">{unchecked?.text ?? verdict(findings)}</h2>
      {unchecked ? <p className="max-w-[120ch] text-ink-2">{unchecked.why}</p> : null}
      <ul>
        {findings.map((found, i) => (
          <li key={i} data-finding={found.id} className="mt-1.5 max-w-[120ch]">
            <OneFinding found={found} />
          </li>
        ))}
      </ul>
      {unchecked ? null : (
        <details className="mt-1">
          <summary className="inline-flex min-h-8 items-center text-12 text-ink-2 pointer-coarse:min-h-11">
            What was checked
          </summary>
          <p className="max-w-[120ch] text-ink-2">{checked.join(', ')}.</p>
        </details>
      )}
      <Connections diagnosis={diagnosis} />
    </section>
  );
}

function OneFinding({ found }: { found: Finding }) {
  const { severity, text, why, cure, packets, total } = found;
  const links = (from: number, to?: number) => <Links packets={packets.slice(from, to)} />;
  const more = total - Math.min(packets.length, NAMED);
  return (
    <>
      <p>
        {isUnusual(found) ? (
          <span className={cn('font-medium', SEVERITY[severity])}>
            {severity[0]!.toUpperCase()}
            {severity.slice(1)}{' '}
          </span>
        ) : null}
        {text}{' '}
        {packets.length > 0 ? (
          <span className="whitespace-normal text-ink-2">
            {noun(packets.length, 'Packet')} {links(0, NAMED)}
            {more > 0 ? ` and ${count(more)} more` : ''}.
          </span>
        ) : null}
      </p>
      <details>
        <summary className="inline-flex min-h-8 items-center text-12 text-ink-2 pointer-coarse:min-h-11">
          {cure === NO_CURE ? 'Why' : 'Why, and what to do'}
        </summary>
        <p className="text-ink-2">{why}</p>
        {cure === NO_CURE ? null : <p>{cure}</p>}
        {packets.length > NAMED ? (
          <p className="text-ink-2">
            More packets: {links(NAMED)}
            {total > packets.length ? ', …' : ''}
          </p>
        ) : null}
      </details>
    </>
  );
}

function Links({ packets }: { packets: readonly number[] }) {
  return packets.map((number, i) => (
    <span key={number}>
      {i > 0 ? ', ' : ''}
      <PacketLink number={number} />
    </span>
  ));
}
