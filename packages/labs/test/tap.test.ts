import { AppError, type DeviceInfo, type LabContext } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { icrcRight, startTap } from '../src/wire/tap.js';

const report = { packets: 10, badIcrc: 0, malformed: 0 };

describe('the check of the ICRC', () => {
  it('holds when every whole packet has the right one', () => {
    expect(icrcRight(report)).toEqual({
      ok: true,
      detail: 'The ICRC of all 10 packets matches our recomputed value.',
    });
    expect(icrcRight({ ...report, badIcrc: 1 }).ok).toBe(false);
    expect(icrcRight({ ...report, malformed: 1 }).ok).toBe(false);
    expect(icrcRight({ ...report, packets: 0 }).ok).toBe(false);
  });

  it('says for which packets it is unknown', () => {
    const { ok, detail } = icrcRight({ ...report, cut: 3 });
    expect(ok).toBe(true);
    expect(detail).toMatch(/^The ICRC of all 7 packets .* 3 packets more were longer than/);
    expect(icrcRight({ ...report, cut: 10 }).ok).toBe(false);
  });
});

describe('a tap', () => {
  /** A lab's context as far as taps need it, and what was noted. */
  function context(answer: () => object, providerClass: DeviceInfo['providerClass'] = 'kernel') {
    const notes: string[] = [];
    const endpoint = { device: { providerClass }, call: () => Promise.resolve().then(answer) };
    const ctx = {
      endpoint: () => endpoint,
      source: () => 1,
      note: (text: string) => notes.push(text),
    } as unknown as LabContext<unknown>;
    return { ctx, notes };
  }

  it('of an interface is announced as everybody’s', async () => {
    const { ctx, notes } = context(() => ({ interface: 'eth0' }));
    expect(await startTap(ctx, 'client', false, {})).toBe(true);
    expect(notes.join()).toMatch(/all packets to UDP port 4791 on eth0/);
  });

  it('of the device itself adds no note', async () => {
    const { ctx, notes } = context(() => ({}), 'user-space');
    expect(await startTap(ctx, 'client', true, {})).toBe(true);
    expect(notes).toEqual([]);
  });

  it('between two QPs of one kernel device has nothing to see', async () => {
    const { ctx, notes } = context(() => ({ interface: 'eth0' }));
    expect(await startTap(ctx, 'client', true, {})).toBe(false);
    expect(notes.join()).toMatch(/no interface sees them/);
  });

  it('that is not allowed costs the packets and not the run', async () => {
    const { ctx, notes } = context(() => {
      throw new AppError('CAPTURE_FORBIDDEN', { program: '/opt/vlcapture' });
    });
    expect(await startTap(ctx, 'client', false, {})).toBe(false);
    expect(notes.join()).toContain('sudo setcap cap_net_raw+ep /opt/vlcapture');
    const dead = context(() => {
      throw new AppError('ENDPOINT_DIED', { endpoint: 'client', how: 'killed' });
    });
    await expect(startTap(dead.ctx, 'client', false, {})).rejects.toMatchObject({ code: 'ENDPOINT_DIED' });
  });
});
