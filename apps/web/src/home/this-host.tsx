'use client';
import type { DeviceInfo } from '@verbslab/protocol';
import { Absent, useAbsent } from '../connection/absent';
import { useAgent } from '../connection/store';
import { cpusText } from '../format/number';
import { ProviderBadge, PROVIDERS } from '../ui/provider-badge';
import { Skeleton } from '../ui/states';
import { Words } from '../ui/words';
import { PageLink } from '../ui/page-link';

/** Where the labs run: the host in short, its devices, and what is wrong with them. The rest is on Hosts. */
export function ThisHost() {
  const agent = useAgent((s) => s.agent);
  const devices = useAgent((s) => s.devices);
  const absent = useAbsent();
  return (
    <section aria-labelledby="this-host" className="min-w-0">
      <h2 id="this-host" className="mb-2 text-13 font-semibold">
        This host
      </h2>
      {absent ? (
        <Absent what="This host and its devices are shown here" />
      ) : agent ? (
        <>
          <p className="text-13 text-ink-2">
            <span className="num text-ink">{agent.host}</span>, {cpusText(agent.cpus)}
          </p>
          {devices.length === 0 ? (
            <p className="mt-2 text-13 text-ink-2">
              No RDMA device can be opened here, not even the one that comes with Verbs Lab. Build it with{' '}
              <code className="num">npm run build</code> and restart the agent.
            </p>
          ) : (
            <ul className="mt-2 space-y-3 text-13">
              {devices.map((d) => (
                <Device key={d.name} device={d} />
              ))}
            </ul>
          )}
          <PageLink
            href="/hosts"
            className="mt-2 inline-flex min-h-8 items-center text-13 text-accent hover:underline pointer-coarse:min-h-11"
          >
            Host details and other hosts
          </PageLink>
        </>
      ) : (
        <div aria-busy className="grid h-36 content-start gap-3">
          <Skeleton className="h-3 w-40" />
          <Skeleton className="h-4 w-52" />
          <Skeleton className="h-3 w-full" />
          <Skeleton className="h-3 w-4/5" />
        </div>
      )}
    </section>
  );
}

function Device({ device }: { device: DeviceInfo }) {
  return (
    <li>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="num font-medium">{device.name}</h3>
        <ProviderBadge provider={device.providerClass} />
      </div>
      {device.problem ? (
        <p className="mt-1 border-l-2 border-error pl-3">
          <span className="text-error-ink">
            <Words>{device.problem.message}</Words>
          </span>{' '}
          <Words>{device.problem.cure}</Words>
        </p>
      ) : (
        <p className="mt-1 text-ink-2">{PROVIDERS[device.providerClass].meaning}</p>
      )}
    </li>
  );
}
