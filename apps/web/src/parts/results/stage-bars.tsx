import type { BarsView } from '@verbslab/labs';
import type { CSSProperties } from 'react';

type Look = BarsView['rows'][number]['look'];

/** Programs and devices have the color of the picture. What works for them is an outline of the same color. */
const LOOKS: Record<NonNullable<Look>, { color: string; outline?: true }> = {
  program: { color: 'var(--cpu-app)' },
  library: { color: 'var(--cpu-app)', outline: true },
  device: { color: 'var(--cpu-nic)' },
  wire: { color: 'var(--rdma)' },
  server: { color: 'var(--cpu-nic)', outline: true },
};

function styleOf(look: Look): CSSProperties {
  const { color, outline } = look === null ? { color: 'var(--udp)' } : LOOKS[look];
  return outline ? { boxShadow: `inset 0 0 0 2px ${color}` } : { background: color };
}

const percent = (part: number, whole: number): string => `${whole === 0 ? 0 : (100 * part) / whole}%`;

/** Stages that follow each other: who has what share of the whole, then a bar per stage where it lies in time. */
export function StageBars({ bars, name }: { bars: BarsView; name: string }) {
  const { rows, split, total, unit } = bars;
  return (
    <div className="space-y-2" data-result={name} data-columns={bars.columns.join(' ')}>
      <div>
        <div className="flex h-4 gap-px" aria-hidden>
          {split.map(({ by, look, share }) => (
            <span key={by} style={{ ...styleOf(look), width: `${share}%` }} />
          ))}
        </div>
        <ul className="mt-1 flex flex-wrap gap-x-4 text-12 text-ink-2">
          {split.map(({ by, look, shown }) => (
            <li key={by} className="flex items-center gap-1.5 whitespace-nowrap" data-shows="result-share">
              <span className="size-2.5 shrink-0" style={styleOf(look)} aria-hidden />
              {by} <span className="num">{shown}</span>
            </li>
          ))}
        </ul>
      </div>
      <table className="w-full text-13" data-shows="result-bars">
        <thead className="text-12 text-ink-3">
          <tr>
            <th scope="col" className="text-left font-normal">
              Stage
            </th>
            <th scope="col" className="sr-only">
              Where it lies in time
            </th>
            <th scope="col" className="text-right font-normal">
              <span className="unit">{unit}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              <th scope="row" className="w-px py-0.5 pr-2 text-left font-normal whitespace-nowrap">
                {row.name}
              </th>
              <td className="py-0.5" aria-hidden>
                <div className="relative h-3.5 bg-sunken">
                  <span
                    className="absolute h-full min-w-0.5"
                    style={{
                      ...styleOf(row.look),
                      left: `min(${percent(row.start, total.value)}, 100% - 2px)`,
                      width: percent(row.length, total.value),
                    }}
                  />
                </div>
              </td>
              <td className="num w-px py-0.5 pl-2 text-right whitespace-nowrap">{row.shown}</td>
            </tr>
          ))}
          <tr className="border-t">
            <th scope="row" className="pt-1 text-left font-normal text-ink-2">
              All
            </th>
            <td aria-hidden />
            <td className="num pt-1 pl-2 text-right whitespace-nowrap">{total.shown}</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
