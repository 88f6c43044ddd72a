'use client';
import type { DeviceInfo } from '@verbslab/protocol';
import { useAgent } from '../connection/store';
import { ProviderBadge, PROVIDERS } from '../ui/provider-badge';
import { Skeleton } from '../ui/states';
import { Term } from '../ui/term';
import { Words } from '../ui/words';

export function DeviceList({ ready }: { ready: boolean }) {
  const devices = useAgent((s) => s.devices);
  if (!ready) return <DeviceSkeleton />;
  if (devices.length === 0) {
    return (
      <p className="max-w-[72ch] border-t py-4 text-ink-2">
        No RDMA device can be opened here, not even the one that comes with Verbs Lab. Build it with{' '}
        <code className="num">npm run build</code> and start the agent again.
      </p>
    );
  }
  return (
    <ul className="divide-y border-y">
      {devices.map((d) => (
        <Device key={d.name} device={d} />
      ))}
    </ul>
  );
}

function Device({ device }: { device: DeviceInfo }) {
  return (
    <li className="py-4">
      <div className="flex flex-wrap items-center gap-3">
        <h3 className="num text-16 font-medium">{device.name}</h3>
        <ProviderBadge provider={device.providerClass} />
      </div>
      <p className="mt-1 max-w-[72ch] text-ink-2">{PROVIDERS[device.providerClass].meaning}</p>
      {device.problem ? (
        <p className="mt-2 max-w-[72ch] border-l-2 border-error pl-3">
          <span className="text-error-ink">
            <Words>{device.problem.message}</Words>
          </span>{' '}
          <Words>{device.problem.cure}</Words>
        </p>
      ) : null}
      {device.lacks?.map(({ capability, message, cure }) => (
        <p key={capability} className="mt-2 max-w-[72ch] border-l-2 pl-3 text-ink-2">
          <Words>{`${message} ${cure}`}</Words>
        </p>
      ))}
      {device.ports.map((port) => (
        <div key={port.port} className="mt-3 grid gap-x-12 gap-y-3 md:grid-cols-[auto_1fr]">
          <dl className="grid grid-cols-[8.5rem_auto] content-start gap-x-6">
            <dt className="text-ink-3">Port</dt>
            <dd className="num">
              {port.port}{' '}
              <span className="unit">{port.linkLayer === 'ethernet' ? 'Ethernet' : port.linkLayer}</span>
            </dd>
            <dt className="text-ink-3">State</dt>
            <dd className="num">{port.state}</dd>
            <dt className="text-ink-3">
              Active <Term id="mtu" />
            </dt>
            <dd className="num">
              {port.activeMtu} <span className="unit">of {port.maxMtu} B</span>
            </dd>
          </dl>
          <div className="min-w-0">
            <table className="text-left">
              <caption className="sr-only">GIDs of port {port.port}</caption>
              <thead className="text-12 text-ink-3">
                <tr>
                  <th scope="col" className="w-12 pr-4 text-right font-normal">
                    Index
                  </th>
                  <th scope="col" className="pr-8 font-normal">
                    <Term id="gid" />
                  </th>
                  <th scope="col" className="w-20 font-normal">
                    Type
                  </th>
                </tr>
              </thead>
              <tbody className="num">
                {port.gids.map((g) => (
                  <tr key={g.index}>
                    <td className="pr-4 text-right">{g.index}</td>
                    <td className="pr-8 break-all">{g.gid}</td>
                    <td>{g.type}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </div>
      ))}
    </li>
  );
}

function DeviceSkeleton() {
  return (
    <div aria-busy className="border-y py-4">
      <div className="flex h-6 items-center gap-3">
        <Skeleton className="h-4 w-20" />
        <Skeleton className="h-4 w-36" />
      </div>
      <div className="mt-1 flex h-[1.375rem] items-center">
        <Skeleton className="h-3 w-full max-w-[40rem]" />
      </div>
      <div className="mt-3 grid gap-x-12 gap-y-3 md:grid-cols-[auto_1fr]">
        <div className="grid h-[4.125rem] w-64 content-around">
          <Skeleton className="h-3 w-52" />
          <Skeleton className="h-3 w-56" />
          <Skeleton className="h-3 w-48" />
        </div>
        <div className="grid h-[3.75rem] content-around">
          <Skeleton className="h-3 w-40" />
          <Skeleton className="h-3 w-72" />
          <Skeleton className="h-3 w-72" />
        </div>
      </div>
    </div>
  );
}
