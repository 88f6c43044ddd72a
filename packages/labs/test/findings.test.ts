import { overRounds, type EndpointLoopResult, type TransportResult } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { cpuAddsUp } from '../src/load/cpu-seconds.js';
import { transportResult } from '../src/load/transport-result.js';
import { clientCores } from '../src/bulk/figures.js';
import { bulkAnswer } from '../src/bulk/answer.js';
import { bulkFindings } from '../src/bulk/findings.js';
import { loop } from './loop-result.js';

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

  it('are null if nothing was moved or reported', () => {
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
      operation: 'write',
      clientCores: { rdma: 1 },
    }).join(' ');
    expect(text).toContain('outside of every process');
    const bounded = { ...at('a', 1e12), cpu: { ...at('a', 1e12).cpu, processNs: 2e9 } };
    expect(cpuAddsUp([[{ client: bounded, server: bounded }]]).ok).toBe(true);
  });
});

describe('the cost of each end', () => {
  it('adds up to that of both', () => {
    const server = loop({ cpu: { appNs: 0, nicNs: 1.5e9, kernelNs: 0.6e9 } });
    const [round] = transportResult([{ client: loop(), server }], 'rdma').rounds!;
    expect(round?.cpuOfEnds).toEqual({ client: 0.475, server: 0.525 });
  });

  it('says how many cores a client kept busy', () => {
    expect(clientCores([{ client: loop(), server: loop() }])).toBeCloseTo(0.95);
    expect(clientCores([])).toBeNull();
  });
});

describe('the paragraphs', () => {
  const rdma = figures(40, 0.05, 0.3, 0.2);
  const tcp = figures(36, 0.02, 0, 0.25);
  const base = {
    together: false,
    polling: true,
    depth: 64,
    operation: 'write',
    clientCores: { rdma: 0.62, shm: 0.5 },
    rdma,
    tcp,
  } as const;
  const text = (over: Partial<Parameters<typeof bulkFindings>[0]>): string =>
    bulkFindings({ providerClass: 'user-space', ...base, ...over }).join(' ');

  it('say what a user-space device does, and promise nothing of hardware', () => {
    const said = text({});
    expect(said).toContain(
      'The kernel carries the packets of RDMA: together with NIC work it takes 90.9 % of the CPU time.',
    );
    expect(said).toContain('A hardware NIC is expected to');
    // With polling the application's share has the spin in it: it is no figure of what hardware would leave.
    expect(said).not.toMatch(/would be left|remains with a hardware NIC|would mostly stay/);
  });

  it('tell how busy a polling client was from what was measured', () => {
    expect(text({})).toContain('never sleeps. It kept 0.620 cores busy while it was measured.');
    expect(text({})).not.toContain('busy all the time');
    expect(text({ polling: false })).not.toContain('The client polls');
  });

  it('say from when to when the clocks run', () => {
    expect(text({})).toContain('until its completion is polled. TCP’s clock runs from the first write');
    expect(text({ operation: 'read' })).toContain(
      'TCP’s client only receives: it counts what has arrived, and times nothing.',
    );
    expect(text({ depth: 1 })).toContain('its latency is the round trip');
  });

  it('repeat no figure of the headline', () => {
    for (const figure of ['40 Gb/s', '36 Gb/s', '100 µs', '20,000']) expect(text({})).not.toContain(figure);
  });

  it('call one round one sample, and state no law', () => {
    expect(bulkAnswer({ providerClass: 'user-space', ...base })).toBe(
      'RDMA moved 40 Gb/s and TCP 36 Gb/s: RDMA was 1.11× as fast in this one sample. ' +
        'One GB took 0.550 s of CPU time over RDMA and 0.270 s over TCP in this one sample.',
    );
    expect(bulkFindings({ providerClass: 'user-space', ...base }).slice(0, 3)).toEqual([
      'This is one sample of each, so it does not show how much such figures vary. Measure 5 rounds or more before you draw a conclusion.',
      'RDMA took 2.04× TCP’s CPU time per GB, in this one sample.',
      'The latencies do not compare RDMA with TCP: their clocks stop at different events.',
    ]);
    for (const providerClass of ['user-space', 'kernel', 'hardware'] as const)
      expect(text({ providerClass })).not.toMatch(/must be|costs more CPU|is what RDMA is about/);
  });

  /** A result over rounds of these goodputs, each of them twice: six rounds are enough for a verdict. */
  const rounds = (...all: number[]): TransportResult =>
    overRounds(
      [...all, ...all].map((goodput) => ({
        ...figures(goodput, 0.05, 0.3, goodput / 100),
        messagesPerSecond: goodput,
      })),
      rdma.latencyUs,
    );
  const answer = (over: object): string => bulkAnswer({ providerClass: 'user-space', ...base, ...over });

  it('see a difference only where the ranges of the rounds do not overlap', () => {
    const clear = { rdma: rounds(20, 30, 22), tcp: rounds(10, 12, 19) };
    expect(text(clear)).not.toContain('one sample');
    expect(answer(clear)).toBe(
      'RDMA moved 22 Gb/s and TCP 12 Gb/s: RDMA was 1.83× as fast (medians of 6 rounds). ' +
        'One GB took 0.570 s (0.550 to 0.650) of CPU time over RDMA and 0.470 s (0.450 to 0.540) over TCP.',
    );
    expect(text(clear)).not.toContain('overlap');
    const close = { rdma: rounds(20, 30, 22), tcp: rounds(10, 12, 21) };
    expect(answer(close)).toBe(
      'No clear difference in goodput: over 6 rounds RDMA ranged from 20 to 30 Gb/s and TCP from 10 to 21 Gb/s. ' +
        'No clear difference in CPU time per GB: 0.550 to 0.650 s over RDMA and 0.450 to 0.560 s over TCP.',
    );
    expect(text(close)).toMatch(
      /^The goodput ranges of RDMA and TCP overlap\. To tell them apart, measure more rounds, or longer\./,
    );
  });

  const udp = { ...rounds(20, 30, 22), link: 'udp' } as const;
  const atShm = rounds(60, 70, 80);
  const shm = {
    ...atShm,
    link: 'shm',
    spread: { ...atShm.spread!, cpuSecondsPerGB: { min: 0.19, max: 0.21 } },
    cpuSecondsPerGB: { app: 0.01, nic: 0.187, kernel: 0.003 },
  } as const;

  it('compare each link with TCP, by its name', () => {
    const clear = { rdma: udp, shm, tcp: rounds(10, 12, 19) };
    expect(answer(clear)).toBe(
      'TCP moved 12 Gb/s, RDMA over shared memory 70 Gb/s (5.83×) and RDMA over UDP 22 Gb/s (1.83×), medians of 6 rounds. ' +
        'Bypassing the kernel took 0.200 s (0.190 to 0.210) of CPU time per GB instead of 0.570 s (0.550 to 0.650).',
    );
    expect(text(clear)).toMatch(
      /^RDMA over shared memory took 0\.426× TCP’s CPU time per GB, 0\.200 against 0\.470 s, both ends together\. RDMA over UDP took /,
    );
    const close = { rdma: udp, shm, tcp: rounds(10, 12, 21) };
    expect(answer(close)).toBe(
      'TCP moved 12 Gb/s, RDMA over shared memory 70 Gb/s (5.83×) and RDMA over UDP 22 Gb/s (no clear difference), medians of 6 rounds. ' +
        'Bypassing the kernel took 0.200 s (0.190 to 0.210) of CPU time per GB instead of 0.570 s (0.550 to 0.650).',
    );
    expect(text(close)).toMatch(
      /^Over 6 rounds RDMA over UDP ranged from 20 to 30 Gb\/s and TCP from 10 to 21 Gb\/s, which overlap\. To tell them apart, measure more rounds, or longer\. RDMA over shared/,
    );
    expect(
      answer({ rdma: { ...rdma, link: 'udp' }, shm: { ...figures(50, 0.1, 0.1, 0), link: 'shm' } }),
    ).toBe(
      'TCP moved 36 Gb/s, RDMA over shared memory 50 Gb/s (1.39×) and RDMA over UDP 40 Gb/s (1.11×) in this one sample. ' +
        'Bypassing the kernel took 0.200 s of CPU time per GB instead of 0.550 s in this one sample.',
    );
    expect(answer({ rdma: undefined, shm, tcp: undefined })).toBe(
      'RDMA over shared memory moved 70 Gb/s (60 to 80), the median of 6 rounds.',
    );
  });

  it('say what bypassing the kernel saved, from the figures of the run', () => {
    const saved =
      'Bypassing the kernel: RDMA over shared memory moved 3.18× what RDMA over UDP did, 70 Gb/s against 22 Gb/s. ' +
      'The kernel took 1.50 % of both ends’ CPU time instead of 38.6 %.';
    expect(text({ rdma: udp, shm })).toContain(saved);
    // The verdicts beside TCP have the costs, unless they state ranges.
    expect(text({ rdma: udp, shm })).not.toContain('One GB took');
    expect(text({ rdma: udp, shm, tcp: rounds(20, 31, 22) })).toContain(
      `${saved} One GB took 0.200 CPU seconds instead of 0.570.`,
    );
    expect(text({ rdma: udp, shm: { ...rounds(21, 25, 31), link: 'shm' } })).toContain(
      'Bypassing the kernel: no clear difference in goodput, 25 Gb/s against 22 Gb/s, since the ranges over the rounds overlap.',
    );
    for (const one of [{ rdma: udp }, { rdma: undefined, shm }])
      expect(text(one)).not.toContain('Bypassing the kernel');
  });

  it('speak of the link that a figure is of', () => {
    const said = text({ rdma: udp, shm });
    expect(said).toContain(
      'The kernel carries the packets of RDMA over UDP: together with NIC work it takes 91.2 % of the CPU time.',
    );
    expect(said).toContain(
      'NIC work is 93.5 % of the CPU time of RDMA over shared memory, and the kernel 1.50 %: it carries none of the packets, but schedules and wakes threads and handles page faults.',
    );
    expect(said).toContain(
      'It kept 0.620 cores busy in RDMA over UDP and 0.500 cores in RDMA over shared memory while it was measured.',
    );
    expect(text({ rdma: undefined, shm })).toContain('It kept 0.500 cores busy while it was measured.');
  });

  it('give a verdict on CPU in the same way', () => {
    const close = { rdma: rounds(20, 30, 25), tcp: rounds(25, 26, 25) };
    expect(answer(close)).toContain(
      'No clear difference in CPU time per GB: 0.550 to 0.650 s over RDMA and 0.600 to 0.610 s over TCP.',
    );
    expect(text({ ...close, shm })).toContain(
      'No clear difference in CPU time per GB: RDMA ranged from 0.550 to 0.650 s and TCP from 0.600 to 0.610 s, which overlap.',
    );
    expect(answer({ rdma: undefined, shm, tcp: rounds(10, 12, 19) })).toContain(
      'Bypassing the kernel took 0.200 s (0.190 to 0.210) of CPU time per GB instead of 0.470 s (0.450 to 0.540).',
    );
    expect(text({ rdma: rounds(40, 50, 45), tcp: rounds(10, 11, 10.5) })).toContain(
      'RDMA took 1.76× TCP’s CPU time per GB, both ends together.',
    );
  });

  it('say that bypassing the kernel saves nothing clear where the ranges overlap', () => {
    const beside = {
      rdma: { ...udp, ...rounds(20, 30, 22) },
      shm: { ...rounds(19, 25, 31), link: 'shm' as const },
    };
    expect(answer({ ...beside, tcp: rounds(10, 12, 19) })).toMatch(
      /Bypassing the kernel made no clear difference to the CPU time per GB: 0\.540 to 0\.660 s and 0\.550 to 0\.650 s\.$/,
    );
  });

  it('answer with what there is', () => {
    const of = (over: object): string =>
      bulkAnswer({ providerClass: 'user-space', ...base, rdma: undefined, tcp: undefined, ...over });
    expect(of({ rdma: rounds(20, 30, 22) })).toBe('RDMA moved 22 Gb/s (20 to 30), the median of 6 rounds.');
    expect(of({ tcp })).toBe('TCP moved 36 Gb/s in one round.');
    expect(of({})).toBe('Nothing was measured.');
  });

  it('warn where both ran at once', () => {
    expect(text({ together: true })).toContain('shared the CPU');
  });

  it('do not blame hardware or the kernel for what a library does', () => {
    expect(text({ providerClass: 'hardware' })).toContain('The NIC builds, sends, checks and places');
    expect(text({ providerClass: 'hardware' })).not.toContain('CPU does the NIC');
    expect(text({ providerClass: 'kernel', rdma: figures(10, 0.1, null, 0.9) })).toContain(
      'driver in the kernel',
    );
  });

  it('speak of one transport alone, and of none', () => {
    expect(text({ tcp: undefined, polling: false })).not.toContain('TCP');
    expect(text({ rdma: undefined })).toMatch(
      /^Goodput and latency are taken at the client.* TCP’s clock runs from/,
    );
    expect(text({ rdma: undefined, tcp: undefined })).toBe('');
  });
});
