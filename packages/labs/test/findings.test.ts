import { overRounds, type EndpointLoopResult, type TransportResult } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { completionsMatch, cpuAddsUp, growth, recovered, tcpDelivered } from '../src/bulk/checks.js';
import { transportResult } from '../src/bulk/figures.js';
import { bulkAnswer, bulkFindings, overrunText } from '../src/bulk/findings.js';
import { addressOfGid } from '../src/bulk/transports.js';
import { formatBytes, formatNumber, formatTime, plural } from '../src/format.js';

function figures(goodputGbps: number, app: number, nic: number | null, kernel: number): TransportResult {
  return {
    goodputGbps,
    messagesPerSecond: 1,
    cpuSecondsPerGB: { app, nic, kernel },
    latencyUs: { n: 20_000, min: 1, p50: 100, p90: 200, p99: 300, p999: 400, max: 500 },
    bytes: 1e9,
    messages: 100,
    seconds: 1,
  };
}

const loop = (over: Partial<EndpointLoopResult> = {}): EndpointLoopResult => ({
  reason: 'duration',
  drained: true,
  startedAt: 0,
  elapsedNs: 2e9,
  bytes: 4e9,
  messages: 64_000,
  latencyKind: 'completion',
  latency: {
    count: 4000,
    minNs: 1000,
    meanNs: 2000,
    maxNs: 6015,
    distribution: [
      [1000, 1999],
      [2000, 1950],
      [6015, 51],
    ],
  },
  cpu: { appNs: 1e9, nicNs: 0.5e9, kernelNs: 0.4e9 },
  counters: {},
  recordsWritten: 4000,
  recordsDropped: 0,
  ...over,
});

describe('the figures of a transport', () => {
  it('come from the client’s bytes and the CPU of both ends', () => {
    const server = loop({ cpu: { appNs: 0, nicNs: 1.5e9, kernelNs: 0.6e9 } });
    expect(transportResult([{ client: loop(), server }], 'rdma')).toMatchObject({
      goodputGbps: 16,
      messagesPerSecond: 32_000,
      cpuSecondsPerGB: { app: 0.25, nic: 0.5, kernel: 0.25 },
      // 4 samples of 4,000 lie beyond p99.9: too few.
      latencyUs: { n: 4000, min: 1, p50: 2, p90: 2, p99: 6.015, p999: null, max: 6.015 },
      bytes: 4e9,
      messages: 64_000,
      seconds: 2,
    });
  });

  it('are null where nothing was moved or told', () => {
    const none = loop({ bytes: 0, messages: 0, latency: { ...loop().latency, count: 0, distribution: [] } });
    expect(transportResult([{ client: none, server: none }], 'rdma')).toMatchObject({
      cpuSecondsPerGB: null,
      latencyUs: null,
      goodputGbps: 0,
    });
    const kernel = loop({ cpu: { appNs: 1e9, nicNs: null, kernelNs: 1e9 } });
    expect(transportResult([{ client: kernel, server: kernel }], 'rdma').cpuSecondsPerGB?.nic).toBeNull();
    expect(transportResult([{ client: kernel, server: kernel }], 'tcp').cpuSecondsPerGB?.nic).toBe(0);
  });
});

describe('the figures over several rounds', () => {
  const round = (bytes: number, appNs: number) => {
    const client = loop({ bytes, cpu: { appNs, nicNs: 0, kernelNs: 0 } });
    return { client, server: loop({ cpu: { appNs: 0, nicNs: 0, kernelNs: 0 } }) };
  };

  it('are medians with the smallest and the largest', () => {
    const result = transportResult([round(4e9, 4e9), round(1e9, 9e9), round(3e9, 6e9)], 'rdma');
    expect(result).toMatchObject({
      goodputGbps: 12,
      cpuSecondsPerGB: { app: 2, nic: 0, kernel: 0 },
      bytes: 8e9,
      seconds: 6,
      spread: { goodputGbps: { min: 4, max: 16 }, cpuSecondsPerGB: { min: 1, max: 9 } },
    });
    expect(result.rounds?.map(({ goodputGbps }) => goodputGbps)).toEqual([16, 4, 12]);
    // 12 samples of 12,000 lie beyond p99.9: enough.
    expect(result.latencyUs).toMatchObject({ n: 12_000, p999: 6.015 });
  });

  it('have parts that add up to their sum, of an even number of rounds too', () => {
    const { cpuSecondsPerGB, spread } = transportResult([round(1e9, 1e9), round(1e9, 2e9)], 'rdma');
    expect(cpuSecondsPerGB).toEqual({ app: 1.5, nic: 0, kernel: 0 });
    expect(spread?.cpuSecondsPerGB).toEqual({ min: 1, max: 2 });
  });
});

describe('what the kernel did outside of processes', () => {
  const at = (machine: string, ns: number): EndpointLoopResult =>
    loop({ cpu: { appNs: 1e9, nicNs: null, kernelNs: 1e9, outside: { ns, machine } } });
  const outside = (client: EndpointLoopResult, server: EndpointLoopResult, together = false) =>
    transportResult([{ client, server }], 'rdma', together).cpuSecondsPerGB?.outside;

  it('is counted once for each machine', () => {
    expect(outside(at('a', 2e9), at('b', 4e9))).toBe(1.5);
    expect(outside(at('a', 2e9), at('a', 2.4e9))).toBeCloseTo(0.6);
    expect(outside(at('a', 2e9), loop())).toBe(0.5);
    expect(outside(loop(), loop())).toBeUndefined();
  });

  it('is left out where two transports shared it', () => {
    expect(outside(at('a', 2e9), at('b', 4e9), true)).toBeUndefined();
  });

  it('is in the sum, in the paragraph, and not in what the endpoints are held to', () => {
    const result = {
      ...figures(1, 0.1, null, 0.2),
      cpuSecondsPerGB: { app: 0.1, nic: null, kernel: 0.2, outside: 0.4 },
    };
    const text = bulkFindings({
      providerClass: 'kernel',
      rdma: result,
      together: false,
      polling: false,
      depth: 1,
    }).join(' ');
    expect(text).toContain('each gigabyte cost 0.700 CPU seconds');
    expect(text).toContain('0.400 s/GB outside of every process');
    expect(cpuAddsUp([at('a', 1e12)], 2).ok).toBe(true);
  });
});

describe('the paragraph', () => {
  const rdma = figures(40, 0.05, 0.3, 0.2);
  const tcp = figures(36, 0.02, 0, 0.25);
  const base = { together: false, polling: true, depth: 64, rdma, tcp } as const;
  const text = (over: Partial<Parameters<typeof bulkFindings>[0]>): string =>
    bulkFindings({ providerClass: 'user-space', ...base, ...over }).join(' ');

  it('says what a user-space device does, and what hardware would leave', () => {
    const said = text({});
    expect(said).toContain('RDMA moved 40 Gb/s of payload and TCP 36 Gb/s: RDMA was 1.11× as fast as TCP.');
    expect(said).toContain('0.550 CPU seconds over RDMA and 0.270 CPU seconds over TCP');
    expect(said).toContain('RDMA took 2.04× TCP’s CPU time');
    expect(said).toContain('the CPU does the NIC’s work');
    expect(said).toContain('What would be left is the application’s 0.0500 s/GB');
    expect(said).toContain('The client polls, so its core is busy');
  });

  it('says so where RDMA is slower', () => {
    expect(text({ rdma: figures(20, 0.05, 0.3, 0.2) })).toContain('RDMA was 0.556× as fast as TCP');
  });

  it('calls one round one sample, and states no law', () => {
    expect(text({})).toContain('This is one sample of each');
    expect(bulkAnswer({ providerClass: 'user-space', ...base })).toBe(
      'RDMA moved 40 Gb/s and TCP 36 Gb/s: RDMA was 1.11× as fast as TCP in this one sample. CPU seconds per GB: 0.550 (application 0.0500) with RDMA, 0.270 (application 0.0200) with TCP.',
    );
    for (const providerClass of ['user-space', 'kernel', 'hardware'] as const)
      expect(text({ providerClass })).not.toMatch(/must be|costs more CPU|is what RDMA is about/);
  });

  /** A result over rounds of these goodputs. */
  const rounds = (...all: number[]): TransportResult =>
    overRounds(
      all.map((goodput) => ({ ...figures(goodput, 0.05, 0.3, goodput / 100), messagesPerSecond: goodput })),
      rdma.latencyUs,
    );

  it('sees a difference only where the ranges of the rounds do not overlap', () => {
    const clear = { rdma: rounds(20, 30, 22), tcp: rounds(10, 12, 19) };
    expect(text(clear)).toContain(
      'RDMA moved a median of 22 Gb/s of payload (20 to 30) and TCP 12 Gb/s (10 to 19), over 3 rounds. ' +
        'The ranges do not overlap: RDMA was 1.83× as fast as TCP.',
    );
    expect(text(clear)).not.toContain('one sample');
    expect(bulkAnswer({ providerClass: 'user-space', ...base, ...clear })).toContain(
      'RDMA moved 22 Gb/s and TCP 12 Gb/s (medians of 3 rounds): RDMA was 1.83× as fast as TCP.',
    );
    const unclear = { rdma: rounds(20, 30, 22), tcp: rounds(10, 12, 21) };
    expect(text(unclear)).toContain('The ranges overlap: there is no clear difference.');
    expect(bulkAnswer({ providerClass: 'user-space', ...base, ...unclear })).toMatch(
      /^No clear difference in goodput: over 3 rounds RDMA ranged from 20 to 30 Gb\/s and TCP from 10 to 21, which overlap\./,
    );
  });

  it('compares the CPU in the same way', () => {
    expect(text({ rdma: rounds(20, 30), tcp: rounds(25, 26) })).toMatch(
      /each gigabyte cost 0\.600 CPU seconds \(0\.550 to 0\.650\) over RDMA and .* over TCP: no clear difference\./,
    );
  });

  it('answers with what there is', () => {
    const of = (over: object): string =>
      bulkAnswer({ providerClass: 'user-space', ...base, rdma: undefined, tcp: undefined, ...over });
    expect(of({ rdma: rounds(20, 30, 22) })).toBe('RDMA moved 22 Gb/s (20 to 30), the median of 3 rounds.');
    expect(of({ tcp })).toBe('TCP moved 36 Gb/s in one round.');
    expect(of({})).toBe('Nothing was measured.');
  });

  it('warns where both ran at once', () => {
    expect(text({ together: true })).toContain('shared the CPU');
  });

  it('does not blame hardware or the kernel for what a library does', () => {
    expect(text({ providerClass: 'hardware' })).toContain('The NIC cuts, sends, checks and places');
    expect(text({ providerClass: 'hardware' })).not.toContain('CPU does the NIC');
    expect(text({ providerClass: 'kernel', rdma: figures(10, 0.1, null, 0.9) })).toContain(
      'driver in the kernel',
    );
  });

  it('states a percentile only where enough samples lie beyond it', () => {
    expect(text({})).toContain(
      'Half of the 20,000 signaled requests completed within 100 µs, and one in a thousand took',
    );
    const latencyUs = { ...rdma.latencyUs!, n: 306, p99: null, p999: null };
    expect(text({ rdma: { ...rdma, latencyUs } })).toContain(
      'Half of the 306 signaled requests completed within 100 µs. ',
    );
    expect(text({ rdma: { ...rdma, latencyUs } })).not.toContain('one in a thousand');
    const few = { ...latencyUs, n: 12, p50: null, p90: null };
    expect(text({ rdma: { ...rdma, latencyUs: few } })).not.toContain('Half of the 12');
  });

  it('speaks of one transport alone, and of none', () => {
    expect(text({ tcp: undefined, polling: false })).toMatch(/^RDMA moved 40 Gb\/s of payload\./);
    expect(text({ rdma: undefined })).toMatch(/^TCP moved 36 Gb\/s/);
    expect(text({ rdma: undefined, tcp: undefined })).toBe('');
  });
});

describe('checks', () => {
  it('count completions against work requests', () => {
    expect(completionsMatch([{ client: loop(), server: loop() }], 16).ok).toBe(true);
    expect(completionsMatch([{ client: loop(), server: loop() }], 8)).toMatchObject({
      ok: false,
      detail: expect.stringContaining('8,000 were expected') as string,
    });
    const none = loop({ messages: 0, latency: { ...loop().latency, count: 0 } });
    expect(completionsMatch([{ client: none, server: none }], 16).ok).toBe(false);
  });

  it('fail when much had to be repaired, and tell how much', () => {
    const pair = [{ client: loop(), server: loop() }];
    expect(recovered(pair, { sent_pkts: 1000 }, { sent_pkts: 20 }).ok).toBe(true);
    const bad = recovered(pair, { sent_pkts: 1000, completer_retry_err: 50 }, {});
    expect(bad).toMatchObject({
      ok: false,
      detail: expect.stringContaining('50 of 1,000 packets retransmitted') as string,
    });
    expect(recovered(pair, { retry_exceeded_err: 1 }, {}).ok).toBe(false);
    expect(recovered(pair, null, null).detail).toContain('no counters');
  });

  it('say when the receive buffer was too small, and what to do', () => {
    expect(overrunText('server', { udp_receive_overruns: 17_235 })).toMatch(
      /^17,235 datagrams .* at the server .*rmem_max=4194304$/,
    );
    expect(overrunText('server', { sent_pkts: 5 })).toBeNull();
  });

  it('take the growth of counters', () => {
    expect(growth({ a: 1, b: 2 }, { a: 1, b: 5, c: 3 })).toEqual({ b: 3, c: 3 });
  });

  it('compare the split with what the kernel charged', () => {
    expect(cpuAddsUp([loop()], 2).ok).toBe(true);
    expect(cpuAddsUp([loop()], 1).ok).toBe(false);
    expect(cpuAddsUp([loop({ cpu: { appNs: -1, nicNs: 0, kernelNs: 5 } })], 1).ok).toBe(false);
    expect(cpuAddsUp([], 1).ok).toBe(false);
  });

  it('compare what TCP sent and received', () => {
    expect(tcpDelivered([{ client: loop(), server: loop() }], 'write', 0).ok).toBe(true);
    expect(tcpDelivered([{ client: loop(), server: loop({ bytes: 3e9 }) }], 'write', 0).ok).toBe(false);
    expect(tcpDelivered([{ client: loop(), server: loop({ bytes: 0 }) }], 'write', 1e12).ok).toBe(false);
  });
});

it('finds the address in a GID', () => {
  expect(addressOfGid('::ffff:127.0.0.1')).toBe('127.0.0.1');
  expect(addressOfGid('::1')).toBe('::1');
});

it('writes numbers as readers want them', () => {
  expect([0.1234, 1, 12.345, 123.4, 1234.5, 1_234_567, 12_345_678].map(formatNumber)).toEqual([
    '0.123',
    '1',
    '12.3',
    '123',
    '1,230',
    '1,234,567',
    '12,300,000',
  ]);
  expect([1, 1024, 65_536, 3000, 2 ** 40].map(formatBytes)).toEqual([
    '1 B',
    '1 KiB',
    '64 KiB',
    '3,000 B',
    '1 TiB',
  ]);
  expect(formatTime(1500)).toBe('1.50 µs');
  expect([plural(1, 'packet'), plural(3, 'packet')]).toEqual(['1 packet', '3 packets']);
});
