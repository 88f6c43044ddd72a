import type { SVGProps } from 'react';
import { ZIndexLayer } from 'recharts';
import { usePlot } from '../plot/plot-context.js';

interface BandProps extends Omit<SVGProps<SVGPathElement>, 'from' | 'to'> {
  from: number;
  to: number;
  zIndex: number;
}

/**
 * A stretch of the x axis over the whole height. `ReferenceArea` of recharts would change its store at each drawing.
 */
export function Band({ from, to, zIndex, ...look }: BandProps) {
  const { x, area } = usePlot();
  const width = x(to) - x(from);
  return (
    <ZIndexLayer zIndex={zIndex}>
      <path d={`M ${x(from)},${area.y} h ${width} v ${area.height} h ${-width} Z`} {...look} />
    </ZIndexLayer>
  );
}
