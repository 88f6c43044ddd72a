'use client';
import { useEffect, useMemo, useState } from 'react';
import { count, text, time } from '../../format/number';
import { areaRows } from './kinds';
import { momentText } from '../../format/time-text';
import type { Timeline } from './model/track';
import { useTimeline } from './timeline-store';

/** Dragging changes the stretch many times a second; the figures follow when it rests. */
const REST_MS = 120;

function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

const cell = 'px-2 py-0.5 text-left align-top first:pl-0 last:pr-0';

/** The figures of a stretch: of the marked one, or of what is in view. */
export function AreaTable({ timeline }: { timeline: Timeline }) {
  const area = useTimeline((s) => s.area);
  const from = useTimeline((s) => s.from);
  const to = useTimeline((s) => s.to);
  const stretch = useRested(area ? `${area[0]} ${area[1]}` : `${from} ${to}`);
  const [a, b] = stretch.split(' ').map(Number) as [number, number];
  const rows = useMemo(() => areaRows(timeline.tracks, a, b), [timeline, a, b]);
  const titles = new Map(timeline.groups.map(({ id, title }) => [id, title]));
  return (
    <div
      className="thin-scroll max-h-80 overflow-auto px-3 py-2"
      data-records
      data-area-table
      tabIndex={0}
      role="group"
      aria-label="Figures of the stretch"
    >
      <p className="mb-1 text-13" data-words>
        {area ? 'The marked stretch' : 'The stretch in view'}: {momentText(a, b - a)} to{' '}
        {momentText(b, b - a)}, {text(time(b - a))}.
      </p>
      {rows.length === 0 ? (
        <p className="text-13 text-ink-3">Nothing was recorded in it.</p>
      ) : (
        <table className="w-full max-w-[60rem] text-13">
          <thead className="text-12 text-ink-3">
            <tr>
              <th scope="col" className={`${cell} font-normal`}>
                Track
              </th>
              <th scope="col" className={`${cell} font-normal`}>
                What
              </th>
              <th scope="col" className={`${cell} text-right font-normal`}>
                Count
              </th>
              <th scope="col" className={`${cell} font-normal`}>
                Value
              </th>
            </tr>
          </thead>
          <tbody className="divide-y">
            {rows.map((row, i) => (
              <tr key={i}>
                <td className={cell}>
                  {row.group === '' ? '' : <span className="text-ink-3">{titles.get(row.group)}: </span>}
                  {row.track}
                </td>
                <td className={cell}>{row.what}</td>
                <td className={`${cell} num text-right text-12`}>
                  {row.count === null ? '' : count(row.count)}
                </td>
                <td className={`${cell} num text-12`}>{row.value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
