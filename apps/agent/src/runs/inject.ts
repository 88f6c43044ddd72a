import { AppError, marksPackets, type Capability, type Faults } from '@verbslab/protocol';
import type { HostedEndpoint } from '../endpoint/hosted-endpoint.js';

/**
 * Sets the faults that the devices of a run, or the links of their virtual machines, inject into the packets that they
 * send from now on: for one endpoint, or for all that are able to. Resolves with their names. Throws AppError
 * NO_FAULTS.
 */
export async function injectFaults(
  endpoints: ReadonlyMap<string, HostedEndpoint>,
  only: string | undefined,
  faults: Faults,
): Promise<string[]> {
  const asked = [...endpoints].filter(([name]) => only === undefined || name === only);
  if (asked.length === 0)
    throw new AppError('NO_FAULTS', {
      why: only === undefined ? 'no endpoint is open now' : `it has no endpoint “${only}” now`,
    });
  const needed: Capability[] = ['faults'];
  if (faults.shaping) needed.push('shaping');
  if (marksPackets(faults)) needed.push('marks');
  const able = asked.filter(
    ([, endpoint]) => needed.every((one) => endpoint.has(one)) || endpoint.netem !== undefined,
  );
  if (able.length === 0) {
    const devices = [...new Set(asked.map(([, { device }]) => device.name))].join(' and ');
    throw new AppError('NO_FAULTS', { why: `${devices} cannot inject them` });
  }
  await Promise.all(
    able.map(([, endpoint]) =>
      endpoint.netem ? endpoint.netem(faults) : endpoint.call('faults', { ...faults, report: true }),
    ),
  );
  return able.map(([name]) => name);
}
