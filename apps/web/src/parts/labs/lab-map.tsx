'use client';
import type { LabProgress } from '@verbslab/protocol';
import { useMemo, useRef, useState } from 'react';
import { useAgent } from '../../connection/store';
import { isDone, standingOf, type LabPlace, type MapRow } from '../../model/lab-map';
import { cn } from '../../ui/cn';
import { PageLink } from '../../ui/page-link';
import { MapLines } from './map-lines';
import { StandingDot } from './standing-dot';

/** The map with the progress that the agent keeps. */
export function LabMap({ rows }: { rows: readonly MapRow[] }) {
  return <DrawnMap rows={rows} progress={useAgent((s) => s.progress)} />;
}

/**
 * All labs: a row for each track, a dot for each lab. Pointing at a lab draws lines to the labs that it builds on, and
 * shows its question below.
 */
export function DrawnMap(props: { rows: readonly MapRow[]; progress: readonly LabProgress[] | null }) {
  const { rows, progress } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const places = useMemo(() => rows.flatMap((row) => row.places), [rows]);
  const chosen = places.find(({ id }) => id === pointed) ?? null;
  const done = places.filter(({ id }) => progress && isDone(progress, id)).length;
  return (
    <section aria-labelledby="lab-map">
      <div className="mb-3 flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 id="lab-map" className="text-14 font-semibold">
          All <span className="num">{places.length}</span> labs
        </h2>
        <p className="text-13 text-ink-3">
          {progress ? (
            <>
              <span className="num text-ink" data-shows="labs-done">
                {done}
              </span>{' '}
              done
              <span className="max-sm:hidden">, </span>
            </>
          ) : null}
          <span className="max-sm:hidden">point at a lab to see what it builds on</span>
        </p>
        <Legend />
      </div>
      <div ref={frame} className="relative">
        {chosen ? <MapLines frame={frame} to={chosen.id} from={chosen.buildsOn} /> : null}
        <ul>
          {rows.map((row) => (
            <Row key={row.track} row={row} progress={progress} chosen={chosen} onPoint={setPointed} />
          ))}
        </ul>
      </div>
      <Pointed place={chosen} places={places} progress={progress} />
    </section>
  );
}

function Legend() {
  return (
    <ul className="flex flex-wrap gap-x-4 text-12 text-ink-2 sm:ml-auto">
      <li className="flex items-center gap-1.5">
        <StandingDot standing="done" /> done
      </li>
      <li className="flex items-center gap-1.5">
        <StandingDot standing="ready" /> you know what it builds on
      </li>
      <li className="flex items-center gap-1.5">
        <StandingDot standing="later" /> builds on labs you have not done
      </li>
    </ul>
  );
}

interface RowProps {
  row: MapRow;
  progress: readonly LabProgress[] | null;
  chosen: LabPlace | null;
  onPoint: (lab: string) => void;
}

function Row({ row: { track, places }, progress, chosen, onPoint }: RowProps) {
  const done = places.filter(({ id }) => progress && isDone(progress, id)).length;
  return (
    <li className="grid gap-x-2 py-1 max-sm:py-2 sm:grid-cols-[7.5rem_minmax(0,1fr)]">
      <p className="text-13 leading-4 font-semibold max-sm:mb-1">
        {track}
        <span className="num ml-2 text-12 font-normal text-ink-3 sm:ml-0 sm:block" data-shows="track-done">
          {progress ? `${done} of ${places.length}` : `${places.length} labs`}
        </span>
      </p>
      <ol aria-label={track} className="grid grid-cols-2 sm:grid-cols-[repeat(auto-fill,minmax(4.9rem,1fr))]">
        {places.map((place) => (
          <Place
            key={place.id}
            place={place}
            near={chosen !== null && (chosen.id === place.id || chosen.buildsOn.includes(place.id))}
            progress={progress}
            onPoint={onPoint}
          />
        ))}
      </ol>
    </li>
  );
}

const SAID = { done: ', done', ready: '', later: ', builds on labs that you have not done' } as const;

function Place(props: {
  place: LabPlace;
  /** True for the lab that is pointed at, and for those that it builds on. */
  near: boolean;
  progress: readonly LabProgress[] | null;
  onPoint: (lab: string) => void;
}) {
  const { place, near, progress, onPoint } = props;
  const { id, short } = place;
  const standing = progress && standingOf(place, progress);
  return (
    <li className="relative sm:not-last:after:absolute sm:not-last:after:top-[5.5px] sm:not-last:after:right-0 sm:not-last:after:left-4 sm:not-last:after:h-px sm:not-last:after:bg-line">
      <PageLink
        href={`/labs/${id}`}
        data-lab={id}
        data-standing={standing ?? undefined}
        onPointerEnter={() => onPoint(id)}
        onFocus={() => onPoint(id)}
        className={cn(
          'relative flex h-full min-h-11 gap-x-2 text-12 leading-4 max-sm:items-center max-sm:text-13 sm:flex-col sm:gap-y-1 sm:pb-1',
          near ? 'text-ink' : 'text-ink-2 hover:text-ink',
        )}
      >
        <StandingDot
          standing={standing}
          className={near ? 'outline-2 outline-offset-1 outline-accent' : ''}
        />
        <span className="min-w-0 wrap-break-word hyphens-auto">
          <span className="bg-page">{short}</span>
          {standing ? <span className="sr-only">{SAID[standing]}</span> : null}
        </span>
      </PageLink>
    </li>
  );
}

/** The lab that is pointed at: its question, why a reader would care, and what it builds on. It stays in sight. */
function Pointed(props: {
  place: LabPlace | null;
  places: readonly LabPlace[];
  progress: readonly LabProgress[] | null;
}) {
  const { place, places, progress } = props;
  const below = place?.buildsOn.flatMap((lab) => places.find(({ id }) => id === lab) ?? []) ?? [];
  return (
    <p
      role="status"
      data-pointed={place?.id}
      className="sticky bottom-0 min-h-11 border-t bg-page py-2 text-13 max-sm:hidden"
    >
      {place ? (
        <>
          <span className="font-semibold">{place.short}</span>
          <span className="ml-3">{place.question}</span>
          {place.why === null ? null : <span className="ml-3 text-ink-2">{place.why}</span>}
          <span className="ml-3 text-ink-3">
            {below.length === 0 ? 'builds on no other lab' : 'builds on '}
            {below
              .map(({ id, short }) => `${progress && isDone(progress, id) ? '✓ ' : ''}${short}`)
              .join(', ')}
          </span>
        </>
      ) : (
        <span className="text-ink-3">The question of the lab that you point at stands here.</span>
      )}
    </p>
  );
}
