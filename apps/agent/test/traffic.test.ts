/** Rates of devices: how fast the counters of endpoints in progress grow, for those who watch. */
import { linksBetween, rateBetween, type RunTraffic } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { Recorder, testAgent } from './helpers/agent.js';
import { puppets } from './helpers/endpoint.js';

describe('the rate of a device', () => {
  it('adds up the links of an embedded device', () => {
    const before = { sent_pkts: 10, rcvd_pkts: 5, udp_bytes_out: 100, shm_bytes_out: 0, udp_bytes_in: 7 };
    const now = { sent_pkts: 30, rcvd_pkts: 5, udp_bytes_out: 300, shm_bytes_out: 50, udp_bytes_in: 7 };
    expect(rateBetween(before, now, 0.5)).toEqual({
      out: { packets: 40, bytes: 500 },
      in: { packets: 0, bytes: 0 },
      seconds: 0.5,
    });
    expect(linksBetween(before, { ...now, udp_sends: 3 })).toEqual(['udp']);
    expect(linksBetween({ udp_sends: 3 }, { udp_sends: 3, shm_packets_out: 1 })).toEqual(['shm']);
  });

  it('takes the data of a port in words of four bytes', () => {
    const names = ['port_xmit_packets', 'port_rcv_packets', 'port_xmit_data', 'port_rcv_data'];
    const values = (n: number) => Object.fromEntries(names.map((name) => [name, n]));
    expect(rateBetween(values(0), values(8), 2)?.out).toEqual({ packets: 4, bytes: 16 });
  });

  it('has no bytes where the device counts none, and is unknown without counters', () => {
    const rate = rateBetween({ sent_pkts: 0, rcvd_pkts: 0 }, { sent_pkts: 3, rcvd_pkts: 6 }, 3);
    expect(rate).toEqual({ out: { packets: 1, bytes: null }, in: { packets: 2, bytes: null }, seconds: 3 });
    expect(rateBetween({}, {}, 1)).toBeNull();
    expect(rateBetween({ sent_pkts: 0, rcvd_pkts: 0 }, { sent_pkts: 1, rcvd_pkts: 1 }, 0)).toBeNull();
  });
});

/** An agent whose endpoints say that they have sent so many more packets at each reading. */
async function countingAgent() {
  const { spawn, opened } = puppets();
  const asked: unknown[] = [];
  const { agent } = await testAgent({
    spawn: async (options) => {
      const endpoint = await spawn(options);
      const call = endpoint.call.bind(endpoint);
      let packets = 0;
      endpoint.call = ((op: never, args: never) => {
        if (op !== 'counters') return call(op, args);
        asked.push(args);
        packets += 10;
        return Promise.resolve({ values: { sent_pkts: packets, rcvd_pkts: 0 } });
      }) as typeof endpoint.call;
      return endpoint;
    },
  });
  return { agent, opened, asked };
}

const moves = ({ ends }: RunTraffic): boolean =>
  ends.length === 2 && ends.every(({ rate }) => (rate?.out.packets ?? 0) > 0);

describe('a client that watches', () => {
  it('gets the rates of each endpoint, and once that nothing is in progress', async () => {
    const { agent } = await countingAgent();
    const recorder = await Recorder.connect(agent);
    await recorder.client.request('traffic.watch', { on: true });
    const runId = await recorder.start('waiting');
    await recorder.untilMessage('traffic.changed', ({ runs }) => runs.some(moves));
    const { runs } = recorder.messages.findLast((m) => m.type === 'traffic.changed')!;
    expect(runs).toMatchObject([
      {
        run: 1,
        runId,
        ends: [
          { endpoint: 'client', host: 'local', device: 'test0' },
          { endpoint: 'server', host: 'local', device: 'test0' },
        ],
      },
    ]);
    await recorder.client.request('run.cancel', { runId });
    await recorder.untilMessage('traffic.changed', (m) => m.runs.length === 0);
  });

  it('costs the run nothing that it would keep, and nobody is asked when the last has gone', async () => {
    const { agent, asked } = await countingAgent();
    const [first, other] = [await Recorder.connect(agent), await Recorder.connect(agent)];
    await first.client.request('traffic.watch', { on: true });
    await first.start('waiting');
    await first.untilMessage('traffic.changed', ({ runs }) => runs.some(moves));
    expect(asked.every((args) => (args as { quiet?: boolean }).quiet)).toBe(true);
    expect(first.events.filter(({ kind }) => kind === 'counter')).toEqual([]);
    await first.client.request('traffic.watch', { on: false });
    const before = asked.length;
    await other.client.request('traffic.watch', { on: true });
    await other.untilMessage('traffic.changed', ({ runs }) => runs.some(moves));
    // The limit is two readings of two endpoints, and one more that may be on its way. The client that left causes
    // none.
    expect(asked.length - before).toBeLessThanOrEqual(6);
  });
});

describe('a program', () => {
  it('has the rates of its processes, by the counters that they report', async () => {
    const { agent } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const { client } = recorder;
    await client.request('traffic.watch', { on: true });
    const { run } = await client.request('program.start', { command: ['ping'], clock: '1' });
    const endpoint = 'pid 1';
    const report = (seconds: number, packets: number) => {
      const values = { sent_pkts: packets, rcvd_pkts: 0, udp_bytes_out: packets * 100, udp_sends: packets };
      client.send({
        type: 'program.events',
        runId: run.id,
        events: [{ kind: 'counter', when: 'sample', values, t: seconds * 1e9, endpoint }],
      });
    };
    client.send({
      type: 'program.events',
      runId: run.id,
      events: [
        { kind: 'endpoint', role: endpoint, device: 'uroce0', providerClass: 'user-space', t: 0, endpoint },
      ],
    });
    report(1, 0);
    await recorder.untilMessage('traffic.changed', ({ runs }) => runs[0]?.ends.length === 1);
    report(3, 50);
    const rate = { out: { packets: 25, bytes: 2500 }, in: { packets: 0, bytes: null }, seconds: 2 };
    await recorder.untilMessage('traffic.changed', ({ runs }) => {
      const [end] = runs[0]?.ends ?? [];
      return end?.rate?.seconds === 2;
    });
    const { runs } = recorder.messages.findLast((m) => m.type === 'traffic.changed')!;
    expect(runs[0]?.ends).toEqual([
      { endpoint, host: 'local', device: 'uroce0', providerClass: 'user-space', rate, links: ['udp'] },
    ]);
  });
});
