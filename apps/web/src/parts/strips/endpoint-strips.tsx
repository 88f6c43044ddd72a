'use client';
import { memo, useId, useRef } from 'react';
import type { QpStrips } from '../../model/strips/qp-strips';
import { MANY_PACKETS, type WireRate } from '../../model/strips/wire-rates';
import { useWidth } from '../../ui/use-width';
import { STRIP_ROOM, StripShape } from './strip';
import { leftOutWords, qpsWords, wireWords } from './strips-words';

const REM = 16;
/** Widest lane, px. */
const WIDEST = 12;

interface EndpointStripsProps {
  shown: QpStrips;
  /** Null if no packet that it sent was captured around the moment. */
  wire: WireRate | null;
  /** Rate of the widest lane, Gb/s. */
  fastest: number;
  width?: number;
}

/** An endpoint with many QPs: its queues as strips, and what it sends as a lane as wide as its rate. */
export const EndpointStrips = memo(function EndpointStrips(props: EndpointStripsProps) {
  const { shown, wire, fastest, width } = props;
  const root = useRef<HTMLDivElement>(null);
  const measured = useWidth(root);
  const known = width ?? (measured === null ? null : Math.floor(measured * REM));
  const id = useId();
  const { strips, endpoint } = shown;
  const height = strips.length * STRIP_ROOM;
  return (
    <div className="min-w-0 rounded-[4px] border border-line-strong bg-panel p-3" data-strips={endpoint}>
      <p className="text-13">
        <span className="font-semibold">{endpoint}</span>{' '}
        <span className="text-ink-2" data-shows="qps-words">
          {qpsWords(shown)}
        </span>
      </p>
      <div ref={root} className="mt-2 min-h-[5.25rem] min-w-0">
        {known === null ? null : (
          <svg
            role="img"
            aria-label={`${endpoint}: ${qpsWords(shown)}`}
            viewBox={`0 0 ${known} ${height}`}
            style={{ width: `${known / REM}rem`, height: `${height / REM}rem` }}
            className="pic strips"
          >
            <defs>
              <pattern
                id={`${id}h`}
                width="6"
                height="6"
                patternUnits="userSpaceOnUse"
                patternTransform="rotate(45)"
              >
                <rect width="6" height="6" fill="var(--sunken)" />
                <path d="M0 0V6" stroke="var(--line-strong)" strokeWidth="2" />
              </pattern>
            </defs>
            {strips.map((strip, i) => (
              <g key={strip.queue} transform={`translate(0 ${i * STRIP_ROOM})`}>
                <StripShape strip={strip} width={known} hatch={`url(#${id}h)`} />
              </g>
            ))}
          </svg>
        )}
      </div>
      <p className="text-12 text-ink-3">
        <span data-shows="strips-left-out">{leftOutWords(shown)}</span>
        {strips.some(({ columns }) => columns.some(({ fill, failed }) => fill === null && !failed))
          ? ' Hatched: not recorded.'
          : ''}
      </p>
      {wire === null ? null : (
        <p className="mt-1.5 flex items-center gap-2 text-12 text-ink-2" data-wire={wire.gbps}>
          <span
            aria-hidden
            className="block w-12 shrink-0 bg-rdma"
            style={{ height: Math.max(1.5, fastest > 0 ? (WIDEST * wire.gbps) / fastest : 0) }}
          />
          <span data-shows="strips-wire">
            → {wireWords(wire)}
            {wire.packetsPerSecond > MANY_PACKETS ? '; too many to draw one by one' : ''}
          </span>
        </p>
      )}
    </div>
  );
});
