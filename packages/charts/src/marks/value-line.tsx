import { Line } from 'recharts';
import { columnOf } from '../plot/columns.js';

interface ValueLineProps {
  /** Column of the values in the rows. A missing value is a gap. */
  of: string;
  color: string;
  dash: string | undefined;
  type?: 'linear' | 'stepAfter' | 'stepBefore';
  width?: number;
  /** True for values that no figure includes: the line is fainter. */
  faint?: boolean;
}

/** A line over the values of one key. */
export const ValueLine = ({ of, color, dash, type = 'linear', width = 2, faint = false }: ValueLineProps) => (
  <Line
    dataKey={columnOf(of)}
    type={type}
    stroke={color}
    strokeWidth={width}
    {...(dash === undefined ? {} : { strokeDasharray: dash })}
    dot={false}
    activeDot={false}
    isAnimationActive={false}
    {...(faint ? { strokeOpacity: 0.4 } : { 'data-line': of })}
  />
);
