import type { DeviceInfo } from '@verbslab/protocol';
import { ProviderBadge } from '../ui/provider-badge';
import { Term } from '../ui/term';
import { Words } from '../ui/words';

/** The devices of a host, a line for each GID. */
export function DeviceTable({ host, devices }: { host: string; devices: readonly DeviceInfo[] }) {
  if (devices.length === 0) return <p className="mt-3 text-ink-2">No RDMA device.</p>;
  return (
    <ul className="mt-3 space-y-3">
      {devices.map((device) => (
        <li key={device.name}>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 className="num font-medium">
              {host}/{device.name}
            </h3>
            <span className="text-12 text-ink-3">
              <Term id="providerClass" />:
            </span>
            <ProviderBadge provider={device.providerClass} explained />
            {device.ports.map((port) => (
              <span key={port.port} className="text-13 text-ink-2">
                port {port.port} <span className="num">{port.state}</span>, <Term id="mtu" />{' '}
                <span className="num">{port.activeMtu}</span> <span className="unit">B</span>
                {port.maxMtu === port.activeMtu ? null : (
                  <>
                    {' '}
                    (at most <span className="num">{port.maxMtu}</span>)
                  </>
                )}
              </span>
            ))}
          </div>
          {device.lacks?.map(({ capability, message, cure }) => (
            <p key={capability} className="mt-1 max-w-[72ch] border-l-2 pl-3 text-13 text-ink-2">
              <Words>{`${message} ${cure}`}</Words>
            </p>
          ))}
          {device.problem ? (
            <p className="mt-1 max-w-[72ch] border-l-2 border-error pl-3">
              <span className="text-error-ink">
                <Words>{device.problem.message}</Words>
              </span>{' '}
              <Words>{device.problem.cure}</Words>
            </p>
          ) : (
            <dl className="mt-1 grid grid-cols-[4rem_1fr] text-13">
              {device.ports.flatMap((port) =>
                port.gids.map((gid) => (
                  <div key={`${port.port} ${gid.index}`} className="col-span-2 grid grid-cols-subgrid">
                    <dt className="text-ink-3">
                      GID <span className="num">{gid.index}</span>
                    </dt>
                    <dd className="num break-all">
                      {gid.gid} <span className="text-ink-3">{gid.type}</span>
                    </dd>
                  </div>
                )),
              )}
            </dl>
          )}
        </li>
      ))}
    </ul>
  );
}
