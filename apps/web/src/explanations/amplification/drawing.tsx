const FIRST = [0, 1, 2, 3, 4, 5];
const LOST = 2;

/** Packets that rise, one of them lost, and those that are sent again. */
export function LadderDrawing() {
  return (
    <svg viewBox="0 0 160 96" width={160} height={96} aria-hidden fill="none" strokeWidth={1.5}>
      {FIRST.map((i) =>
        i === LOST ? (
          <path
            key={i}
            d={`M${12 + i * 6} ${80 - i * 12}h16m4 -4l8 8m0 -8l-8 8`}
            stroke="var(--error)"
            strokeWidth={2}
          />
        ) : (
          <path
            key={i}
            d={`M${12 + i * 6} ${80 - i * 12}h32`}
            stroke="var(--rdma)"
            strokeOpacity={i > LOST ? 0.5 : 1}
          />
        ),
      )}
      <path d={`M58 ${80 - LOST * 12}h28`} stroke="var(--nak)" strokeWidth={2} strokeDasharray="4 3" />
      {FIRST.slice(LOST).map((i) => (
        <path key={i} d={`M${76 + i * 6} ${80 - i * 12}h36`} stroke="var(--retx)" strokeWidth={2.5} />
      ))}
    </svg>
  );
}
