import { ChartLine, Table2 } from 'lucide-react';
import { IconButton } from './button';

/** Goes from a chart to the table behind it and back. `picture`: what it is called that the table stands for. */
export function TableSwitch(props: { of: string; picture?: string; shown: boolean; onToggle: () => void }) {
  const { of, picture = 'chart', shown, onToggle } = props;
  const Icon = shown ? ChartLine : Table2;
  return (
    <IconButton
      label={shown ? `Show the ${picture}: ${of}` : `Show the table behind: ${of}`}
      aria-pressed={shown}
      onClick={onToggle}
    >
      <Icon size={14} aria-hidden />
    </IconButton>
  );
}
