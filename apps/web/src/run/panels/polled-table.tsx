import { endpointNames, type LabDescription, qpnText, type RunEventOf } from '@verbslab/protocol';
import { count } from '../../format/number';
import type { RunModel } from '../../model/run-model';
import { DataTable } from '../../ui/data-table';

export type Polled = RunEventOf<'completion'>;

/** Completions that a lab polled outside of its measuring loops and that are recorded individually. */
export const polledIn = ({ trace }: RunModel): Polled[] =>
  trace.filter((event) => event.kind === 'completion').sort((a, b) => b.t - a.t);

/** Table of the completions of a lab that polls them one by one, newest first. */
export function PolledTable({
  polled,
  model,
  lab,
}: {
  polled: readonly Polled[];
  model: RunModel;
  lab: LabDescription;
}) {
  const names = endpointNames(lab.roles, model.record.parameters);
  const side = (endpoint = '') => names.find(({ name }) => name === endpoint)?.title ?? endpoint;
  return (
    <DataTable
      shows="polled-completions"
      caption="Completions, newest first"
      head={['Time, s', 'Side', 'Opcode or error', 'Bytes', 'QP', 'wr_id']}
      rows={polled.map(({ t, endpoint, wc }) => [
        (t / 1e9).toFixed(4),
        side(endpoint),
        wc.status === 0 ? wc.opcode : `${wc.status} ${wc.statusName}`,
        wc.status === 0 ? count(wc.byteLen) : '–',
        qpnText(wc.qpn),
        String(wc.wrId),
      ])}
    />
  );
}
