'use client';
import { bytes, text } from '../format/number';
import { useAgent } from '../connection/store';
import { Skeleton } from '../ui/states';

/** Who answers: host, kernel, CPUs, locked-memory limit. */
export function AgentFacts() {
  const agent = useAgent((s) => s.agent);
  const rows: [string, string][] | null = agent && [
    ['Host', agent.host],
    ['Version', agent.version],
    ['Kernel', agent.kernel],
    ['CPU', `${agent.cpus} × ${agent.cpuModel}`],
    ['Memory it may lock', agent.memlockLimit === null ? 'no limit' : text(bytes(agent.memlockLimit))],
  ];
  return (
    <dl className="mt-3 grid grid-cols-[minmax(8rem,auto)_1fr] gap-x-6 sm:w-fit">
      {(rows ?? FACTS.map((f) => [f, null] as const)).map(([name, value]) => (
        <div key={name} className="col-span-2 grid grid-cols-subgrid">
          <dt className="text-ink-3">{name}</dt>
          <dd className="num flex min-h-[1.375rem] items-center">
            {value ?? <Skeleton className="h-3 w-48" />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const FACTS = ['Host', 'Version', 'Kernel', 'CPU', 'Memory it may lock'];
