import type { TooltipContentProps } from 'recharts';
import { sig3 } from '../../format/number';

export interface TipLine {
  key: string;
  name: string;
  colour: string;
}

/** Values under the crosshair. */
export function ChartTip(
  props: Pick<TooltipContentProps, 'active' | 'payload' | 'label'> & {
    lines: readonly TipLine[];
    unit: string;
    title: (x: number) => string;
  },
) {
  const row = props.payload?.[0]?.payload as Record<string, number | undefined> | undefined;
  if (!props.active || !row) return null;
  const shown = props.lines.filter((l) => row[l.key] !== undefined);
  if (shown.length === 0) return null;
  return (
    <div className="rounded-[3px] border border-line-strong bg-panel px-2 py-1 text-12">
      <div className="num text-ink-3">{props.title(Number(props.label))}</div>
      {shown.map((l) => (
        <div key={l.key} className="flex items-center gap-2">
          <svg width="8" height="8" aria-hidden>
            <rect width="8" height="8" fill={l.colour} />
          </svg>
          <span className="text-ink-2">{l.name}</span>
          <span className="num ml-auto pl-3">
            {sig3(row[l.key])} <span className="unit">{props.unit}</span>
          </span>
        </div>
      ))}
    </div>
  );
}
