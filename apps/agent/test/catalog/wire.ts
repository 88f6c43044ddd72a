/** Rows A10, B3, D1, D4 and D6 of what the labs must show. */
import { expect } from 'vitest';
import type { Facts } from './found.js';

/** `4 of WRITE`: First, Middle, Middle, Last; with 1, Only. */
function parts(name: string, count: number): string {
  if (count === 1) return `${name} Only`;
  const middles =
    count === 2 ? '' : count === 3 ? `${name} Middle, ` : `${String(count - 2)} ${name} Middle, `;
  return `${name} First, ${middles}${name} Last`;
}

const segmentation: Facts = {
  holds: ({ curves, figures, outcomes, rows }) => {
    const messages = rows('messages');
    expect(
      messages.map(({ operation, size, counted, packets, psns }) => [
        operation,
        size,
        counted,
        packets,
        psns,
      ]),
    ).toEqual(
      [
        [4096, 4],
        [1000, 1],
        [0, 1],
        [1025, 2],
      ].flatMap(([size, count]) =>
        ['SEND', 'WRITE', 'READ'].map((operation) => [
          operation,
          size,
          count,
          parts(operation === 'READ' ? 'READ response' : operation, count!),
          count,
        ]),
      ),
    );
    expect(figures).toMatchObject({
      'path-mtu': 1024,
      'read-responses': 4,
      'read-psns': 4,
      'empty-packets': 1,
    });
    const shares = rows('shares') as Record<string, number | string>[];
    for (const { predicted, bytes } of shares) expect(bytes).toBe(predicted);
    const write = shares.filter(({ operation }) => operation === 'WRITE');
    // IP 20 + UDP 8 + BTH 12 + ICRC 4 for each packet, and one RETH of 16.
    expect(write.map(({ mtu, packets, bytes }) => [mtu, packets, bytes])).toEqual(
      [256, 512, 1024, 2048, 4096].map((mtu) => [mtu, 65_536 / mtu, 65_536 + (65_536 / mtu) * 44 + 16]),
    );
    // 82 B around each Middle packet.
    const formula = curves.payload!.filter(({ series }) => series === 'formula');
    expect(formula.map(({ y }) => y!.toFixed(1))).toEqual(['75.7', '86.2', '92.6', '96.2', '98.0']);
    expect(figures['share-smallest']).toBeCloseTo(75.7, 1);
    expect(figures['share-largest']).toBeCloseTo(98.0, 1);
    expect(outcomes).toEqual({ empty: 'one', 'read-psns': 'responses' });
  },
};

const acknowledgments: Facts = {
  params: { repeat: 1 },
  holds: ({ curves, figures, outcomes, rows }) => {
    const windows = rows('windows') as Record<string, number>[];
    expect(windows.map(({ window, writes, packets }) => [window, writes, packets])).toEqual(
      [1, 2, 4, 8, 16, 32, 64].map((window) => [window, 64, 64]),
    );
    for (const { window, acks, requested } of windows) {
      expect(acks).toBeLessThanOrEqual(requested!);
      expect(acks).toBeGreaterThanOrEqual(64 / window!);
    }
    expect(figures).toMatchObject({ 'alone-acks': 64, 'read-acks': 0, 'long-packets': 256 });
    expect(figures['long-acks']).toBeLessThanOrEqual(figures['long-requested']!);
    // 7 × 64 WRITEs of one packet and 256 more.
    expect(figures).toMatchObject({ 'before-wrap': 20, 'last-psn': 7 * 64 + 256 - 20 - 1 });
    expect(rows('wrap').map(({ psn }) => psn)).toEqual([
      '16,777,213',
      '16,777,214',
      '16,777,215',
      '0',
      '1',
      '2',
    ]);
    // The message counts only in the last one.
    expect(rows('answers').at(-1)).toMatchObject({ msn: 7 * 64 + 1 });
    for (const { msn } of rows('answers').slice(0, -1)) expect(msn).toBe(7 * 64);
    expect(curves.acks).toHaveLength(7);
    expect(outcomes).toEqual({ wrap: 'zero', read: 'response' });
  },
};

/** Counters of rxe, without link_downed: the device reports that as an event. */
const RXE = [
  ...['sent_pkts', 'rcvd_pkts', 'duplicate_request', 'out_of_seq_request', 'rcvd_rnr_err', 'send_rnr_err'],
  ...['rcvd_seq_err', 'ack_deferred', 'retry_exceeded_err', 'retry_rnr_exceeded_err', 'completer_retry_err'],
  ...['send_err', 'rdma_sends', 'rdma_recvs'],
];
const MLX5 = [
  ...[
    'np_ecn_marked_roce_packets',
    'np_cnp_sent',
    'rp_cnp_handled',
    'out_of_sequence',
    'packet_seq_err',
    'local_ack_timeout_err',
  ],
  ...['rnr_nak_retry_err', 'implied_nak_seq_err'],
];

const hwCounters: Facts = {
  holds: ({ figures, outcomes, rows }) => {
    const moves = rows('moves') as Record<string, number | string>[];
    const moved = new Set(moves.filter(({ measured }) => Number(measured) > 0).map(({ counter }) => counter));
    expect([...moved]).toEqual(expect.arrayContaining([...RXE, ...MLX5]));
    for (const { counter, origin, meaning, predicted, measured } of moves) {
      expect(/\brxe\b/.test(String(origin)), String(counter)).toBe(RXE.includes(String(counter)));
      if (MLX5.includes(String(counter))) expect(origin, String(counter)).toMatch(/\bmlx5\b/);
      expect(meaning, String(counter)).not.toBe('');
      expect(measured, String(counter)).toBe(predicted);
    }
    for (const { expected, status } of rows('experiments')) expect(status).toBe(expected);
    expect(figures).toMatchObject({ moved: moved.size, timeouts: 3, ahead: 3, gaps: 1 });
    expect(figures).toMatchObject({ 'rnr-sent': 3, 'rnr-received': 3, cnps: 1, 'datagram-cnps': 0 });
    expect(figures.deferred).toBeGreaterThan(0);
    expect(outcomes).toEqual({ rnr: 'both' });
  },
};

const encapsulations: Facts = {
  holds: ({ figures, outcomes, rows }) => {
    expect(figures).toEqual({ infiniband: 74, 'roce-v1': 122, 'roce-v2': 110, iwarp: 110 });
    expect(outcomes).toEqual({ largest: 'roce-v1' });
    const headers = rows('headers');
    const of = (kind: string): unknown[] =>
      headers.filter((row) => row.kind === kind).map((row) => row.header);
    expect(of('InfiniBand')).toEqual(['LRH', 'BTH', 'RETH', 'Payload', 'ICRC', 'VCRC']);
    expect(of('RoCE v1')).toEqual(['Ethernet', 'GRH', 'BTH', 'RETH', 'Payload', 'ICRC', 'FCS']);
    expect(of('RoCE v2')).toEqual(['Ethernet', 'IPv4', 'UDP', 'BTH', 'RETH', 'Payload', 'ICRC', 'FCS']);
    expect(of('iWARP')).toEqual([
      ...['Ethernet', 'IPv4', 'TCP', 'MPA length', 'DDP and RDMAP', 'Payload', 'MPA CRC', 'FCS'],
    ]);
    for (const { size, bytes } of headers) expect((bytes as string).split(' ')).toHaveLength(size as number);
    // The transport is the same in three of them.
    for (const header of ['BTH', 'RETH', 'Payload']) {
      const bytes = headers.filter((row) => row.header === header).map((row) => row.bytes);
      expect(new Set(bytes).size).toBe(1);
    }
    expect(rows('pause')).toHaveLength(2);
  },
};

const headerExplorer: Facts = {
  holds: ({ figures, outcomes, rows }) => {
    expect(figures).toEqual({ sent: 28, dropped: 8, refused: 10, executed: 9, harmless: 8 });
    expect(outcomes).toEqual({ behind: 'ack', qpn: 'silence', forged: 'written' });
    const told = Object.fromEntries(
      rows('edits').map(({ edit, verdict, counters, answer, memory, status }): [string, string] => [
        String(edit),
        [verdict, counters, answer, memory, status].join(' | '),
      ]),
    );
    const [none, there] = ['unchanged', '64 B at offset 1024'];
    expect(told).toMatchObject({
      none: `Executed | none | ACK | ${there} | 0 SUCCESS`,
      'bth.psn=+1': `Refused | out_of_sequence, naks_sent | 0x60 NAK: PSN sequence error | ${none} | none`,
      'bth.psn=-1': `Duplicate | duplicate_request | ACK | ${none} | none`,
      'bth.destQp=^1': `Dropped | unknown_qp_pkts | none | ${none} | none`,
      'bth.pkey=1': `Dropped | wrong_pkey_pkts | none | ${none} | none`,
      'bth.version=1': `Dropped | malformed_pkts | none | ${none} | none`,
      'bth.padCount=3': `Refused | naks_sent | 0x61 NAK: Invalid request | ${none} | 9 REM_INV_REQ_ERR`,
      'bth.ackReq=0': `Executed | none | none | ${there} | none`,
      'reth.rkey=^0x100': `Refused | naks_sent | 0x62 NAK: Remote access error | ${none} | 10 REM_ACCESS_ERR`,
      'reth.va=+64': 'Executed | none | ACK | 64 B at offset 1088 | 0 SUCCESS',
      'icrc.value=^1': `Dropped | icrc_errors | none | ${none} | none`,
    });
    expect(rows('own-fields').filter(({ edited }) => edited === 'yes')).toMatchObject([{ field: 'bth.psn' }]);
  },
};

const STAGES = [
  ...['Build the WR', 'Post the WR', 'First packet', 'Other packets', 'To the server'],
  ...['Execute and answer', 'ACK', 'Write the CQE', 'CQE waits', 'Return from ibv_poll_cq'],
];

const writeStages: Facts = {
  params: { writes: 100 },
  holds: ({ figures, of, outcomes, rows }) => {
    expect(rows('stages').map(({ stage }) => stage)).toEqual(STAGES);
    expect(rows('nic').map(({ stage }) => stage)).toEqual(STAGES);
    const stages = rows('stages') as Record<string, number>[];
    for (const { n, p90, p99 } of stages) {
      expect(n).toBe(100);
      expect(p90).toBeGreaterThanOrEqual(0);
      expect(p99).toBeNull();
    }
    const total = (column: string): number => stages.reduce((sum, row) => sum + row[column]!, 0);
    expect(total('share')).toBeCloseTo(100, 6);
    expect(total('mean')).toBeCloseTo(figures.mean!, 6);
    // 20 are a warm-up.
    const stamped = of('wr', 'client');
    expect(stamped).toHaveLength(20 + 100);
    for (const { posted, acked, cqe } of stamped) expect(acked! - posted > 0 && cqe === acked).toBe(true);
    expect(figures.round).toBeLessThan(figures.whole!);
    expect(figures['clock-error']).toBe(0);
    expect(outcomes.cqe).toBe('ack');
  },
};

export const WIRE: Record<string, Facts> = {
  'header-explorer': headerExplorer,
  'write-stages': writeStages,
  segmentation,
  acknowledgments,
  'hw-counters': hwCounters,
  encapsulations,
};
