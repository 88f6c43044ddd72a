import { memo } from 'react';
import type { Strip } from '../../model/strips/qp-strips';

const HEIGHT = 22;
const LABEL = 28;

/** A rectangle as a part of a path. */
const bar = (x: number, w: number, h: number): string => `M${x} ${HEIGHT}v${-h}h${w}v${h}z`;

/**
 * The fill of one kind of queue, from 0 to 100 %, a column for each group of QPs. Three shapes, however many columns: filled, in
 * error, and not recorded.
 */
export const StripShape = memo(function StripShape(props: { strip: Strip; width: number; hatch: string }) {
  const { strip, width, hatch } = props;
  const { queue, columns } = strip;
  const step = (width - LABEL) / columns.length;
  const w = Math.max(1, step - (step > 3 ? 1 : 0));
  let [used, failed, unknown] = ['', '', ''];
  columns.forEach((column, i) => {
    const x = LABEL + i * step;
    if (column.failed) failed += bar(x, w, HEIGHT);
    else if (column.fill === null) unknown += bar(x, w, HEIGHT);
    else if (column.fill > 0) used += bar(x, w, Math.max(1.5, column.fill * HEIGHT));
  });
  return (
    <g data-strip={queue} data-columns={columns.length}>
      <text x={0} y={16} className="on">
        {queue}
      </text>
      <rect x={LABEL} y={0} width={width - LABEL} height={HEIGHT} className="slot" />
      {unknown === '' ? null : <path d={unknown} fill={hatch} data-fill="unknown" />}
      {used === '' ? null : <path d={used} className={`fill ${queue.toLowerCase()}`} data-fill="used" />}
      {failed === '' ? null : <path d={failed} className="fill err" data-fill="failed" />}
    </g>
  );
});

/** Height of a strip with the room below it. */
export const STRIP_ROOM = HEIGHT + 6;
