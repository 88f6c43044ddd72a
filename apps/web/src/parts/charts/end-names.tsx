'use client';
import { movedApart } from '@verbslab/charts/data';
import { usePlot } from './plot-context';

/** The name of a line, and the value at which it ends. */
export interface EndName {
  key: string;
  label: string;
  ink: string;
  value: number;
}

/** Names beside the plot at the height where each line ends, moved apart where the ends are close. */
export function EndNames({ ends }: { ends: readonly EndName[] }) {
  const { y, area } = usePlot();
  const placed = movedApart(
    ends.map((end) => ({ ...end, top: y(end.value) + 4 })),
    { from: area.y + 8, to: area.y + area.height - 2 },
  );
  return placed.map(({ key, label, ink, top }) => (
    <text
      key={key}
      data-name={key}
      x={area.x + area.width + 8}
      y={top}
      style={{ fill: ink, fontWeight: 600 }}
    >
      {label}
    </text>
  ));
}
