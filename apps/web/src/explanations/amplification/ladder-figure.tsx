'use client';
import { formatCount, formatTime } from '@verbslab/labs';
import { memo } from 'react';
import { cn } from '../../ui/cn';
import { HALO } from '../halo';
import { endOf, type Ladder, type LadderAnswer, type LadderPacket } from './ladder';
import { isNarrow, type LadderLayout } from './ladder-layout';
import { answerName, goBackWords } from './ladder-words';
import type { Handle } from './handles';

const BAR = 7;
const THICK = 6;

interface FigureProps {
  ladder: Ladder;
  layout: LadderLayout;
  /** What can be pressed, in the order of time. */
  handles: readonly Handle[];
  /** The handle that the keyboard has chosen. */
  chosen: string | null;
  idOf: (name: string) => string;
  onPress: (name: string) => void;
}

/** Rows of PSNs over time: each packet from its departure to its arrival, and the answers. */
export const LadderFigure = memo(function LadderFigure(props: FigureProps) {
  const { ladder, layout, handles, chosen, idOf, onPress } = props;
  const { width, height } = layout;
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="presentation"
      className="pic block"
    >
      <Axes layout={layout} />
      {ladder.goBacks
        .filter(({ why }) => why === 'timeout')
        .map((one) => (
          <path
            key={one.at}
            d={`M${layout.x(one.at)} ${layout.top - 4}V${layout.bottom}`}
            className="stroke-retx"
            strokeWidth={2}
            strokeDasharray="2 3"
          />
        ))}
      {ladder.packets.map((one) => (
        <Packet key={`${one.psn}.${one.copy}`} of={one} layout={layout} />
      ))}
      {ladder.answers.map((one, i) => (
        <Answer key={i} of={one} layout={layout} />
      ))}
      <Cuts ladder={ladder} layout={layout} />
      {handles.map(({ name, label, psn, from, to, lost }) => {
        const [x, end] = [layout.x(from) - 5, Math.max(layout.x(to) + 6, layout.x(from) + 24)];
        return (
          <g
            key={name}
            id={idOf(name)}
            role="option"
            aria-selected={lost}
            aria-label={label}
            data-handle={name}
            onClick={() => onPress(name)}
            className="group cursor-pointer"
          >
            <title>{label}</title>
            <rect
              x={x}
              y={layout.y(psn) - layout.row / 2}
              width={Math.min(end, layout.width) - x}
              height={layout.row}
              rx={3}
              strokeWidth={2}
              fillOpacity={0}
              className={cn('fill-ink group-hover:stroke-line-strong', chosen === name && 'stroke-accent!')}
            />
          </g>
        );
      })}
    </svg>
  );
});

const Axes = memo(function Axes({ layout }: { layout: LadderLayout }) {
  const { first, last, left, right, top, bottom, x, y, ticks, cuts, width } = layout;
  const rows = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  return (
    <>
      {rows.map((psn) => (
        <g key={psn}>
          <path d={`M${left} ${y(psn)}H${right}`} className="stroke-grid" />
          <text x={left - 8} y={y(psn) + 4} textAnchor="end" className="mono">
            {formatCount(psn)}
          </text>
        </g>
      ))}
      <path d={`M${left} ${bottom}H${right}`} className="stroke-line" />
      {ticks.map((t, i) => (
        <g key={t}>
          <path d={`M${x(t)} ${bottom}v4`} className="stroke-line-strong" />
          <text x={x(t)} y={bottom + 18} textAnchor={i === 0 ? 'start' : 'middle'} className="mono">
            {i === 0 ? '0' : formatTime(t - ticks[0]!)}
          </text>
        </g>
      ))}
      <text x={0} y={top - 10}>
        PSN
      </text>
      {cuts.length > 0 && !isNarrow(width) ? (
        <text x={right} y={bottom + 18} textAnchor="end">
          long waits are cut
        </text>
      ) : null}
    </>
  );
});

function Packet({ of, layout }: { of: LadderPacket; layout: LadderLayout }) {
  const { psn, copy, sent, arrived, fate } = of;
  const [x, y] = [layout.x(sent), layout.y(psn)];
  const gap = isNarrow(layout.width) ? 2 : 12;
  if (arrived === null)
    return (
      <g data-fate="lost">
        <rect
          x={x}
          y={y - 3}
          width={BAR + 2}
          height={THICK}
          rx={2}
          className="fill-panel stroke-error"
          strokeDasharray="2 2"
        />
        <path d={`M${x + BAR + 3} ${y}h${gap}`} className="stroke-error" strokeDasharray="3 3" />
        <path d={`M${x + BAR + gap + 3} ${y - 4}l8 8m0 -8l-8 8`} className="stroke-error" strokeWidth={2} />
      </g>
    );
  const color =
    copy > 1 ? { fill: 'fill-retx', line: 'stroke-retx' } : { fill: 'fill-rdma', line: 'stroke-rdma' };
  const end = layout.x(arrived);
  return (
    <g data-fate={fate} data-copy={copy}>
      <path d={`M${x} ${y}H${end}`} className={color.line} strokeOpacity={fate === 'taken' ? 0.8 : 0.45} />
      <rect x={x} y={y - 3} width={BAR} height={THICK} rx={1} className={color.fill} />
      {fate === 'taken' ? (
        <circle cx={end} cy={y} r={3} className={color.fill} />
      ) : (
        <path d={`M${end} ${y - 4}v8`} strokeWidth={1.5} className={color.line} />
      )}
    </g>
  );
}

function Answer({ of, layout }: { of: LadderAnswer; layout: LadderLayout }) {
  const { kind, psn, sent, arrived } = of;
  const [x, y] = [layout.x(sent), layout.y(psn)];
  const nak = kind === 'nak';
  const end = arrived === null ? x + 16 : layout.x(arrived);
  const room = layout.width - x;
  const name = isNarrow(layout.width) || room < 160 ? kind.toUpperCase() : answerName(of);
  const before = room < 7 * name.length + 12;
  return (
    <g data-answer={kind}>
      <path
        d={`M${x} ${y}H${end}`}
        strokeWidth={nak ? 2 : 1.5}
        strokeDasharray={arrived === null ? '3 3' : nak ? '5 3' : undefined}
        className={nak ? 'stroke-nak' : 'stroke-ink-2'}
      />
      {arrived === null ? (
        <path d={`M${end + 2} ${y - 4}l8 8m0 -8l-8 8`} className="stroke-error" strokeWidth={2} />
      ) : (
        <path d={`M${end - 5} ${y - 4}l5 4l-5 4z`} className={nak ? 'fill-nak' : 'fill-ink-2'} />
      )}
      <text
        x={before ? end : x}
        y={y - 6}
        textAnchor={before ? 'end' : 'start'}
        className={cn(HALO, nak ? 'fill-nak-ink! font-semibold' : 'on')}
      >
        {name}
      </text>
    </g>
  );
}

/** Marks of waits that are cut out, with their time, and the end. */
function Cuts({ ladder, layout }: { ladder: Ladder; layout: LadderLayout }) {
  const { cuts, top, bottom, x } = layout;
  const end = x(endOf(ladder));
  const steps = Math.floor((bottom - top) / 16);
  const zigzag = (at: number): string =>
    `M${at} ${top - 4}${Array.from({ length: steps + 1 }, (_, i) => `l${i % 2 === 0 ? 4 : -4} 16`).join('')}`;
  return (
    <>
      {cuts.map((cut) => {
        const why = ladder.goBacks.find(({ at }) => at >= cut.to);
        return (
          <g key={cut.x} data-cut>
            <rect x={cut.x - 7} y={top - 4} width={18} height={bottom - top + 12} className="fill-page" />
            {[-8, 8].map((d) => (
              <path key={d} d={zigzag(cut.x + d)} className="fill-none stroke-line-strong" />
            ))}
            <text
              x={cut.x}
              y={top - 10}
              textAnchor="middle"
              className={cn(HALO, 'fill-retx-ink! font-semibold')}
            >
              {why && why.why === 'timeout' ? goBackWords(why) : formatTime(cut.to - cut.from)}
            </text>
          </g>
        );
      })}
      <path d={`M${end} ${top - 4}V${bottom}`} className="stroke-ink" strokeWidth={2} data-end />
    </>
  );
}
