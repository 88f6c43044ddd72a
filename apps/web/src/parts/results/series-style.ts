import { TRANSPORTS, type Transport } from '@verbslab/protocol';
import { seriesLooks, type Marker } from '@verbslab/charts/data';
import { TRANSPORT_COLOR } from '../charts/colors';

export interface SeriesStyle {
  line: string;
  ink: string;
  dash: string | undefined;
  marker: Marker;
}

/** The looks of the series of one curve, in their order. A transport has its own ink, too. */
export const seriesStyles = (names: readonly string[]): SeriesStyle[] =>
  seriesLooks(names).map(({ color, dash, marker }, i) => {
    const transport = TRANSPORTS.find((one: Transport) => one === names[i]);
    if (transport) return { ...TRANSPORT_COLOR[transport], marker };
    return { line: `var(--${color})`, ink: `var(--${color})`, dash, marker };
  });
