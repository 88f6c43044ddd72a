const SLOTS = Array.from({ length: 12 }, (_, i) => i);

const at = (radius: number, turn: number): string =>
  `${(80 + radius * Math.sin(turn * 2 * Math.PI)).toFixed(1)} ${(48 - radius * Math.cos(turn * 2 * Math.PI)).toFixed(1)}`;

/** A ring of slots, nearly full, with its two pointers. */
export function CqRingDrawing() {
  return (
    <svg viewBox="0 0 160 96" width={160} height={96} aria-hidden>
      {SLOTS.map((i) => (
        <path
          key={i}
          d={`M${at(36, i / 12)}A36 36 0 0 1 ${at(36, (i + 1) / 12)}L${at(22, (i + 1) / 12)}A22 22 0 0 0 ${at(22, i / 12)}Z`}
          fill={i < 10 ? 'var(--cpu-nic)' : 'var(--slot)'}
          stroke="var(--panel)"
          strokeWidth={1.5}
        />
      ))}
      <circle cx={80} cy={34} r={4} fill="var(--panel)" stroke="var(--cpu-app)" strokeWidth={2} />
      <path d={`M${at(43, 10.5 / 12)}m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`} fill="var(--cpu-nic)" />
    </svg>
  );
}
