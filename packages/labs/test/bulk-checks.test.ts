import { type EndpointLoopResult } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { cpuAddsUp } from '../src/load/cpu-seconds.js';
import {
  completionsMatch,
  growth,
  packetsConform,
  recovered,
  tcpDelivered,
  withinDepth,
} from '../src/bulk/checks.js';
import { overrunText } from '../src/bulk/findings.js';
import { addressOfGid } from '../src/endpoints/verbs.js';
import { formatBytes, formatDigits, formatNumber, formatTime, plural } from '../src/base/format.js';
import { loop } from './loop-result.js';

describe('checks', () => {
  const whole = (signaled: number, completions: number) =>
    loop({ whole: { signaled, completions, sentBytes: null, receivedBytes: null } });

  it('count the completions of all signaled requests, those outside of the measured time too', () => {
    expect(completionsMatch([{ client: loop(), server: loop() }])).toEqual({
      id: 'completions',
      ok: true,
      detail:
        '4,012 signaled work requests made 4,012 completions: 4,000 in the measured time, 12 in the warm-up or after the time was over.',
    });
    expect(completionsMatch([{ client: whole(4012, 4009), server: loop() }])).toMatchObject({
      ok: false,
      detail: '4,012 signaled work requests made 4,009 completions.',
    });
    // An extra completion in one round does not make up for a missing one in another.
    const rounds = [whole(10, 11), whole(10, 9)].map((client) => ({ client, server: loop() }));
    expect(completionsMatch(rounds).ok).toBe(false);
    expect(completionsMatch([{ client: whole(0, 0), server: loop() }]).ok).toBe(false);
  });

  it('compare the most outstanding requests of all rounds with the depth', () => {
    const rounds = (...counts: number[]) =>
      counts.map((mostOutstanding) => {
        const { whole } = loop();
        return { client: loop({ whole: { ...whole!, mostOutstanding } }), server: loop() };
      });
    expect(withinDepth(rounds(48, 64, 60), 64)).toEqual({
      id: 'outstanding',
      ok: true,
      detail:
        'At most 64 work requests were outstanding at a time: posted, and their completion not yet polled. Depth is 64.',
    });
    expect(withinDepth(rounds(64, 65), 64).ok).toBe(false);
    expect(withinDepth(rounds(0), 64).ok).toBe(false);
    const older = {
      client: loop({ whole: { ...loop().whole!, mostOutstanding: undefined } }),
      server: loop(),
    };
    expect(withinDepth([older, ...rounds(64)], 64)).toMatchObject({
      ok: false,
      detail: expect.stringContaining('older agent') as string,
    });
  });

  it('fail when much had to be repaired, and tell how much', () => {
    const pair = [{ client: loop(), server: loop() }];
    const good = { sent_pkts: 1000, retransmitted_pkts: 10, local_ack_timeout_err: 0 };
    expect(recovered(pair, good, { sent_pkts: 20, retransmitted_pkts: 0 }).ok).toBe(true);
    const bad = recovered(pair, { sent_pkts: 1000, retransmitted_pkts: 50 }, {});
    expect(bad).toMatchObject({
      ok: false,
      detail: expect.stringContaining('50 of 1,000 packets retransmitted') as string,
    });
    expect(recovered(pair, { retry_exceeded_err: 1 }, {}).ok).toBe(false);
    // A device may count each packet out of order, or the gaps, and the requester counts the NAKs for the same.
    const gaps = { out_of_sequence: 7, out_of_seq_request: 2, duplicate_request: 1 };
    const counted = { sent_pkts: 9000, rcvd_seq_err: 2, retransmitted_pkts: 0, local_ack_timeout_err: 0 };
    expect(recovered(pair, counted, gaps).detail).toBe(
      '0 of 9,000 packets retransmitted, 0 timeouts, 8 duplicate or out-of-order, 0 requests failed.',
    );
    const noReceives = {
      ...good,
      sent_pkts: 100,
      retransmitted_pkts: 9,
      rnr_nak_retry_err: 3,
      rcvd_rnr_err: 3,
    };
    expect(recovered(pair, noReceives, { send_rnr_err: 3, out_of_sequence: 6 })).toEqual({
      id: 'recovery',
      ok: false,
      detail:
        '9 of 100 packets retransmitted, 0 timeouts, 3 RNR NAKs, 6 duplicate or out-of-order, 0 requests failed.',
    });
    expect(recovered(pair, null, null).detail).toContain('no counters');
  });

  it('take no go-back for a packet where a device counts only those', () => {
    const pair = [{ client: loop(), server: loop() }];
    // The kernel's rxe.
    const rxe = (goBacks: number) =>
      recovered(pair, { sent_pkts: 1000, completer_retry_err: goBacks, rcvd_seq_err: goBacks }, {});
    expect(rxe(0)).toEqual({
      id: 'recovery',
      ok: true,
      detail:
        '0 go-backs in 1,000 packets (this device does not count the packets that they retransmit), 0 duplicate or out-of-order, 0 requests failed.',
    });
    expect(rxe(3)).toMatchObject({ ok: true, applies: false });
    expect(rxe(50)).toMatchObject({ ok: false });
    // A NIC that counts timeouts and NAKs, and no packets.
    const nic = { local_ack_timeout_err: 1, packet_seq_err: 2, retry_exceeded_err: 0 };
    expect(recovered(pair, nic, nic)).toMatchObject({
      applies: false,
      detail: expect.stringMatching(/^6 go-backs \(.*2 timeouts, 4 duplicate/) as string,
    });
    expect(recovered(pair, { ...nic, retry_exceeded_err: 1 }, {})).not.toHaveProperty('applies');
  });

  it('judge no packets when the capture ended within the first message, and say how many one has', () => {
    const summary = (opcode: number, psn: number) =>
      ({ direction: 'sent', opcode, destQpn: 1, psn, ackReq: false, payload: 4096, icrcOk: true }) as const;
    const list = Array.from({ length: 16 }, (_, psn) => summary(psn === 0 ? 0x06 : 0x07, psn));
    const report = { packets: 16, dropped: 247, opcodes: { 6: 1, 7: 15 }, badIcrc: 0, malformed: 0, list };
    const captured = { operation: 'write', mtu: 4096, messages: 1, messageBytes: 1 << 20 } as const;
    expect(packetsConform({ ...captured, report })).toEqual({
      id: 'packets',
      ok: true,
      applies: false,
      detail:
        'No message was captured whole: one of 1 MiB has 256 packets at the path MTU of 4096 B, and 16 were captured. ' +
        'Capture more packets, or choose a smaller message.',
    });
    // The packets lack nothing but the end of the message.
    expect(packetsConform({ ...captured, report: { ...report, dropped: 0 } }).ok).toBe(false);
    const nak = { ...summary(0x11, 3), direction: 'received', syndrome: 0x60 } as const;
    expect(packetsConform({ ...captured, report: { ...report, list: [...list, nak] } }).ok).toBe(false);
  });

  it('say when the receive buffer was too small, and what to do', () => {
    expect(overrunText('server', { udp_receive_overruns: 17_235 })).toMatch(
      /^17,235 datagrams .* at the server .*rmem_max=4194304$/,
    );
    expect(overrunText('server', { sent_pkts: 5 })).toBeNull();
  });

  it('take the growth of counters', () => {
    expect(growth({ a: 1, b: 2 }, { a: 1, b: 5, c: 3 })).toEqual({ a: 0, b: 3, c: 3 });
  });

  const measured = (cpu: Partial<EndpointLoopResult['cpu']> = {}) => {
    const one = loop({ cpu: { ...loop().cpu, ...cpu } });
    return [{ client: one, server: one }];
  };

  it('compare the split with what the kernel charged over the same time', () => {
    expect(cpuAddsUp([measured()]).ok).toBe(true);
    expect(cpuAddsUp([measured({ appNs: -1 })]).ok).toBe(false);
    expect(cpuAddsUp([[]]).ok).toBe(false);
    // Counted too much by a third: no warm-up and no start of the process makes room for it.
    expect(cpuAddsUp([measured({ appNs: 1.6e9 })]).ok).toBe(false);
  });

  it('add up what two transports spent in the same processes at once', () => {
    const both = [measured({ processNs: 3.9e9 }), measured({ processNs: 3.85e9 })];
    expect(cpuAddsUp(both, true)).toMatchObject({
      ok: true,
      detail: expect.stringContaining('7.80 s') as string,
    });
    expect(cpuAddsUp([measured({ processNs: 2.9e9 }), measured({ processNs: 2.9e9 })], true).ok).toBe(false);
    // The second loop began 0.4 s of CPU time after the first, and ended as much later.
    const late = [
      measured({ processNs: 3.5e9, processAtNs: 7e9 }),
      measured({ processNs: 3.5e9, processAtNs: 7.4e9 }),
    ];
    expect(cpuAddsUp(late, true)).toMatchObject({
      ok: true,
      detail: expect.stringContaining('7.80 s') as string,
    });
  });

  it('compare what TCP wrote and read, to the byte', () => {
    expect(tcpDelivered([{ client: loop(), server: loop() }], 'write')).toMatchObject({
      ok: true,
      detail: 'The client wrote 5,000,000,000 bytes, warm-up included, and the server read all of them.',
    });
    const less = loop({ whole: { ...loop().whole!, receivedBytes: 5e9 - 1 } });
    expect(tcpDelivered([{ client: loop(), server: less }], 'write').ok).toBe(false);
  });

  it('say so where an older agent does not count', () => {
    const old = loop({ whole: undefined });
    const pair = [{ client: old, server: old }];
    for (const { ok, detail } of [completionsMatch(pair), tcpDelivered(pair, 'write')])
      expect([ok, detail]).toEqual([false, expect.stringContaining('older agent')]);
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
    '12,345,678',
  ]);
  // A PSN, an immediate, a count at the limit of what a number holds, a rate, and more than a number holds.
  expect([0xff_ffff, 0x12345678, 2 ** 53 - 1, 12_345_678.5, 2 ** 64].map(formatNumber)).toEqual([
    '16,777,215',
    '305,419,896',
    '9,007,199,254,740,991',
    '12,300,000',
    '18,400,000,000,000,000,000',
  ]);
  // No digit is lost of what is small, none is added by a carry, and none is rounded twice.
  expect([1e-9, 0.000042484, 0.9996, 9.996].map(formatNumber)).toEqual([
    '0.00000000100',
    '0.0000425',
    '1.00',
    '10.0',
  ]);
  expect([0, -12_345_678, 99.96].map((value) => formatDigits(value, 2))).toEqual(['0', '-12,345,678', '100']);
  expect([1, 1024, 65_536, 3000, 2 ** 40].map(formatBytes)).toEqual([
    '1 B',
    '1 KiB',
    '64 KiB',
    '3,000 B',
    '1 TiB',
  ]);
  expect(formatTime(1500)).toBe('1.50 µs');
  // The unit of the rounded figure, as the page writes it.
  expect(formatTime(999_600)).toBe('1.00 ms');
  expect(formatTime(999_400)).toBe('999 µs');
  expect(formatTime(999.9)).toBe('1.00 µs');
  expect(formatTime(7.2e12)).toBe('7,200 s');
  expect([plural(1, 'packet'), plural(3, 'packet')]).toEqual(['1 packet', '3 packets']);
});
