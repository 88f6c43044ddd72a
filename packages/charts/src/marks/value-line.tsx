import { Line } from 'recharts';
import { columnOf } from '../plot/columns.js';

interface ValueLineProps {
  /** Of its values in the rows. A missing value is a gap. */
  of: string;
  color: string;
  dash: string | undefined;
}

/** A line over the values of one key. */
export const ValueLine = ({ of, color, dash }: ValueLineProps) => (
  <Line
    dataKey={columnOf(of)}
    type="linear"
    stroke={color}
    strokeWidth={2}
    {...(dash === undefined ? {} : { strokeDasharray: dash })}
    dot={false}
    activeDot={false}
    isAnimationActive={false}
    data-line={of}
  />
);
