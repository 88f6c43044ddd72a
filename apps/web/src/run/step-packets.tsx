'use client';
import type { LabDescription } from '@verbslab/protocol';
import type { RunView } from '../connection/run-view';
import { PacketDetail } from '../parts/packets/packet-detail';
import { runPackets } from '../model/packet-rows';
import { Ladder } from './ladder';
import { roleTitle, type StepLog } from '../model/step-log';

/** The ladder of a step, and the chosen packet to its last field. */
export default function StepPackets(props: {
  view: RunView;
  lab: LabDescription;
  step: StepLog;
  selected: number | null;
  onSelect: (index: number) => void;
}) {
  const { view, lab, step, selected, onSelect } = props;
  const rows = runPackets(view.model.packets);
  const endpointOf = (source: number) => {
    const s = view.model.sources.get(source);
    return roleTitle(lab, s?.endpoint ?? s?.role ?? '');
  };
  const [a, b] = lab.roles;
  const shown = selected ?? step.packets[0]!;
  const row = rows.at(shown);
  return (
    <>
      <p className="mb-1 text-12 text-ink-3" data-words>
        Times count from the first packet of the step, those of completions from its beginning.
      </p>
      <Ladder
        rows={rows}
        indices={step.packets}
        lanes={[a?.title ?? 'client', b?.title ?? 'server']}
        endpointOf={endpointOf}
        selected={shown}
        onSelect={onSelect}
      />
      {row ? (
        <div
          data-packet={shown}
          className="@container mt-3 flex h-[34rem] flex-col rounded-[4px] border bg-panel @3xl:h-[26rem]"
        >
          <p className="num border-b px-3 py-1.5 text-12" data-shows="packet-line">
            <span className="text-ink-3">Packet {shown + 1}</span> {row.src} → {row.dst}{' '}
            <span className="text-ink-2">{row.info}</span>
          </p>
          <PacketDetail row={row} remarks={rows.remarks(shown)} />
        </div>
      ) : null}
    </>
  );
}
