import { describe, expect, it } from 'vitest';
import { timeoutNs } from '../src/qp-states/constants.js';
import { maskOf, planOf, REQUIRED, without, type QpAttrs } from '../src/qp-states/transitions.js';

const RTR: QpAttrs = {
  state: 'RTR',
  remoteGid: '::ffff:192.0.2.1',
  gidIndex: 1,
  port: 1,
  pathMtu: 1024,
  destQpn: 17,
  rqPsn: 1,
  maxDestRdAtomic: 1,
  minRnrTimer: 12,
};
const INIT: QpAttrs = { state: 'INIT', pkeyIndex: 0, port: 1, access: [] };
const RTS: QpAttrs = { state: 'RTS', sqPsn: 1, timeout: 14, retryCount: 7, rnrRetry: 7, maxRdAtomic: 1 };

describe('masks', () => {
  it('name what a transition is given', () => {
    expect([INIT, RTR, RTS].map(maskOf)).toEqual(['0x39', '0x129181', '0x12e01']);
    expect(maskOf({ state: 'ERR' })).toBe('0x1');
  });

  it('lack the bit of what is left out', () => {
    expect(maskOf(without(RTR, 'pathMtu'))).toBe('0x129081');
    // Port and GID index go with the address vector: alone, the port would be another bit.
    expect(maskOf(without(RTR, 'remoteGid'))).toBe('0x129101');
  });
});

it('plans one mistake for each required member', () => {
  const plan = planOf({ INIT, RTR, RTS }, 9);
  const left = plan.flatMap(({ mistakes }) => mistakes.filter(({ what }) => what.includes('without')));
  expect(left).toHaveLength(Object.values(REQUIRED).flat().length);
  expect(plan[1]?.mistakes.at(-1)?.attrs.gidIndex).toBe(9);
});

it('knows what a timeout code stands for', () => {
  expect([0, 1, 14].map(timeoutNs)).toEqual([null, 8192, 67_108_864]);
});
