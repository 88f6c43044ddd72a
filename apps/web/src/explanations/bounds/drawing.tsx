/** A region on a ruler, and a range that ends behind it. */
export function BoundsDrawing() {
  return (
    <svg viewBox="0 0 160 96" width={160} height={96} aria-hidden>
      <rect x={8} y={28} width={144} height={24} fill="var(--sunken)" />
      <rect
        x={30}
        y={28}
        width={92}
        height={24}
        fill="var(--panel)"
        stroke="var(--line-strong)"
        strokeWidth={1.5}
      />
      <rect x={72} y={31} width={50} height={18} fill="var(--rdma)" opacity={0.8} />
      <rect
        x={123}
        y={28}
        width={14}
        height={24}
        fill="var(--error-wash)"
        stroke="var(--error)"
        strokeWidth={1.5}
      />
      <path d="M124 38l8 -9M124 50l12 -14M131 51l6 -7" stroke="var(--error)" strokeWidth={1.5} />
      <path d="M72 66H137M72 60v12M137 60v12" stroke="var(--accent)" strokeWidth={2} fill="none" />
    </svg>
  );
}
