import type {
  AgentMessage,
  AgentMessageOf,
  MachinesWork,
  Measurement,
  SweepRecord,
} from '@verbslab/protocol';
import type { Peers } from '../peers/peers.js';
import type { RunManager } from '../runs/manager.js';
import type { Notebook } from '../runs/notebook.js';
import type { Sweeps } from '../sweeps/sweeps.js';
import type { Machines } from '../vms/work.js';

export interface Changing {
  manager: RunManager;
  peers: Peers;
  sweeps: Sweeps;
  notebook: Notebook;
  machines: Machines;
}

type Payload<T extends AgentMessage['type']> = Omit<AgentMessageOf<T>, 'type'>;

/** Tells a client what changes, until the function that it gives is called. */
export function tellChanges(
  { manager, peers, sweeps, notebook, machines }: Changing,
  send: (message: AgentMessage) => void,
): () => void {
  const onRun = (run: AgentMessageOf<'run.changed'>['run']): void => send({ type: 'run.changed', run });
  const onRemoved = (runId: string): void => send({ type: 'run.removed', runId });
  const onProgress = (labs: AgentMessageOf<'progress.changed'>['labs']): void =>
    send({ type: 'progress.changed', labs });
  const onPeers = (all: AgentMessageOf<'peers.changed'>['peers']): void =>
    send({ type: 'peers.changed', peers: all });
  const onSweep = (sweep: SweepRecord): void => send({ type: 'sweep.changed', sweep });
  const onMeasured = (sweepId: string, measurement: Measurement): void =>
    send({ type: 'sweep.measured', sweepId, measurement });
  const onNotebook = (change: Payload<'notebook.changed'>): void =>
    send({ type: 'notebook.changed', ...change });
  const onMachines = (work: MachinesWork): void => send({ type: 'machines.changed', work });
  manager.on('changed', onRun).on('removed', onRemoved).on('progress', onProgress);
  peers.on('changed', onPeers);
  sweeps.on('changed', onSweep).on('measured', onMeasured);
  notebook.on('changed', onNotebook);
  machines.on('changed', onMachines);
  return () => {
    manager.off('changed', onRun).off('removed', onRemoved).off('progress', onProgress);
    peers.off('changed', onPeers);
    sweeps.off('changed', onSweep).off('measured', onMeasured);
    notebook.off('changed', onNotebook);
    machines.off('changed', onMachines);
  };
}
