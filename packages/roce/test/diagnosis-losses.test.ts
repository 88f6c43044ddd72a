// The diagnosis of packets that were lost, sent again, late or duplicated.
import { describe, expect, it } from 'vitest';
import { buildPacket, diagnoseFile, LinkType, RC, reth, writePcapng } from '../src/index.js';
import { good, ids, one, start, unusual } from './lib/diagnosis.js';
import { expectRight, KIB, LOSS } from './lib/right.js';
import {
  ack,
  datagram,
  diagnose,
  fileOf,
  MS,
  NAK,
  opcodeOf,
  psnOf,
  request,
  send,
  US,
  writes,
} from './lib/traffic.js';
import { Wire } from './lib/wire.js';

describe('retransmissions', () => {
  it('after a NAK: the tail is told from what was asked for, and the place of the loss from the capture', () => {
    // 105 is lost before the capture. 106 and 107 are sent again behind it.
    const before = good(
      start()
        .write(104, 4, (k) => k !== 1)
        .response(RC.acknowledge, 105, NAK),
      105,
    );
    const found = one(before.diagnose(), 'retransmission-nak');
    expect(found).toMatchObject({ packets: [10], total: 1, connection: 0, severity: 'warning' });
    expect(found.text).toContain(
      'went back once because of a sequence NAK: 3 packets were sent again, 2 of them',
    );
    expect(found.text).toContain('the capture held 2 of these already');
    expect(found.why).toContain('does not hold the packet from before');
    expect(one(before.diagnose(), 'nak-sequence')).toMatchObject({ packets: [9], total: 1 });
    expect(one(before.diagnose(), 'gap-lost')).toMatchObject({ packets: [7], total: 1 });

    const after = good(start().write(104, 4).response(RC.acknowledge, 105, NAK), 105);
    expect(one(after.diagnose(), 'retransmission-nak').why).toContain(
      'it was lost, overtaken or dropped after the place of capture',
    );
    expect(ids(after.diagnose())).not.toContain('gap-lost');
  });

  it('after a timeout: silence, its length, and no NAK', () => {
    const wire = start().write(104, 4).wait(67_000_000).write(104, 4).response(RC.acknowledge, 107);
    const diagnosis = wire.diagnose();
    const found = one(diagnosis, 'retransmission-timeout');
    expect(found).toMatchObject({ packets: [10], total: 1 });
    expect(found.text).toMatch(/ran into a timeout once and waited 67 ms in all, 67 ms at most: 4 packets/);
    expect(found.why).toContain('No NAK in the capture asked for it');
    expect(unusual(diagnosis)).toEqual(['retransmission-timeout']);
  });

  it('after a timeout although a NAK had asked', () => {
    const wire = start()
      .write(104, 4)
      .response(RC.acknowledge, 104, NAK)
      .wait(67_000_000)
      .write(104, 4)
      .response(RC.acknowledge, 107);
    expect(one(wire.diagnose(), 'retransmission-timeout').why).toContain(
      'A NAK in the capture had asked for it',
    );
  });

  it('of what the capture shows as acknowledged: a lost ACK', () => {
    const wire = good(start().write(104, 4).response(RC.acknowledge, 107).wait(67_000_000), 104);
    const diagnosis = wire.diagnose();
    expect(one(diagnosis, 'retransmission-lost-ack')).toMatchObject({ packets: [11], total: 1 });
    expect(unusual(diagnosis)).toEqual(['retransmission-lost-ack']);
  });

  it('where no answers were captured: no cause is claimed', () => {
    const wire = new Wire().write(100, 4).wait(67_000_000).write(100, 4);
    const diagnosis = wire.diagnose();
    expect(one(diagnosis, 'retransmission-one-way').why).toContain('cannot tell a NAK from a timeout');
    expect(ids(diagnosis)).toEqual(['retransmission-one-way', 'mtu', 'unmatched']);
    expect(diagnosis.connections[0]).toMatchObject({
      matched: 'no',
      ends: [{ ip: '10.0.0.1' }, { qpn: 0x22 }],
    });
  });

  it('without silence or NAK: no timeout is claimed', () => {
    const wire = good(
      start()
        .write(104, 4, (k) => k !== 1)
        .write(105, 2),
      107,
    );
    expect(unusual(wire.diagnose())).toContain('retransmission-unexplained');
    expect(unusual(wire.diagnose())).not.toContain('retransmission-timeout');
  });
});

describe('order and copies', () => {
  it('a packet that comes late without being asked for is reordering', () => {
    const wire = start();
    wire.write(104, 4, (k) => k !== 1 && k !== 3);
    wire.write(104, 4, (k) => k === 1).write(104, 4, (k) => k === 3);
    good(wire.response(RC.acknowledge, 107), 108);
    const diagnosis = wire.diagnose();
    expect(one(diagnosis, 'reordered')).toMatchObject({ packets: [8], total: 1 });
    expect(unusual(diagnosis)).toEqual(['reordered']);
  });

  it('a late packet that a NAK crossed is reordering if the NAK is answered later', () => {
    const wire = start().write(104, 4, (k) => k !== 1 && k !== 3);
    wire
      .response(RC.acknowledge, 105, NAK)
      .write(104, 4, (k) => k === 1)
      .write(104, 4, (k) => k === 3);
    wire.write(104, 4, (k) => k > 0).response(RC.acknowledge, 107);
    const diagnosis = wire.diagnose();
    expect(one(diagnosis, 'reordered')).toMatchObject({ packets: [9], total: 1 });
    expect(one(diagnosis, 'retransmission-nak')).toMatchObject({ packets: [11], total: 1 });
  });

  it('a packet twice in a row is a duplicate, and most packets twice are the capture', () => {
    const wire = start()
      .write(104, 4)
      .write(104, 4, (k) => k === 3);
    for (let psn = 108; psn < 140; psn += 4) good(wire, psn);
    const some = wire.diagnose();
    expect(one(some, 'duplicated')).toMatchObject({ packets: [10], total: 1, severity: 'warning' });
    expect(unusual(some)).toEqual(['duplicated']);

    const twice = start();
    twice.records.splice(0, twice.records.length, ...twice.records.flatMap((r) => [r, r]));
    const all = twice.diagnose();
    expect(one(all, 'duplicated')).toMatchObject({ total: 4, severity: 'note' });
    expect(unusual(all)).toEqual([]);
  });

  it('a packet captured as it leaves and as it arrives counts once', () => {
    const wire = start();
    const records = wire.records.flatMap((r) => [
      { ...r, direction: 'out' as const },
      { ...r, direction: 'in' as const },
    ]);
    const diagnosis = diagnoseFile(writePcapng([{ linkType: LinkType.RAW }], records));
    expect(one(diagnosis, 'both-ends').total).toBe(5);
    expect(unusual(diagnosis)).toEqual([]);
    expect(diagnosis.connections[0]!.from[0]).toMatchObject({ packets: 4, goodBytes: 4096 });
  });
});

describe('gaps', () => {
  it('that the receiver acknowledges are the capture’s', () => {
    const wire = start()
      .write(104, 4, (k) => k !== 1)
      .response(RC.acknowledge, 107);
    const diagnosis = wire.diagnose();
    expect(one(diagnosis, 'gap-uncaptured')).toMatchObject({ packets: [7], severity: 'note' });
    expect(unusual(diagnosis)).toEqual([]);
  });

  it('of which nothing more is known are left open', () => {
    const diagnosis = start()
      .write(104, 4, (k) => k !== 1)
      .diagnose();
    expect(one(diagnosis, 'gap-open')).toMatchObject({ packets: [7], severity: 'note' });
  });

  it('at the end show by the ACK', () => {
    const diagnosis = start().write(104, 4).uncaptured(2).response(RC.acknowledge, 107).diagnose();
    expect(one(diagnosis, 'ack-of-unseen')).toMatchObject({ packets: [8] });
    expect(one(diagnosis, 'ack-of-unseen').text).toContain('acknowledged 2 PSNs');
  });

  it('in the response to a READ', () => {
    const read = (wire: Wire, psn: number) =>
      wire.request(RC.readRequest, psn, 0, [reth.bytes({ va: 0n, rkey: 1, dmaLength: 3072 })]);
    const respond = (wire: Wire, psn: number, only = (_k: number) => true) => {
      [RC.readResponseFirst, RC.readResponseMiddle, RC.readResponseLast].forEach((opcode, k) => {
        if (only(k)) wire.response(opcode, psn + k, 0x1f, 1024);
      });
      return wire;
    };
    const clean = respond(read(respond(read(start(), 104), 104), 107), 107);
    expect(unusual(clean.diagnose())).toEqual([]);
    const gap = respond(read(respond(read(start(), 104), 104), 107), 107, (k) => k !== 1);
    expect(one(gap.diagnose(), 'read-response-gap')).toMatchObject({ packets: [12], total: 1 });
    const again = respond(read(clean.wait(67_000_000), 107), 107);
    expect(one(again.diagnose(), 'read-response-repeated').total).toBe(3);
    // All responses were captured before, so the missing ones were lost behind the place of capture.
    expect(one(again.diagnose(), 'retransmission-timeout').why).toContain(
      'that was lost after the place of capture',
    );
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

it('packets of the builders have the fields that the tests look for', () => {
  const [first] = writes();
  expect([opcodeOf(first!), psnOf(first!)]).toEqual([RC.writeFirst, 100]);
  expect(fileOf([first!]).length).toBeGreaterThan(
    buildPacket({ src: '1.1.1.1', dst: '1.1.1.2', bth: { opcode: 4, destQp: 1, psn: 1 } }).length,
  );
});
