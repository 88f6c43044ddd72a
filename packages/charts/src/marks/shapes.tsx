/** Marks of points with shapes that differ by kind, not only by color. */
import type { ProviderClass } from '@verbslab/protocol';
import type { PercentileMark } from '../data/latency-marks.js';

interface Place {
  x: number;
  y: number;
  fill: string;
}

/** A circle for p50, a triangle for p99, a square for p99.9. */
export function PercentileShape({ which, x, y, fill }: Place & { which: PercentileMark['which'] }) {
  const rim = { stroke: 'var(--panel)', strokeWidth: 1, fill };
  if (which === 'p50') return <circle cx={x} cy={y} r={4} {...rim} />;
  if (which === 'p99') return <path d={`M${x} ${y - 5}l5 9h-10z`} {...rim} />;
  return <rect x={x - 4} y={y - 4} width={8} height={8} {...rim} />;
}

interface ProviderShapeProps extends Place {
  provider: ProviderClass;
  hollow?: boolean;
}

/** A square for hardware, triangle for kernel, circle for user space, diamond for simulated, cross for unknown. */
export function ProviderShape({ provider, x, y, fill, hollow = false }: ProviderShapeProps) {
  const look = { fill: hollow ? 'var(--panel)' : fill, stroke: fill, strokeWidth: 1.5 };
  switch (provider) {
    case 'hardware':
      return <rect x={x - 4.5} y={y - 4.5} width={9} height={9} {...look} />;
    case 'kernel':
      return <path d={`M${x} ${y - 6}l5.5 10h-11z`} {...look} />;
    case 'user-space':
      return <circle cx={x} cy={y} r={5} {...look} />;
    case 'simulated':
      return <path d={`M${x} ${y - 6}l6 6l-6 6l-6 -6z`} {...look} />;
    case 'unknown':
      return <path d={`M${x - 4} ${y - 4}l8 8m0 -8l-8 8`} stroke={fill} strokeWidth={2} fill="none" />;
  }
}
