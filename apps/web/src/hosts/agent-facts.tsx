import type { AgentInfo } from '@verbslab/protocol';
import { bytes, text } from '../format/number';

/** The host of the agent that this page talks to. */
export function AgentFacts({ agent }: { agent: AgentInfo }) {
  const rows: [string, string][] = [
    ['Host', agent.host],
    ['Kernel', agent.kernel],
    ['CPU', `${agent.cpus} × ${agent.cpuModel}`],
    ['Locked-memory limit', agent.memlockLimit === null ? 'none' : text(bytes(agent.memlockLimit))],
    ['Verbs Lab', agent.version],
  ];
  return (
    <dl className="mt-2 grid grid-cols-[minmax(9rem,auto)_1fr] gap-x-6 text-13 sm:w-fit">
      {rows.map(([name, value]) => (
        <div key={name} className="col-span-2 grid grid-cols-subgrid">
          <dt className="text-ink-3">{name}</dt>
          <dd className="num wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
