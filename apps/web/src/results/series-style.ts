import { TRANSPORTS, type Transport } from '@verbslab/protocol';
import { TRANSPORT_COLOUR } from '../run/charts/colours';

export interface SeriesStyle {
  line: string;
  ink: string;
  dash: string | undefined;
}

const DASHES = [undefined, '6 3', '2 3', '10 3'];

/** A series that is a transport has its color everywhere; others have four of their own. Dashes make them differ without color. */
export function seriesStyle(name: string, index: number): SeriesStyle {
  const transport = TRANSPORTS.find((one: Transport) => one === name);
  if (transport) return TRANSPORT_COLOUR[transport];
  const colour = `var(--series-${(index % 4) + 1})`;
  return { line: colour, ink: colour, dash: DASHES[(index + Math.floor(index / 4)) % DASHES.length] };
}
