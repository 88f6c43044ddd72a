import { TRANSPORTS, type Transport } from '@verbslab/protocol';
import { seriesLooks, type LookedAt, type SeriesLook } from '@verbslab/charts/data';
import { TRANSPORT_COLOR } from '../charts/colors';

export interface SeriesStyle extends Omit<SeriesLook, 'color'> {
  line: string;
  ink: string;
}

/** The looks of the series of one curve, in their order. A transport has its own ink, too. */
export const seriesStyles = (series: readonly LookedAt[]): SeriesStyle[] =>
  seriesLooks(series).map(({ color, ...look }, i) => {
    const transport = TRANSPORTS.find((one: Transport) => one === series[i]!.name);
    if (transport) return { ...look, ...TRANSPORT_COLOR[transport] };
    return { ...look, line: `var(--${color})`, ink: `var(--${color})` };
  });
