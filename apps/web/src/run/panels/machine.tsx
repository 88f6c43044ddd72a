'use client';
import { isFinal } from '@verbslab/protocol';
import { useState } from 'react';
import { MachineView } from '../machine/machine-view';
import { TimeBar } from '../machine/time-bar';
import { machineModel, machineTime } from '../../model/machine/machine';
import { stripsOfMachine } from '../../model/strips/qp-strips';
import { wireRatesAt } from '../../model/strips/wire-rates';
import type { Topic } from '../../model/run-model';
import { useTopics } from '../../connection/use-session';
import type { PanelContentProps } from '../../parts/run/panel-content';
import { lazyPart } from '../../connection/lazy-part';
import type { StripsPictureProps } from '../../parts/strips/strips-picture';
import { Waiting } from './waiting';

// Few runs have many QPs.
const StripsPicture = lazyPart<StripsPictureProps>(
  async () => (await import('../../parts/strips/strips-picture')).StripsPicture,
);

const TOPICS: readonly Topic[] = [
  ...['trace', 'objects', 'work', 'series', 'record', 'state', 'completions', 'counters', 'queues'],
] as Topic[];

/** Hosts, processes and their verbs objects, with how full each queue is: now, or at a time that the reader chooses. */
export default function MachinePanel({ view, lab, table }: PanelContentProps) {
  useTopics(view, TOPICS, 'table');
  const { model } = view;
  const live = !isFinal(model.record.state);
  const [chosen, setChosen] = useState<number | null>(null);
  const time = machineTime(model);
  const at = chosen ?? (live ? Infinity : time.telling);
  const machine = machineModel(model, at);
  if (machine.hosts.length === 0)
    return (
      <Waiting
        record={model.record}
        soon="The processes and their verbs objects appear here as they are made."
        never="No process opened an RDMA device."
      />
    );
  const many = stripsOfMachine(model, machine);
  return (
    <div
      className="thin-scroll min-h-0 flex-1 overflow-auto px-3 pb-3"
      tabIndex={0}
      role="group"
      aria-label="Machine"
    >
      <TimeBar drawn={machine.at} end={time.end} live={live} at={chosen} onChange={setChosen} />
      {many.length > 0 && !table ? (
        <div className="mb-3">
          <StripsPicture shown={many} at={machine.at} wires={wireRatesAt(model, machine.at)} />
        </div>
      ) : null}
      <MachineView view={view} lab={lab} machine={machine} table={table} />
    </div>
  );
}
