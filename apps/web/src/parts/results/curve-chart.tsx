'use client';
import { CurveChart as Drawn, namedAtEnds, type Mark } from '@verbslab/charts';
import { KEY_WIDTH, keyMark, type ChartRow } from '@verbslab/charts/data';
import type { CurveView } from '@verbslab/labs';
import { useMemo, useRef } from 'react';
import { useWidth } from '../../ui/use-width';
import { Crosshair, type CrosshairRow } from '../charts/crosshair';
import { ChartFrame, MARGIN } from '../charts/frame';
import { seriesStyles } from './series-style';

/** Smallest width for names at the ends of the lines, rem. On a narrower page they are above. */
const WIDE = 34;
const PLACE = { ...MARGIN, left: 64, right: 24 };

const axisText = ({ unit, show }: CurveView['x'], value: number): string =>
  unit === '' || unit === 'B' ? show(value) : `${show(value)} ${unit}`;

/** Rows for the crosshair, one per x. */
function mergedRows({ series }: CurveView): ChartRow[] {
  const rows = new Map<number, ChartRow>();
  for (const { name, points } of series)
    for (const point of points) {
      const row: ChartRow = rows.get(point.x) ?? { t: point.x };
      if (point.y !== null) row[name] = point.y;
      rows.set(point.x, row);
    }
  return [...rows.values()].sort((a, b) => a.t - b.t);
}

export interface CurveChartProps {
  curve: CurveView;
  marks?: readonly Mark[];
  /** Opens the data behind the points at an x. */
  onOpen?: (x: number) => void;
}

/** A curve of a lab: its series on common axes, with spreads, and names at their ends or above. */
export function CurveChart({ curve, marks = [], onOpen }: CurveChartProps) {
  const rows = useMemo(() => mergedRows(curve), [curve]);
  const looks = useMemo(() => looksOf(curve), [curve]);
  const place = useRef<HTMLDivElement>(null);
  const named = (useWidth(place) ?? 0) >= WIDE && namedAtEnds(curve);
  const lines = curve.series.map(({ name, label }, i) => ({
    ...{ key: name, name: label, color: looks[i]!.line, dot: true },
  }));
  return (
    <div ref={place} className="flex h-full flex-col">
      {curve.series.length > 1 && !named ? <Key looks={looks} /> : null}
      <div className="min-h-0 flex-1">
        <ChartFrame>
          {(size) => (
            <Drawn
              {...{ curve, looks, named, marks, ...size }}
              margin={PLACE}
              over={
                <Crosshair
                  {...{ group: `curve ${curve.name}`, by: 't', rows, lines, unit: curve.y.unit }}
                  title={({ t }: CrosshairRow) => `${curve.x.label} ${axisText(curve.x, t!)}`}
                  {...(onOpen ? { onOpen: ({ t }: CrosshairRow) => onOpen(t!) } : {})}
                />
              }
            />
          )}
        </ChartFrame>
      </div>
    </div>
  );
}

type Looks = ReturnType<typeof looksOf>;

const looksOf = ({ series }: CurveView) =>
  seriesStyles(series).map((style, i) => ({ ...style, name: series[i]!.label }));

function Key({ looks }: { looks: Looks }) {
  return (
    <ul className="flex flex-wrap gap-x-4 px-2 text-13" data-words>
      {looks.map(({ name, line, dash, marker, joined }, i) => {
        const mark = keyMark({ marker, joined }, 4);
        return (
          <li key={i} className="flex items-center gap-1.5">
            <svg width={KEY_WIDTH} height="8" aria-hidden>
              {joined ? (
                <path d={`M0 4H${KEY_WIDTH}`} stroke={line} strokeWidth={2} strokeDasharray={dash} />
              ) : null}
              {mark === null ? null : <path d={mark} fill={line} />}
            </svg>
            {name}
          </li>
        );
      })}
    </ul>
  );
}
