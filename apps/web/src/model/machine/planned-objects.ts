/** Objects that a step will make, before it runs: the lab declares them. */
import type { LabDescription } from '@verbslab/protocol';
import type { Machine, MachinePart } from './machine';

const KINDS: Readonly<Record<string, string>> = { pd: 'PD', mr: 'MR', qp: 'QP', cq: 'CQ' };

export const isPlanned = ({ id }: { id: string }): boolean => id.startsWith('planned ');

function planned(endpoint: string, kind: string, parent: string | null): MachinePart {
  return {
    ...{ id: `planned ${endpoint} ${kind}`, endpoint, kind, number: null, parent },
    ...{ sendCq: null, recvCq: null, srq: null, call: '', attrs: {}, connection: {} },
    ...{ madeAt: Infinity, goneAt: null, states: [], state: null, rings: [] },
    ...{ gone: false, fresh: false, peer: null },
  };
}

/** The machine with what the lab’s step number `index` makes, drawn as planned. */
export function withPlanned(machine: Machine, lab: LabDescription, index: number): Machine {
  const makes = lab.steps?.[index]?.picture?.makes ?? [];
  if (makes.length === 0) return machine;
  return {
    ...machine,
    hosts: machine.hosts.map((host) => ({
      ...host,
      processes: host.processes.map((process) => {
        const { endpoint } = process;
        const parts = [...process.parts];
        for (const name of makes) {
          const kind = name.startsWith(`${endpoint}.`) ? KINDS[name.slice(endpoint.length + 1)] : undefined;
          if (kind === undefined || parts.some((one) => one.kind === kind)) continue;
          const pd = parts.find((one) => one.kind === 'PD')?.id ?? null;
          parts.push(planned(endpoint, kind, kind === 'CQ' || kind === 'PD' ? null : pd));
        }
        return { ...process, parts };
      }),
    })),
  };
}
