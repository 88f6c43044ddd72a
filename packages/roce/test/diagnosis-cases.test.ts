// Captures with a known right answer: the findings, the counts, and no other finding.
import { describe, expect, it } from 'vitest';
import {
  aeth,
  buildPacket,
  diagnoseFile,
  ieth,
  LinkType,
  RC,
  reth,
  sll2,
  writePcapng,
  xrceth,
} from '../src/index.js';
import { one } from './lib/diagnosis.js';
import { expectRight, KIB } from './lib/right.js';
import {
  ack,
  answer,
  atomicAnswer,
  bothEnds,
  cnp,
  datagram,
  diagnose,
  fetchAdd,
  fileOf,
  goodBytes,
  MS,
  NAK,
  opcodeOf,
  psnOf,
  read,
  readRequest,
  readResponses,
  request,
  RNR,
  S,
  send,
  US,
  write,
  writes,
  type Sent,
} from './lib/traffic.js';

const LOSS = ['nak-sequence', 'retransmission-nak', 'gap-lost'];
const other = (t: number): Sent[] => [
  write(t, 1, 4, { qp: 0x99 }),
  ack(t + 5 * US, 1, 1, 0x1f, { qp: 0x98 }),
];
const end = (sent: readonly Sent[]): number => sent.at(-1)!.t;

describe('READs', () => {
  const TAIL = 10 * 64;
  it.each<[string, Sent[], string[], number?]>([
    ['clean', read(), []],
    [
      'the last responses lost, asked for again',
      read({ lose: [5, 6, 7], ask: 5, wait: 67 * MS }),
      ['retransmission-timeout', 'read-response-gap'],
      3,
    ],
    [
      'the last one lost',
      read({ lose: [7], ask: 7, wait: 67 * MS }),
      ['retransmission-timeout', 'read-response-gap'],
      1,
    ],
    ['all lost', read({ lose: [0, 1, 2, 3, 4, 5, 6, 7], ask: 0, wait: 67 * MS }), ['retransmission-timeout']],
    [
      'one in the middle lost',
      read({ lose: [3], ask: 3 }),
      ['retransmission-read', 'read-response-gap', 'read-response-repeated'],
      1,
    ],
    [
      'the first lost',
      read({ lose: [0], ask: 0 }),
      ['retransmission-read', 'read-response-gap', 'read-response-repeated'],
      1,
    ],
    [
      'over the wrap of PSNs',
      read({ psn: 0xfffffc, lose: [3], ask: 3 }),
      ['retransmission-read', 'read-response-gap', 'read-response-repeated'],
      1,
    ],
    [
      'captured by the responder',
      read({ ask: 5, wait: 67 * MS }),
      ['retransmission-timeout', 'read-response-repeated'],
    ],
    [
      'captured by the responder, asked at once',
      read({ ask: 3 }),
      ['retransmission-read', 'read-response-repeated'],
    ],
    ['a response that only the capture lacks', read({ lose: [3] }), ['read-response-gap'], 1],
  ])('%s', (_name, sent, found, missing) => {
    const diagnosis = diagnose(sent);
    const asked = found.some((id) => id.startsWith('retransmission'));
    const good = 8 * KIB + TAIL - (asked ? 0 : (missing ?? 0) * KIB);
    expectRight(diagnosis, { found, good, resent: asked ? 1 : 0, messages: 11 });
    expect(diagnosis.counts.messageBytes).toBe(8 * KIB + TAIL);
    if (missing) expect(one(diagnosis, 'read-response-gap').text).toContain(`${missing} packet`);
    if (found.includes('retransmission-timeout'))
      expect(one(diagnosis, 'retransmission-timeout').text).toContain('waited 67 ms in all');
  });

  it('several outstanding: the one that lacks a response and those behind it are asked for again', () => {
    const all = () => true;
    const sent = [
      ...[0, 1, 2, 3].map((k) => readRequest(k * US, 100 + 4 * k, 0, 4)),
      ...readResponses(10 * US, 100, 0, 4, all),
      ...readResponses(20 * US, 104, 0, 4, (i) => i < 2),
      ...readResponses(30 * US, 108, 0, 4, all),
      readRequest(50 * US, 104, 2, 4),
      readRequest(51 * US, 108, 0, 4),
      readRequest(52 * US, 112, 0, 4),
      ...readResponses(60 * US, 104, 2, 4, all),
      ...readResponses(70 * US, 108, 0, 4, all),
      ...readResponses(80 * US, 112, 0, 4, all),
    ];
    const diagnosis = diagnose(sent);
    expectRight(diagnosis, {
      found: ['retransmission-read', 'read-response-gap', 'read-response-repeated'],
      good: 16 * KIB,
      resent: 3,
      messages: 4,
    });
    expect(one(diagnosis, 'read-response-gap').text).toContain('2 packets');
    expect(one(diagnosis, 'read-response-repeated').total).toBe(4);
  });

  it.each([true, false])('several outstanding, and the second request is lost (captured: %s)', (captured) => {
    const all = () => true;
    const sent = [
      readRequest(0, 100, 0, 4),
      ...(captured ? [readRequest(US, 104, 0, 4)] : []),
      readRequest(2 * US, 108, 0, 4),
      ...readResponses(10 * US, 100, 0, 4, all),
      ack(20 * US, 104, 1, NAK),
      readRequest(30 * US, 104, 0, 4),
      readRequest(31 * US, 108, 0, 4),
      ...readResponses(40 * US, 104, 0, 4, all),
      ...readResponses(50 * US, 108, 0, 4, all),
    ];
    // Only the responses show that the first READ has 4 of them.
    expectRight(diagnose(sent), {
      found: ['nak-sequence', 'retransmission-nak', ...(captured ? [] : ['gap-lost'])],
      good: 12 * KIB,
      missing: captured ? 0 : 4,
      resent: 2,
      messages: 3,
    });
    if (!captured) expect(one(diagnose(sent), 'gap-lost').text).toContain('1 packet from');
  });

  it('an atomic whose answer is lost is a timeout', () => {
    const sent = [
      ...[0, 1, 2, 3].flatMap((k) => [
        fetchAdd(k * 20 * US, 10 + k),
        atomicAnswer(k * 20 * US + 5 * US, 10 + k, k + 1),
      ]),
      fetchAdd(100 * US, 14),
      fetchAdd(67 * MS, 14),
      atomicAnswer(67 * MS + 5 * US, 14, 5),
    ];
    expectRight(diagnose(sent), {
      found: ['retransmission-timeout'],
      good: 0,
      resent: 1,
      messages: 5,
    });
  });
});

describe('an atomic that is asked for again though its answer was captured', () => {
  const going = (t: number): Sent[] => [0, 1, 2, 3].map((k) => send(t + k * US, 109 + k));

  it('may be because of a NAK that answers and a later NAK crossed', () => {
    const sent = [
      ...writes({ packets: 8 }),
      fetchAdd(100 * US, 108),
      ack(105 * US, 108, 2, NAK),
      atomicAnswer(106 * US, 108, 3),
      ...going(107 * US).filter((each) => psnOf(each) !== 110),
      ack(111 * US, 110, 4, NAK),
      fetchAdd(112 * US, 108),
      ...going(113 * US),
      ack(120 * US, 112, 7),
    ];
    expectRight(diagnose(sent), {
      found: ['nak-sequence', 'retransmission-unexplained', 'gap-lost'],
      good: 8 * KIB + 4 * 64,
      missing: 1,
      resent: 5,
    });
  });

  it('is doubtful where an ACK from before says that it is missing', () => {
    const covered = (t: number) => ack(t, 112, 9);
    const sent = [send(0, 107), covered(US), send(2 * US, 108), send(3 * US, 109), send(4 * US, 110)];
    sent.push(fetchAdd(5 * US, 111), covered(6 * US), fetchAdd(7 * US, 111), send(8 * US, 112));
    expectRight(diagnose(sent), {
      found: ['doubtful'],
      good: 5 * 64,
      resent: 1,
    });
  });

  it('may be because of a NAK from before the capture', () => {
    const sent = [
      send(0, 112),
      atomicAnswer(US, 108, 3),
      ack(2 * US, 111, 6),
      fetchAdd(3 * US, 108),
      ...going(4 * US),
      atomicAnswer(9 * US, 108, 6),
      ack(10 * US, 112, 7),
    ];

    const found = ['retransmission-before', 'read-response-repeated'];
    expectRight(diagnose(sent), { found, good: 4 * 64, resent: 5 });
  });
});

it('answers to what was sent before the capture and again in it are matched', () => {
  const sent = [send(0, 120), ...[0, 1, 2, 3, 4].map((k) => send(67 * MS + k * US, 110 + k))];
  const t = 67 * MS + 10 * US;
  sent.push(ack(t, 110, 3), ack(t + US, 111, 4), ack(t + 2 * US, 112, 4, NAK));
  sent.push(
    ...Array.from({ length: 9 }, (_, k) => send(t + (3 + k) * US, 112 + k)),
    ack(t + 20 * US, 120, 13),
  );
  const diagnosis = diagnose(sent);
  expectRight(diagnosis, {
    found: ['retransmission-before', 'nak-sequence', 'retransmission-nak'],
    good: 11 * 64,
    resent: 14,
  });
  expect(one(diagnosis, 'retransmission-nak').packets).toEqual([10]);
});

describe('captures of both ends', () => {
  it.each([true, false])('count each packet once (direction in the file: %s)', (flags) => {
    const clean = diagnose(bothEnds(writes(), { flags }));
    expectRight(clean, { found: [], good: 40 * KIB, messages: 10 });
    expect(clean.counts.copies).toBe(50);
  });

  it.each([true, false])('tell where a packet was lost (direction in the file: %s)', (flags) => {
    const sent = writes({ packets: 80, lose: [21] });
    const at = sent.findIndex((each) => psnOf(each) === 122);
    const lost = request(sent[at]!.t - 5 * US, { opcode: RC.writeMiddle, psn: 121, payload: KIB });
    const all = sent.toSpliced(at, 0, lost);
    const diagnosis = diagnose(
      bothEnds(all, { flags, only: (each) => (each === lost ? { arrived: false } : {}) }),
    );
    expectRight(diagnosis, {
      found: ['nak-sequence', 'retransmission-nak'],
      good: 80 * KIB,
      resent: 7,
      messages: 20,
    });
    expect(diagnosis.counts).toMatchObject({ naks: 1, copies: 107 });
  });

  it('of which one ends halfway count what the other holds', () => {
    const sent = writes({ packets: 80, lose: [61] });
    const half = Math.floor(sent.length / 2);
    const diagnosis = diagnose(bothEnds(sent, { flags: true, only: (_, i) => ({ left: i < half }) }));
    expectRight(diagnosis, { found: LOSS, good: 80 * KIB, missing: 1, resent: 7, messages: 20 });
    expect(diagnosis.counts).toMatchObject({ naks: 1, copies: half });
  });

  it.each([2 * US, 200 * US])(
    'of which one misses packets take them from the other, %i ns later',
    (delay) => {
      const diagnosis = diagnose(
        bothEnds(writes(), { flags: true, delay, only: (_, i) => ({ left: i !== 12 && i !== 30 }) }),
      );
      expect(diagnosis.findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
      expect(goodBytes(diagnosis)).toBe(40 * KIB);
      expect(diagnosis.counts.copies).toBe(48);
    },
  );

  it.each([10 * US, 300 * US, -300 * US, MS])(
    'whose clocks are %i ns apart say so, and no cause',
    (apart) => {
      const sent = writes({ packets: 80, lose: [21] });
      const at = sent.findIndex((each) => psnOf(each) === 122);
      const lost = request(sent[at]!.t - 5 * US, { opcode: RC.writeMiddle, psn: 121, payload: KIB });
      const captured = bothEnds(sent.toSpliced(at, 0, lost), {
        only: (each) => (each === lost ? { arrived: false } : {}),
      }).map((each) => ({ ...each, t: each.t + 2 * MS + (each.interfaceId === 1 ? apart : 0) }));
      const diagnosis = diagnose(captured.sort((x, y) => x.t - y.t));
      expectRight(diagnosis, { found: ['clocks-apart', 'nak-sequence'], good: 80 * KIB, messages: 20 });
      const [, n, unit] = /about ([\d.]+) (µs|ms)/.exec(one(diagnosis, 'clocks-apart').text)!;
      expect(Number(n) * (unit === 'ms' ? MS : US)).toBeCloseTo(Math.abs(apart), -4);
    },
  );

  it('whose flags alternate hold nothing twice', () => {
    const sent = writes({ packets: 12 }).map((each, i) => ({
      ...each,
      direction: i % 2 ? ('in' as const) : ('out' as const),
    }));
    const diagnosis = diagnose(sent);
    expectRight(diagnosis, { found: [], good: 12 * KIB, messages: 3 });
    expect(diagnosis.counts.copies).toBe(0);
  });

  it('with the packet type of a cooked capture count each packet once', () => {
    const cooked = bothEnds(writes({ packets: 80, lose: [21] }), { flags: true }).map(
      ({ t, data, interfaceId = 0, direction }) => ({
        timeNs: BigInt(t),
        linkType: LinkType.LINUX_SLL2,
        data: Uint8Array.from([
          ...sll2.bytes({
            protocol: 0x800,
            reserved: 0,
            interfaceIndex: interfaceId + 2,
            hardwareType: 1,
            packetType: direction === 'out' ? 4 : 0,
            addressLength: 6,
            address: new Uint8Array(8),
          }),
          ...data,
        ]),
      }),
    );
    const diagnosis = diagnoseFile(writePcapng([{ linkType: LinkType.LINUX_SLL2 }], cooked));
    expectRight(diagnosis, { found: LOSS, good: 80 * KIB, missing: 1, resent: 7, messages: 20 });
    expect(diagnosis.counts.copies).toBe(107);
  });
});

describe('answers', () => {
  it.each([
    [1, 'nak-invalid-request', 'IBV_WC_REM_INV_REQ_ERR'],
    [2, 'nak-remote-access', 'IBV_WC_REM_ACCESS_ERR'],
    [3, 'nak-remote-operational', 'IBV_WC_REM_OP_ERR'],
  ])('NAK %i is the answer of what it refuses', (code, id, status) => {
    const sent = writes({ packets: 20 });
    const t = end(sent);
    sent.push(write(t + 5 * US, 120), ack(t + 10 * US, 120, 5, NAK | code));
    for (const capture of [sent, [...sent, ...other(t + 2 * S)]]) {
      const diagnosis = diagnose(capture);
      const good = 20 * KIB + 64 + (capture === sent ? 0 : 4);
      expectRight(diagnosis, { found: [id], good, refused: 1, messages: capture === sent ? 5 : 6 });
      expect(one(diagnosis, id).cure).toContain(status);
    }
  });

  it('RNR NAKs until the requester gives up are one, too', () => {
    const sent = writes({ packets: 20 });
    let t = end(sent);
    for (let i = 0; i < 4; i++, t += 700 * US)
      sent.push(send(t + 5 * US, 120), ack(t + 10 * US, 120, 5, RNR | 12));
    const diagnosis = diagnose([...sent, ...other(t + 2 * S)]);
    expectRight(diagnosis, { found: ['rnr'], good: 20 * KIB + 68, resent: 3, refused: 1, messages: 6 });
    expect(one(diagnosis, 'rnr').why).toContain('IBV_WC_RNR_RETRY_EXC_ERR');
  });

  it('RNR NAKs with timer 0 get the advice to shorten it', () => {
    const sent = [0, 1, 2].flatMap((i) => [send(i * 656 * MS, 50), ack(i * 656 * MS + 5 * US, 50, 0, RNR)]);
    sent.push(send(3 * 656 * MS, 50), ack(3 * 656 * MS + 5 * US, 50, 1));
    const diagnosis = diagnose(sent);
    expectRight(diagnosis, { found: ['rnr'], good: 64, resent: 3, messages: 1 });
    expect(one(diagnosis, 'rnr').cure).toContain('655.36 ms');
    expect(one(diagnosis, 'rnr').cure).not.toContain('larger min_rnr_timer');
  });

  it('a NAK that nobody answers by sending again is said', () => {
    const sent = writes({ packets: 20 });
    const t = end(sent);
    sent.push(send(t + 5 * US, 121), ack(t + 10 * US, 120, 5, NAK), ...other(t + S));
    const diagnosis = diagnose(sent);
    expect(one(diagnosis, 'unanswered').text).toContain('asked with a NAK');
  });

  it('that are cut before the syndrome say nothing about the cause', () => {
    const diagnosis = diagnose(writes({ packets: 80, lose: [61] }), 40);
    expectRight(diagnosis, {
      found: ['retransmission-cut', 'gap-resent'],
      good: 80 * KIB,
      missing: 1,
      resent: 7,
    });
    expect(diagnosis.counts).toMatchObject({ acks: 0, naks: 0 });
    expect(one(diagnosis, 'cut').why).toContain('what tells an ACK from a NAK');
    expect(one(diagnose(writes(), 60), 'cut').why).toContain('Headers are there');
  });

  it('with MSN 0 acknowledge what was not carried out', () => {
    const sent = [send(0, 0, 12), ack(10 * US, 0, 0), send(MS, 1, 12), ack(MS + 10 * US, 1, 1)];
    const diagnosis = diagnose(sent);
    expectRight(diagnosis, { found: ['ack-not-executed'], good: 24, messages: 2 });
    expect(one(diagnosis, 'ack-not-executed')).toMatchObject({ packets: [2], total: 1 });
    // A single ACK with MSN 0 may be that of message 2^24, unless the connection begins with it.
    const wrapped = [send(0, 500, 12), ack(10 * US, 500, 0), send(MS, 501, 12), ack(MS + 10 * US, 501, 1)];
    expectRight(diagnose(wrapped), { found: ['msn-zero'], good: 24, messages: 2 });
    const twice = [send(0, 500, 12), ack(10 * US, 500, 0), send(MS, 501, 12), ack(MS + 10 * US, 501, 0)];
    expectRight(diagnose(twice), { found: ['ack-not-executed'], good: 24, messages: 2 });
    // The MSN wraps, too.
    expectRight(diagnose(writes({ msn: 0xfffffa, psn: 0xffffe0 }).slice(3)), { found: [], good: 37 * KIB });
  });

  it('that stand before their requests are matched all the same', () => {
    const sent = writes();
    const early = Array.from({ length: 10 }, (_, k) => sent.slice(5 * k, 5 * k + 5)).flatMap((five) => [
      five[4]!,
      ...five.slice(0, 4),
    ]);
    for (const capture of [
      early,
      sent
        .map((each) => (each.by === 'b' ? { ...each, t: each.t - 30 * US } : each))
        .sort((x, y) => x.t - y.t),
    ]) {
      const diagnosis = diagnose(capture);
      expectRight(diagnosis, { found: [], good: 40 * KIB, messages: 10 });
      expect(diagnosis.connections).toMatchObject([{ matched: 'psn' }]);
    }
    expect(diagnose(early).durationNs).toBe(end(sent) - sent[0]!.t);
  });
});

describe('losses', () => {
  it.each([
    ['in the middle', {}],
    ['with PSNs that wrap', { psn: 0xffffe0, msn: 0xfffffa }],
    ['over XRC', { transport: 'XRC' as const }],
  ])('with a NAK, %s', (_name, more) => {
    const diagnosis = diagnose(writes({ packets: 80, lose: [41], ...more }));
    expectRight(diagnosis, { found: LOSS, good: 80 * KIB, missing: 1, resent: 7, messages: 20 });
  });

  it('with a timeout, though later packets were captured', () => {
    const diagnosis = diagnose(writes({ lose: [37], timeout: 67 * MS }));
    expectRight(diagnosis, {
      found: ['retransmission-timeout', 'gap-resent'],
      good: 40 * KIB,
      missing: 1,
      resent: 3,
    });
    expect(one(diagnosis, 'retransmission-timeout').why).toContain('2 later packets were captured');
    expect(one(diagnosis, 'retransmission-timeout').why).not.toContain('no later one follows');
  });

  it('because of a wrong ICRC name that packet', () => {
    const sent = writes({ lose: [13] });
    const at = sent.findIndex((each) => psnOf(each) === 114);
    const { data } = request(0, { opcode: RC.writeMiddle, psn: 113, payload: KIB });
    data[data.length - 1]! ^= 1;
    const diagnosis = diagnose(sent.toSpliced(at, 0, { t: sent[at]!.t - 2 * US, by: 'a', data }));
    expectRight(diagnosis, {
      found: ['icrc', 'nak-sequence', 'retransmission-nak', 'gap-icrc'],
      good: 40 * KIB,
      resent: 7,
    });
    expect(one(diagnosis, 'retransmission-nak').why).toContain(`with a wrong ICRC (packet ${at + 1})`);
    expect(one(diagnosis, 'retransmission-nak').cure).not.toContain('PFC');
  });

  it('before the capture began have no cause in it', () => {
    const sent = writes({ packets: 80, lose: [21] });
    const nak = sent.findIndex(({ by, data }) => by === 'b' && data[40]! >> 5 === 3);
    const diagnosis = diagnose(sent.slice(nak + 1));
    expectRight(diagnosis, { found: ['retransmission-before'], good: 59 * KIB, resent: 7, missing: 0 });
  });

  it('of which a NAK tells while another packet is only late: each NAK is answered', () => {
    const t = (k: number) => MS + k * US;
    const sent = [
      ...writes({ packets: 8 }),
      ...[send(t(0), 108), send(t(1), 110), send(t(2), 111), ack(t(2), 109, 3, NAK), send(t(3), 109)],
      send(t(4), 112),
      ack(t(5), 110, 4, NAK),
      ...[109, 110, 111, 112].map((psn, k) => send(t(6 + k), psn)),
      ack(t(10), 109, 4),
      ...[110, 111, 112].map((psn, k) => send(t(11 + k), psn)),
      ack(t(14), 112, 7),
    ];
    const diagnosis = diagnose(sent);
    expectRight(diagnosis, {
      found: ['nak-sequence', 'reordered', 'retransmission-nak'],
      good: 8 * KIB + 5 * 64,
      missing: 1,
      resent: 8,
    });
    expect(one(diagnosis, 'reordered').packets).toEqual([15]);
    expect(one(diagnosis, 'retransmission-nak').packets).toEqual([18, 23]);
  });

  it('answered by a run of which the network copies one packet are one run', () => {
    const t = (k: number) => MS + k * US;
    const sent = [
      ...writes({ packets: 8 }),
      ...[108, 110, 111, 112, 113].map((psn, k) => send(t(k), psn)),
      ack(t(5), 109, 3, NAK),
      ...[109, 110, 111, 110, 112, 113].map((psn, k) => send(t(6 + k), psn)),
      ack(t(12), 113, 8),
    ];
    const diagnosis = diagnose(sent);
    expectRight(diagnosis, {
      found: ['nak-sequence', 'retransmission-nak', 'duplicated', 'gap-lost'],
      good: 8 * KIB + 6 * 64,
      missing: 1,
      resent: 6,
    });
    expect(one(diagnosis, 'duplicated').packets).toEqual([20]);
    expect(one(diagnosis, 'retransmission-nak').packets).toEqual([17]);
  });

  it('of the packet before the first captured one are asked for by a NAK in the capture', () => {
    const sent = writes({ packets: 80, lose: [21] });
    const nak = sent.findIndex(({ by, data }) => by === 'b' && data[40]! >> 5 === 3);
    const diagnosis = diagnose(sent.slice(nak - 2));
    expectRight(diagnosis, { found: ['nak-sequence', 'retransmission-nak'], good: 59 * KIB, resent: 7 });
  });

  it('of ACKs are no losses of requests', () => {
    const sent = writes({ packets: 20 });
    const again = sent.slice(-5).map((each) => ({ ...each, t: each.t + 67 * MS }));
    expectRight(diagnose([...sent, ...again]), {
      found: ['retransmission-lost-ack'],
      good: 20 * KIB,
      resent: 4,
      messages: 5,
    });
  });

  it('without captured answers have no cause', () => {
    const diagnosis = diagnose(writes({ packets: 80, lose: [21] }).filter(({ by }) => by === 'a'));
    expectRight(diagnosis, {
      found: ['retransmission-one-way', 'gap-resent'],
      good: 80 * KIB,
      missing: 1,
      resent: 7,
    });
  });

  it('with UC are final, and nothing is said about ACKs', () => {
    const diagnosis = diagnose(writes({ transport: 'UC', message: 1, lose: [10, 20] }));
    expectRight(diagnosis, { found: ['uc-gap'], good: 38 * KIB, missing: 2 });
    expect(one(diagnosis, 'uc-gap').text).toContain('UC does not repeat');
    expect(diagnosis.findings.map(({ id }) => id)).not.toContain('unmatched');
  });

  it('of datagrams show in the PSNs of their QP', () => {
    const sent = Array.from({ length: 100 }, (_, i) => datagram(i * 5 * US, i)).filter(
      (_, i) => ![10, 50, 51].includes(i),
    );
    const diagnosis = diagnose(sent);
    expectRight(diagnosis, { found: ['ud-gap'], good: 97 * 256 });
    expect(one(diagnosis, 'ud-gap').text).toContain('3 PSNs');
    // Two destinations share the PSNs of their sender.
    const two = Array.from({ length: 100 }, (_, i) => datagram(i * 5 * US, i, i % 2 ? 0x22 : 0x33));
    expectRight(diagnose(two), { found: [], good: 100 * 256 });
  });
});

describe('a QP number that is used again', () => {
  it.each([-256, 0, 20, 1000, -70_000])('with PSNs that begin %i further is a new connection', (offset) => {
    const first = writes({ psn: 0x300000 });
    const diagnosis = diagnose([...first, ...writes({ psn: 0x300000 + offset, t: 10 * S })]);
    const found = Math.abs(offset) > 65_536 ? [] : ['qp-reused'];
    expectRight(diagnosis, { found, good: 80 * KIB, messages: 20 });
  });
});

describe('a QP number that is used again after one message', () => {
  it.each([-256, 20, 1000])('with PSNs that begin %i further is a new connection', (offset) => {
    const first = writes({ psn: 0x300000, packets: 4 });
    const diagnosis = diagnose([...first, ...writes({ psn: 0x300000 + offset, packets: 4, t: 10 * S })]);
    expectRight(diagnosis, { found: ['qp-reused'], good: 8 * KIB, messages: 2 });
  });
});

it('an atomic that is answered again with its MSN of then is no new connection', () => {
  const sent = [
    ...[0, 1, 2, 3].flatMap((k) => [
      fetchAdd(k * 20 * US, 10 + k),
      atomicAnswer(k * 20 * US + 5 * US, 10 + k, k + 1),
    ]),
    fetchAdd(67 * MS, 12),
    fetchAdd(67 * MS + US, 13),
    atomicAnswer(67 * MS + 5 * US, 12, 1),
    atomicAnswer(67 * MS + 6 * US, 13, 2),
  ];
  expect(diagnose(sent).findings.map(({ id }) => id)).not.toContain('qp-reused');
});

it('RNR NAKs that come before their flow is matched count', () => {
  // Two connections with the same PSNs: the answers fit both until one of them goes on alone.
  const other = { qp: 0x33 };
  const sent = [send(0, 100), send(US, 100, 64, other), ack(2 * US, 100, 0, RNR | 1)];
  sent.push(send(30 * US, 100));
  for (let k = 0; k < 40; k++) {
    const t = 50 * US + k * 10 * US;
    if (k > 0) sent.push(send(t, 100 + k));
    sent.push(ack(t + 5 * US, 100 + k, k + 1));
  }
  const diagnosis = diagnose(sent);
  expect(diagnosis.connections.filter(({ matched }) => matched === 'psn')).toHaveLength(1);
  expect(one(diagnosis, 'rnr')).toMatchObject({ packets: [3], total: 1 });
});

describe('opcodes', () => {
  it('of XRC are decoded, and answered like those of RC', () => {
    const srq = xrceth.bytes({ reserved: 0, srq: 0x55 });
    const region = reth.bytes({ va: 64n, rkey: 9, dmaLength: 8 });
    const msn = (n: number) => aeth.bytes({ syndrome: 0x1f, msn: n });
    const diagnosis = diagnose([
      request(0, { opcode: 0xa4, psn: 7, headers: [srq], payload: 8 }),
      answer(US, { opcode: 0xb1, psn: 7, headers: [msn(1)] }),
      request(2 * US, { opcode: 0xaa, psn: 8, headers: [srq, region], payload: 8 }),
      answer(3 * US, { opcode: 0xb1, psn: 8, headers: [msn(2)] }),
      request(4 * US, { opcode: 0xac, psn: 9, headers: [srq, region] }),
      answer(5 * US, { opcode: 0xb0, psn: 9, headers: [msn(3)], payload: 8 }),
    ]);
    expectRight(diagnosis, { found: [], good: 24, messages: 3 });
    expect(diagnosis.connections).toMatchObject([{ transport: 'XRC', matched: 'psn' }]);
  });

  it('of manufacturers are neither malformed nor missing', () => {
    const diagnosis = diagnose([
      send(0, 3),
      request(US, { opcode: 0xc4, psn: 4, payload: 16 }),
      request(2 * US, { opcode: 0xff, psn: 5, payload: 8 }),
      request(3 * US, {
        opcode: RC.sendOnlyInvalidate,
        psn: 6,
        headers: [ieth.bytes({ rkey: 0x99 })],
        payload: 4,
      }),
      ack(4 * US, 6, 4),
    ]);
    expectRight(diagnosis, { found: ['unknown-opcode'], good: 68, messages: 2 });
    expect(one(diagnosis, 'unknown-opcode')).toMatchObject({ packets: [2, 3], severity: 'note' });
  });
});

describe('congestion', () => {
  const marks = (answered: boolean) =>
    Array.from({ length: 200 }, (_, i) => [
      write(i * 10 * US, 100 + i, KIB, { ecn: i % 3 === 0 ? 3 : 2 }),
      ack(i * 10 * US + 5 * US, 100 + i, i + 1),
      ...(answered && i % 20 === 0 ? [cnp(i * 10 * US + 6 * US)] : []),
    ]).flat();

  it('without CNPs is said, and with them their rate', () => {
    const silent = one(diagnose(marks(false)), 'ecn');
    expect(silent.text).toContain('67 packets');
    expect(silent.text).toContain('no CNP answers them');
    const answered = diagnose(marks(true));
    expect(one(answered, 'ecn').why).toContain('10 CNPs, one for 7 marks');
    expect(one(answered, 'cnp').text).toContain(
      '10 CNPs to 10.0.0.1 QP 0x000011 in 1.8 ms, 5,000 per second',
    );
  });

  it('of many senders to one host is one finding', () => {
    const sent = Array.from({ length: 40 }, (_, i) =>
      Array.from({ length: 64 }, (_, h): Sent[] => {
        const host = `10.1.0.${h + 1}`;
        const t = i * 10 * US + h * 100;
        return [
          write(t, i, KIB, { host, qp: 0x100 + h, ecn: i % 3 === 0 ? 3 : 2 }),
          ack(t + 4 * US, i, i + 1, 0x1f, { peer: host, qp: 0x200 + h }),
        ];
      }).flat(),
    ).flat();
    const diagnosis = diagnose(sent.sort((x, y) => x.t - y.t));
    expect(one(diagnosis, 'incast').text).toBe(
      '64 senders to 10.0.0.2, 35 % of their packets marked, together 53.8 Gb/s: incast.',
    );
    expect(diagnosis.findings.map(({ id }) => id)).not.toContain('ecn');
  });
});

it('packets of the builders have the fields that the tests look for', () => {
  const [first] = writes();
  expect([opcodeOf(first!), psnOf(first!)]).toEqual([RC.writeFirst, 100]);
  expect(fileOf([first!]).length).toBeGreaterThan(
    buildPacket({ src: '1.1.1.1', dst: '1.1.1.2', bth: { opcode: 4, destQp: 1, psn: 1 } }).length,
  );
});
