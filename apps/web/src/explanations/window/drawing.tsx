const POINTS = [
  [34, 62],
  [56, 44],
  [78, 28],
  [112, 24],
] as const;

/** A line that rises to the link, measured points, and the handle on the window. */
export function WindowDrawing() {
  return (
    <svg viewBox="0 0 160 96" width={160} height={96} aria-hidden fill="none">
      <path d="M14 10V82H150" stroke="var(--line-strong)" strokeWidth={1.5} />
      <path d="M14 82L86 20H150" stroke="var(--ink-2)" strokeWidth={1.5} strokeDasharray="5 4" />
      {POINTS.map(([x, y]) => (
        <circle key={x} cx={x} cy={y + 2} r={3.5} fill="var(--rdma)" />
      ))}
      <path d="M56 12V82" stroke="var(--accent)" strokeWidth={2} />
      <circle cx={56} cy={82} r={7} fill="var(--accent)" />
    </svg>
  );
}
