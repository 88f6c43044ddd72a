import { TRANSPORTS, type Transport } from '@verbslab/protocol';
import { seriesLook } from '@verbslab/report/charts';
import { TRANSPORT_COLOUR } from '../run/charts/colours';

export interface SeriesStyle {
  line: string;
  ink: string;
  dash: string | undefined;
}

/** The look of a series of a curve. A transport has its own ink, too. */
export function seriesStyle(name: string, index: number): SeriesStyle {
  const transport = TRANSPORTS.find((one: Transport) => one === name);
  if (transport) return TRANSPORT_COLOUR[transport];
  const { color, dash } = seriesLook(name, index);
  return { line: `var(--${color})`, ink: `var(--${color})`, dash };
}
