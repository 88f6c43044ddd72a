'use client';
import type { RunRow } from '@verbslab/protocol';
import { noun } from '@verbslab/labs';
import type { ReactNode } from 'react';
import { useAgent } from '../connection/store';
import { count, when } from '../format/number';
import { PageLink } from '../ui/page-link';
import { Term } from '../ui/term';
import { SAMPLES } from './samples';

/** Most runs that are offered. */
const RECENT = 6;

const captured = (runs: readonly RunRow[] | null): RunRow[] =>
  (runs ?? []).filter(({ capture }) => (capture?.packets ?? 0) > 0).slice(0, RECENT);

/** What the page is for, and what it can open. `busy`: true while a capture is read. */
export function EmptyPackets({ busy }: { busy: boolean }) {
  const runs = useAgent((s) => s.runs);
  const recent = captured(runs);
  return (
    <div aria-busy={busy}>
      <p className="prose py-4 text-ink-2">
        Open a pcap or pcapng file of up to 1 GiB, or drop one on this page. You see every RoCE packet, what
        went wrong and why, and whether each <Term id="icrc" /> is right. The file stays in your browser.
      </p>
      <div className="grid gap-x-9 gap-y-6 lg:grid-cols-2">
        <Choices title="Samples" label="Sample captures">
          {SAMPLES.map(({ id, title, text }) => (
            <Choice key={id} href={`/packets?sample=${id}`} title={title} text={text} />
          ))}
        </Choices>
        <Choices title="Captures of runs" label="Captures of runs">
          {recent.length === 0 ? (
            <li className="px-2 py-2 text-13 text-ink-3">
              {runs === null ? 'Loading…' : 'No run on this agent has a capture yet.'}
            </li>
          ) : (
            recent.map(({ id, number, title, createdAt, capture }) => (
              <Choice
                key={id}
                href={`/packets?run=${id}`}
                title={`Run ${number}: ${title}`}
                text={`${count(capture!.packets)} ${noun(capture!.packets, 'packet')}, ${when(createdAt)}`}
              />
            ))
          )}
        </Choices>
      </div>
    </div>
  );
}

function Choices({ title, label, children }: { title: string; label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className="min-w-0">
      <h2 className="text-14 font-semibold">{title}</h2>
      <ul className="mt-1 divide-y border-y">{children}</ul>
    </section>
  );
}

function Choice({ href, title, text }: { href: string; title: string; text: string }) {
  return (
    <li>
      <PageLink
        href={href}
        className="block px-2 py-1.5 text-13 hover:bg-hover pointer-coarse:min-h-11 pointer-coarse:py-2.5"
      >
        <span className="font-medium">{title}</span>
        <span className="block text-12 text-ink-3">{text}</span>
      </PageLink>
    </li>
  );
}
