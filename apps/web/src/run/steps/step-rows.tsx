'use client';
import { plural } from '@verbslab/labs';
import type { LabDescription } from '@verbslab/protocol';
import { useRouter, useSearchParams } from 'next/navigation';
import { lazyPart } from '../../connection/lazy-part';
import type { RunSession } from '../../connection/run-sessions';
import type { RunView } from '../../connection/run-view';
import { count } from '../../format/number';
import { machineModel } from '../../model/machine/machine';
import { packetsLine } from '../../model/step-facts';
import type { StepLog } from '../../model/step-log';
import { Fold } from '../../ui/fold';
import { QpStates } from '../../ui/qp-states';
import { Skeleton } from '../../ui/states';
import type { StepMachineProps } from '../machine/step-machine';
import ChecksPanel from '../panels/checks';
import { CallRow } from './call-row';
import { Part } from './part';

// Packet decoding is loaded with the first step that has packets.
const StepPackets = lazyPart(async () => (await import('../step-packets')).default);

const StepMachine = lazyPart<StepMachineProps>(
  async () => (await import('../machine/step-machine')).default,
  () => <Skeleton className="h-96" />,
);

interface StepRowsProps {
  session: RunSession;
  lab: LabDescription;
  steps: readonly StepLog[];
  step: StepLog;
}

/** Below the columns, closed: all records of a step. */
export function StepRows({ session, lab, steps, step }: StepRowsProps) {
  const view = session.view!;
  return (
    <div className="mt-5">
      <PacketRow {...{ view, lab, step }} />
      <CallRow {...{ view, lab, step }} />
      <Fold
        id="step-objects"
        title="Objects"
        summary={<span data-shows="step-objects">{objectsLine(session, steps, step)}</span>}
        late
        wide
        holds={(id) => id === 'panel-machine' || id === 'panel-states'}
        opened={useSearchParams().has('qp')}
      >
        <div className="mb-4 flex flex-wrap gap-x-12 gap-y-3" id="panel-states">
          {lab.roles.map((r) => (
            <div key={r.name} className="w-[22rem] max-w-full">
              <QpStates name={r.title} state={step.states[r.name] ?? null} moves={step.moves[r.name] ?? []} />
            </div>
          ))}
        </div>
        <div data-panel="machine" id="panel-machine" className="min-h-64">
          <StepMachine key={step.id} view={view} lab={lab} steps={steps} step={step} />
        </div>
      </Fold>
      <Fold id="step-checks" title="Checks" summary="what the run verifies" wide>
        <div className="-mx-3 sm:mx-3" data-panel="checks">
          <ChecksPanel view={view} session={session} lab={lab} table={false} />
        </div>
      </Fold>
    </div>
  );
}

/** Number of objects by kind after a step: `2 PDs, 2 MRs`. */
function objectsLine(session: RunSession, steps: readonly StepLog[], step: StepLog): string {
  if (Number.isNaN(step.begin)) return 'not yet known';
  const next = steps.find(({ begin, index }) => index > step.index && !Number.isNaN(begin));
  const kinds = new Map<string, number>();
  for (const host of machineModel(session.view!.model, next ? next.begin - 1 : Infinity).hosts)
    for (const { parts } of host.processes)
      for (const { kind } of parts) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const words = [...kinds].map(([kind, n]) => plural(n, kind));
  return words.length > 0 ? `every attribute of ${words.join(', ')}` : 'none';
}

function PacketRow({ view, lab, step }: { view: RunView; lab: LabDescription; step: StepLog }) {
  const router = useRouter();
  const query = useSearchParams();
  const asked = Number(query.get('packet')) - 1;
  const selected = step.packets.includes(asked) ? asked : null;
  const line = packetsLine(view.model, step);
  function selectPacket(index: number) {
    const next = new URLSearchParams(location.search);
    next.set('step', step.id);
    next.set('packet', String(index + 1));
    router.replace(`${location.pathname}?${next}`, { scroll: false });
  }
  return (
    <Fold
      id="step-packet-rows"
      title="Packets of this step"
      summary={
        line === null ? (
          <span data-words>none</span>
        ) : (
          <span data-shows="step-fact" data-fact="packets">
            {line}
          </span>
        )
      }
      late
      holds={(id) => id === 'panel-packets'}
      opened={selected !== null}
    >
      {step.packets.length > 0 ? (
        <Part
          id="packets"
          title="Packets"
          aside={<span data-shows="packets-count">{count(step.packets.length)}</span>}
        >
          <StepPackets view={view} lab={lab} step={step} selected={selected} onSelect={selectPacket} />
        </Part>
      ) : (
        <p className="text-13 text-ink-3">No packet was captured in this step.</p>
      )}
    </Fold>
  );
}
