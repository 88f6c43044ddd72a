import type { DeviceInfo } from '@verbslab/protocol';

export const device: DeviceInfo = {
  name: 'test0',
  providerClass: 'simulated',
  provider: 'embedded',
  capabilities: ['tap'],
  fwVersion: '0',
  nodeGuid: '0000:0000:0000:0001',
  vendorId: 0,
  limits: {
    maxMrSize: 1 << 30,
    maxQp: 1,
    maxQpWr: 1,
    maxSge: 1,
    maxCq: 1,
    maxCqe: 1,
    maxMr: 1,
    maxPd: 1,
    maxQpRdAtom: 1,
  },
  ports: [],
};
