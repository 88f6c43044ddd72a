const SENDERS = [10, 32, 54, 76];
const PLACES = [0, 1, 2, 3, 4];

/** Four senders, one queue, and a small request in it. */
export function IncastDrawing() {
  return (
    <svg viewBox="0 0 160 96" width={160} height={96} aria-hidden fill="none" strokeWidth={1.5}>
      {SENDERS.map((y) => (
        <g key={y} stroke="var(--rdma)">
          <rect x={8} y={y - 4} width={24} height={14} rx={2} />
          <path d={`M32 ${y + 3}L58 46`} strokeOpacity={0.6} />
        </g>
      ))}
      {PLACES.map((i) => (
        <rect key={i} x={60 + i * 13} y={34} width={11} height={24} fill="var(--rdma)" fillOpacity={0.45} />
      ))}
      <rect x={71.5} y={30} width={8} height={32} rx={2} fill="var(--accent)" />
      <rect x={128} y={26} width={24} height={40} rx={3} stroke="var(--line-strong)" />
    </svg>
  );
}
