import type { ReactNode } from 'react';

/** A square of a color in a chart, and what it stands for. Never torn apart at the end of a line. */
export function Swatch({ fill, stroke, children }: { fill: string; stroke?: string; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <svg width="10" height="10" aria-hidden className="shrink-0">
        <rect width="10" height="10" fill={fill} stroke={stroke} />
      </svg>
      {children}
    </span>
  );
}
