'use client';
import { TRACKS, type DeviceInfo } from '@verbslab/protocol';
import { Check } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { NotLoaded, useNotLoaded } from '../connection/not-loaded';
import { useAgent } from '../connection/store';
import { Button } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { Empty } from '../ui/states';
import { searchLabs, type LabListing } from '../model/catalog-search';
import { needsText } from './missing';
import { progressOf, progressText, type CheckCounts } from '../model/progress';
import { ProgressLine } from './progress-line';

/** All labs: their map, and a list by track that can be searched. `map`: drawn while nothing is searched for. */
export function LabCatalog(props: { labs: readonly LabListing[]; checks: CheckCounts; map: ReactNode }) {
  const { labs, checks, map } = props;
  const progress = useAgent((s) => s.progress);
  const failed = useNotLoaded('progress');
  const devices = useAgent((s) => s.devices);
  const peers = useAgent((s) => s.peers);
  const all = useMemo(() => [...devices, ...(peers ?? []).flatMap((one) => one.devices)], [devices, peers]);
  const [query, setQuery] = useState('');
  const tracks = searchLabs(labs, query);
  return (
    <>
      <input
        type="search"
        aria-label="Search labs"
        placeholder="Search labs"
        value={query}
        onChange={(e) => setQuery(e.target.value)}
        className="mb-6 h-9 w-full max-w-[24rem] rounded-[4px] border border-line-strong bg-panel px-2.5 pointer-coarse:h-11"
      />
      {progress ? (
        <ProgressLine labs={labs} progress={progress} checks={checks} />
      ) : failed ? (
        <NotLoaded what="progress" className="mb-6" />
      ) : (
        // The line keeps its place while the agent is asked.
        <div className="mb-6 min-h-9" />
      )}
      <p role="status" className="sr-only">
        {query === '' ? '' : `${tracks.reduce((sum, track) => sum + track.labs.length, 0)} labs found`}
      </p>
      {tracks.length === 0 ? (
        <Empty action={<Button onClick={() => setQuery('')}>Show all labs</Button>}>
          No lab matches “{query}”.
        </Empty>
      ) : null}
      {query === '' ? <div className="mb-8">{map}</div> : null}
      <div className="space-y-8">
        {tracks.map((track) => (
          <section key={track.title} aria-label={track.title}>
            <h2 className="text-16 font-semibold">{track.title}</h2>
            <p className="mb-2 text-13 text-ink-2">
              {TRACKS.find(({ title }) => title === track.title)?.text}
            </p>
            <ul className="divide-y border-y">
              {track.labs.map((lab) => (
                <Row
                  key={lab.id}
                  lab={lab}
                  devices={all}
                  done={progressText(progressOf(progress ?? [], lab.id), checks[lab.id] ?? 0)}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}

function Row(props: { lab: LabListing; devices: readonly DeviceInfo[]; done: string | null }) {
  const { lab, devices, done } = props;
  const needs = needsText(lab, devices);
  return (
    <li>
      <PageLink
        href={`/labs/${lab.id}`}
        className="group grid gap-x-8 gap-y-1 py-3 md:grid-cols-[20rem_1fr_5rem]"
      >
        <span className="text-16 font-medium group-hover:text-accent">
          <span className="block text-13 font-normal text-ink-3">{lab.title}</span>
          {lab.question}
          {done === null ? null : (
            <span data-done className="num mt-0.5 flex items-baseline gap-1.5 text-13 font-normal text-ink-2">
              <Check size={13} className="shrink-0 self-center text-ok-ink" aria-hidden />
              {done}
            </span>
          )}
        </span>
        <span className="max-w-[72ch] text-ink-2">
          {lab.summary}
          {needs === null ? null : <span className="mt-0.5 block text-13 text-ink-3">{needs}</span>}
        </span>
        {lab.minutes === undefined ? null : (
          <span className="num text-13 text-ink-3 md:text-right">
            {lab.minutes} <span className="unit">min</span>
          </span>
        )}
      </PageLink>
    </li>
  );
}
