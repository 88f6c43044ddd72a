import { formatCount, formatNumber, formatTime, sig3 } from '@verbslab/labs';
import { type Moment, qpnText } from '@verbslab/protocol';

/** Date and time in UTC, because a report is read in other time zones too. */
export const whenText = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

export const secondsText = (seconds: number): string => `${formatNumber(seconds)} s`;

export const timeText = (ns: number): string => formatTime(ns, sig3);

/** `5.00–8.10 µs, n = 5`: the text beside a figure; empty if there is none. */
export const besideText = ({ spread, n }: { spread: string | null; n: number | null }): string =>
  [...(spread === null ? [] : [spread]), ...(n === null ? [] : [`n = ${formatCount(n)}`])].join(', ');

/** `at 1.50 s, packet 7`. */
export function momentText({ t, selection }: Moment): string {
  const { packet, wr, event, qp } = selection ?? {};
  return [
    `at ${formatTime(t)}`,
    ...(packet === undefined ? [] : [`packet ${packet}`]),
    ...(wr === undefined ? [] : ['a work request']),
    ...(event === undefined ? [] : ['an event']),
    ...(qp ? [`QP ${qpnText(qp.qpn)} of ${qp.endpoint}`] : []),
  ].join(', ');
}
