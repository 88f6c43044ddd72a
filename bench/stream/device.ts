import type { DeviceInfo } from '@verbslab/protocol';

/** Device that the run reports. There is no device: a thread writes the records. */
export const device: DeviceInfo = {
  name: 'records0',
  providerClass: 'simulated',
  provider: 'embedded',
  capabilities: [],
  fwVersion: '0',
  nodeGuid: '0000:0000:0000:0000',
  vendorId: 0,
  limits: {
    maxMrSize: 0,
    maxQp: 0,
    maxQpWr: 0,
    maxSge: 0,
    maxCq: 0,
    maxCqe: 0,
    maxMr: 0,
    maxPd: 0,
    maxQpRdAtom: 0,
  },
  ports: [],
};
