'use client';
import type { Work } from '../model/machine/work';
import { cn } from '../ui/cn';

/** Choice among the work requests of a step; nothing if there is only one. */
export function WorkChoice(props: {
  works: readonly Work[];
  /** Index in `works`. */
  chosen: number;
  onChoose: (at: number) => void;
  className?: string;
}) {
  const { works, chosen, onChoose, className } = props;
  if (works.length < 2) return null;
  return (
    <label className={cn('flex items-center gap-2 text-13', className)}>
      <span className="text-ink-3">Work request</span>
      <select
        value={chosen}
        onChange={(e) => onChoose(Number(e.target.value))}
        className="min-h-8 min-w-0 rounded-[4px] border border-line-strong bg-panel px-2 pointer-coarse:min-h-11"
      >
        {works.map((one, i) => (
          <option key={`${one.seq} ${i}`} value={i}>
            {i + 1} {one.opcode}, wr_id {Number.isNaN(one.wrId) ? 'unknown' : one.wrId}
          </option>
        ))}
      </select>
    </label>
  );
}
