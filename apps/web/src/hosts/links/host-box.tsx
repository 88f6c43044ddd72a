import { LOCAL_HOST } from '@verbslab/protocol';
import { plural } from '@verbslab/labs';
import { PageLink } from '../../ui/page-link';
import { ProviderBadge } from '../../ui/provider-badge';
import { Words } from '../../ui/words';
import { hostText } from './link-text';
import { RateText } from './rate-text';
import type { DeviceNode, HostNode } from './topology';

/** A host in the picture, with its devices and what they move. */
export function HostBox({ host }: { host: HostNode }) {
  const { name, state, agent, devices } = host;
  return (
    <div
      data-linked={name}
      data-state={state}
      className="min-w-0 rounded-[6px] border border-line-strong bg-panel p-3"
    >
      <h3 className="text-14 font-medium">
        <PageLink href="/hosts" className="num break-all hover:underline">
          {hostText(host)}
        </PageLink>
      </h3>
      <p className="text-13 text-ink-3">
        {name === LOCAL_HOST ? 'this host' : state}
        {agent ? `, ${plural(agent.cpus, 'CPU')}` : ''}
      </p>
      {devices.length === 0 ? (
        <p className="mt-2 text-13 text-ink-2">
          {name === LOCAL_HOST ? (
            <>
              No RDMA device can be opened here, not even the one that comes with Verbs Lab. Build it with{' '}
              <code className="num">npm run build</code> and restart the agent.
            </>
          ) : (
            'No RDMA device.'
          )}
        </p>
      ) : (
        <ul className="mt-2 space-y-2 text-13">
          {devices.map((one) => (
            <DeviceLine key={one.device.name} node={one} />
          ))}
        </ul>
      )}
    </div>
  );
}

function DeviceLine({ node: { device, rates } }: { node: DeviceNode }) {
  return (
    <li data-device={device.name}>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="num font-medium">{device.name}</span>
        <ProviderBadge provider={device.providerClass} />
      </div>
      {device.problem ? (
        <p className="mt-1 border-l-2 border-error pl-3">
          <span className="text-error-ink">
            <Words>{device.problem.message}</Words>
          </span>{' '}
          <Words>{device.problem.cure}</Words>
        </p>
      ) : rates ? (
        <p className="text-ink-2">
          out <RateText rate={rates.out} shows="device-out" />, in{' '}
          <RateText rate={rates.in} shows="device-in" />
        </p>
      ) : null}
    </li>
  );
}
