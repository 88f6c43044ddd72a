const PATH = [12, 60, 108];

/** States as boxes with arrows, one of them ERR. */
export function StatesDrawing() {
  return (
    <svg viewBox="0 0 160 96" width={160} height={96} aria-hidden>
      {PATH.map((x, i) => (
        <g key={x} fill="none" stroke="var(--line-strong)" strokeWidth={1.5}>
          <rect
            x={x}
            y={16}
            width={32}
            height={20}
            rx={3}
            className={i === 1 ? 'fill-(--accent-wash)' : ''}
          />
          {i < 2 ? <path d={`M${x + 33} 26h12m-4 -3.5l4 3.5l-4 3.5`} /> : null}
          <path d={`M${x + 16} 37V58`} strokeDasharray="3 3" />
        </g>
      ))}
      <rect
        x={12}
        y={58}
        width={128}
        height={20}
        rx={3}
        fill="none"
        stroke="var(--error)"
        strokeWidth={1.5}
      />
      <path d="M60 26m0 -10h32v20h-32z" fill="none" stroke="var(--accent)" strokeWidth={2} />
    </svg>
  );
}
