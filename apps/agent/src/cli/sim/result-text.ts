import type { Simulated } from '@verbslab/protocol';
import { bold, muted, print, table } from '../terminal.js';

export const number = (value: number): string =>
  value.toLocaleString('en-GB', { maximumSignificantDigits: 4 });

/** Prints what a simulation came to. */
export function printResult({ mechanisms, result, pcap }: Omit<Simulated, 'samples'>): void {
  const times = result.flow_time_us;
  const flows = `${result.flows_finished} finished, ${result.flows_failed} failed, ${result.flows_unfinished} not finished`;
  const rows: [string, string][] = [
    ['virtual time', `${number(result.us)} µs${result.stopped_by ? `, ended by ${result.stopped_by}` : ''}`],
    ['goodput', `${number(result.goodput_gbps)} Gb/s, all hosts`],
    ['flows', flows],
    ...(times
      ? [
          ['time of a flow', `median ${number(times.p50)} µs, p99 ${number(times.p99)} µs`] as [
            string,
            string,
          ],
        ]
      : []),
    ...(result.fairness === undefined
      ? []
      : [['fairness', `${result.fairness.toFixed(3)} (Jain’s index)`] as [string, string]]),
    ['deepest queue', `${number(result.queue_max_bytes)} B`],
    ['sent again', `${number(result.retransmitted)} packets`],
    ...(result.laws
      ? [
          [
            'laws',
            `${number(result.laws.checked)} checked, ${result.laws.broken.length === 0 ? 'all hold' : `${result.laws.broken.length} broken`}`,
          ] as [string, string],
        ]
      : []),
    ['trace', result.trace],
  ];
  print(table(rows.map(([name, text]) => [`  ${name}`, text])));
  const fired = mechanisms.filter((one) => one.fired > 0);
  const quiet = mechanisms.filter((one) => one.fired === 0);
  if (fired.length > 0) print(`\n${bold('What acted')}\n${fired.map(({ says }) => `  ${says}`).join('\n')}`);
  if (quiet.length > 0)
    print(`\n${bold('What did not')}\n${quiet.map(({ says }) => `  ${muted(says)}`).join('\n')}`);
  const notes = result.notes ?? [];
  if (notes.length > 0)
    print(`\n${bold('Rules without effect')}\n${notes.map((note) => `  ${note}`).join('\n')}`);
  if (pcap) print(`\n${pcap.says}`);
  print('\nSimulated: hosts run the transport engine of the embedded device in virtual time.');
}
