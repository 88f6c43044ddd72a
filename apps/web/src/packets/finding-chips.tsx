import { count } from '../format/number';
import type { Chip } from './chips';

/** Colors by meaning: sent again amber, NAKs magenta, errors red, the rest gray. */
function colorOf({ id, severity }: Chip): string {
  if (id.startsWith('nak-') || id === 'rnr') return 'var(--nak)';
  if (id === 'sent-again' || id.startsWith('retransmission-') || id === 'cnp') return 'var(--retx)';
  if (severity === 'error' || id.startsWith('gap-')) return 'var(--error)';
  return 'var(--ink-3)';
}

/** Findings of a capture in one line. Pressing one lists its packets; pressing it again lists all. */
export function FindingChips(props: {
  chips: readonly Chip[];
  /** The filter in place. */
  filter: string;
  onPress: (chip: Chip) => void;
}) {
  const { chips, filter, onPress } = props;
  return chips.map((chip) => (
    <button
      key={chip.id}
      type="button"
      data-chip={chip.id}
      aria-pressed={chip.filter !== null && chip.filter === filter}
      disabled={chip.filter === null}
      title={chip.text}
      onClick={() => onPress(chip)}
      className="flex min-h-7 shrink-0 items-center gap-1.5 rounded-[4px] border border-line-strong bg-panel px-2 text-13 whitespace-nowrap hover:bg-hover disabled:hover:bg-panel aria-pressed:border-accent aria-pressed:bg-accent-wash pointer-coarse:min-h-11"
    >
      <svg width="9" height="9" aria-hidden className="shrink-0">
        <rect
          x="0.75"
          y="0.75"
          width="7.5"
          height="7.5"
          fill={chip.id.startsWith('gap-') ? 'none' : colorOf(chip)}
          stroke={colorOf(chip)}
          strokeWidth="1.5"
          strokeDasharray={chip.id.startsWith('gap-') ? '2 1.5' : undefined}
        />
      </svg>
      <span className="num font-semibold">{count(chip.count)}</span>
      {chip.words}
    </button>
  ));
}
