'use client';
import { arrowLabel } from '@verbslab/roce';
import { cn } from '../ui/cn';
import { text, time } from '../format/number';
import { KIND_LINE } from '../parts/packets/kind-style';
import type { RunPackets } from '../model/packet-rows';

/** A step with more is drawn to here; the capture has all. */
const MAX_DRAWN = 120;

export interface LadderProps {
  rows: RunPackets;
  indices: readonly number[];
  /** Left and right: the lab's first two endpoints. */
  lanes: readonly [string, string];
  /** Endpoint of a source. */
  endpointOf: (source: number) => string;
  selected: number | null;
  onSelect: (index: number) => void;
}

/** Packets of one step between two endpoints, time downwards: a row each, times from the first packet on. */
export function Ladder({ rows, indices, lanes, endpointOf, selected, onSelect }: LadderProps) {
  const drawn = indices.slice(0, MAX_DRAWN);
  const zero = rows.time(drawn[0] ?? 0) ?? 0;
  return (
    <div className="max-w-[36rem]">
      <div className="grid grid-cols-[5rem_1fr] gap-x-4 px-2 text-13 font-semibold">
        <span />
        <span className="flex justify-between">
          <span>{lanes[0]}</span>
          <span>{lanes[1]}</span>
        </span>
      </div>
      <ol className="relative">
        {drawn.map((index) => {
          const row = rows.at(index);
          const source = rows.source(index);
          if (!row || source === undefined) return null;
          const atTap = lanes.indexOf(endpointOf(source)) === 1 ? 1 : 0;
          const rightwards = (row.direction === 'out' ? atTap : 1 - atTap) === 0;
          const on = index === selected;
          const again = rows.marks(index).includes('retransmission');
          return (
            <li key={index}>
              <button
                type="button"
                aria-pressed={on}
                data-packet={index}
                onClick={() => onSelect(index)}
                className={cn(
                  'grid min-h-9 w-full grid-cols-[5rem_1fr] gap-x-4 rounded-[3px] px-2 -outline-offset-2 pointer-coarse:min-h-11',
                  on ? 'bg-accent-wash' : 'hover:bg-hover',
                )}
              >
                <span className="num self-end pb-1 text-right text-12 text-ink-3" data-shows="ladder-time">
                  {row.t === zero ? '0' : `+${text(time(row.t - zero))}`}
                </span>
                <span className="relative flex flex-col justify-end self-stretch border-x border-line-strong px-1">
                  <span className={cn('num text-12', on && 'font-semibold')} data-shows="ladder-packet">
                    <span className="sr-only">
                      {rightwards ? `${lanes[0]} to ${lanes[1]}: ` : `${lanes[1]} to ${lanes[0]}: `}
                    </span>
                    {arrowLabel(row)}
                    {again ? <span className="font-normal text-retx-ink"> retransmitted</span> : null}
                    {row.payloadLength > 0 ? (
                      <span className="font-normal text-ink-3"> {row.payloadLength} B</span>
                    ) : null}
                  </span>
                  <Arrow
                    rightwards={rightwards}
                    color={again ? 'var(--retx)' : KIND_LINE[row.kind]}
                    dashed={row.kind === 'ack' || again}
                    crossed={again}
                  />
                </span>
              </button>
            </li>
          );
        })}
      </ol>
      {indices.length > drawn.length ? (
        <p className="mt-1 text-13 text-ink-3">
          {indices.length - drawn.length} more packets belong to this step; the capture file has them all.
        </p>
      ) : null}
    </div>
  );
}

function Arrow(props: { rightwards: boolean; color: string; dashed: boolean; crossed: boolean }) {
  const { rightwards, color, dashed, crossed } = props;
  return (
    <svg height="10" width="100%" aria-hidden className="mb-0.5 block overflow-visible">
      <line
        x1="0"
        x2="100%"
        y1="5"
        y2="5"
        stroke={color}
        strokeWidth="1.75"
        strokeDasharray={dashed ? '4 3' : undefined}
      />
      {crossed ? (
        <svg x="50%" overflow="visible">
          <path d="M-4 1L4 9M-4 9L4 1" stroke={color} strokeWidth="1.75" />
        </svg>
      ) : null}
      <svg x={rightwards ? '100%' : 0} overflow="visible">
        <path
          d={rightwards ? 'M-7 1L0 5L-7 9' : 'M7 1L0 5L7 9'}
          stroke={color}
          strokeWidth="1.75"
          fill="none"
        />
      </svg>
    </svg>
  );
}
