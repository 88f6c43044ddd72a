// The diagnosis of answers and of single packets.
import { describe, expect, it } from 'vitest';
import { buildPacket, CNP_OPCODE, diagnoseFile, LinkType, RC, reth, writePcapng } from '../src/index.js';
import { good, ids, NAK, one, retargeted, RNR, start, unusual } from './lib/diagnosis.js';
import { Wire } from './lib/wire.js';

describe('answers', () => {
  it.each([
    [1, 'nak-invalid-request'],
    [2, 'nak-remote-access'],
    [3, 'nak-remote-operational'],
    [4, 'nak-invalid-rd'],
    [9, 'nak-reserved'],
  ])('NAK %i is %s', (code, id) => {
    const found = one(
      start()
        .write(104, 1)
        .response(RC.acknowledge, 104, NAK | code)
        .diagnose(),
      id,
    );
    expect(found).toMatchObject({ severity: 'error', packets: [7], total: 1 });
    expect(found.cure).not.toBe('');
  });

  it('RNR NAKs: one is no storm, three are, and the time that they cost is counted', () => {
    const once = good(
      start()
        .write(104, 4)
        .response(RC.acknowledge, 104, RNR | 1)
        .wait(10_000),
      104,
    );
    const single = one(once.diagnose(), 'rnr');
    expect(single).toMatchObject({ packets: [10], total: 1 });
    expect(single.text).not.toContain('storm');

    const wire = start().write(104, 4);
    for (let i = 0; i < 5; i++)
      wire
        .response(RC.acknowledge, 104, RNR | 1)
        .wait(100_000)
        .write(104, 4);
    const storm = one(wire.response(RC.acknowledge, 107).diagnose(), 'rnr');
    expect(storm.text).toMatch(/1 request of .*: 5 RNR NAKs, in 1 storm of 3 or more .* 5 in 52\d µs/);
    expect(storm.total).toBe(5);
    expect(storm.why).toContain('20 packets were sent again because of them');
    expect(ids(wire.diagnose())).not.toContain('retransmission-timeout');

    const never = start()
      .write(104, 1)
      .response(RC.acknowledge, 104, RNR | 1);
    expect(one(never.diagnose(), 'rnr').why).toContain(
      'does not show that the last refused request was accepted',
    );
  });

  it('a request without an answer is a warning only if the capture goes on', () => {
    expect(one(start().write(104, 4).diagnose(), 'unanswered')).toMatchObject({
      severity: 'note',
      packets: [9],
    });
    const wire = start().write(104, 4).wait(500_000_000);
    wire.records.push({
      ...wire.records[0]!,
      timeNs: wire.records.at(-1)!.timeNs + 500_000_000n,
      data: new Uint8Array(60),
    });
    expect(one(wire.diagnose(), 'unanswered')).toMatchObject({ severity: 'warning' });
  });
});

describe('packets', () => {
  const last = (wire: Wire) => wire.records.at(-1)!;

  it('with a wrong ICRC, cut, malformed, marked, and notifications', () => {
    const wire = start();
    expect(unusual(wire.diagnose())).toEqual([]);
    good(wire, 104);
    wire.records[5]!.data[60]! ^= 1;
    expect(one(wire.diagnose(), 'icrc')).toMatchObject({ packets: [6], severity: 'error' });

    const cut = start();
    cut.records[1] = { ...cut.records[1]!, data: cut.records[1]!.data.subarray(0, 100) };
    const sliced = diagnoseFile(
      writePcapng(
        [{ linkType: LinkType.RAW }],
        cut.records.map((r, i) => ({ ...r, originalLength: i === 1 ? 1068 : r.data.length })),
      ),
    );
    expect(one(sliced, 'cut')).toMatchObject({ packets: [2], severity: 'note' });
    expect(unusual(sliced)).toEqual([]);

    const odd = start().request(0xc4, 104, 8);
    expect(unusual(odd.diagnose())).toEqual([]);
    expect(one(odd.diagnose(), 'unknown-opcode')).toMatchObject({ packets: [6], severity: 'note' });

    const contrary = start();
    last(contrary).data = last(contrary).data.slice();
    last(contrary).data[29]! |= 0x30;
    expect(one(contrary.diagnose(), 'malformed')).toMatchObject({ packets: [5] });

    const marked = start().request(RC.writeOnly, 104, 8, [reth.bytes({ va: 0n, rkey: 1, dmaLength: 8 })], 3);
    expect(one(marked.response(RC.acknowledge, 104).diagnose(), 'ecn')).toMatchObject({ packets: [6] });

    const notified = start();
    const data = buildPacket({
      src: '10.0.0.2',
      dst: '10.0.0.1',
      bth: { opcode: CNP_OPCODE, destQp: 0x11, psn: 0 },
      payload: new Uint8Array(16),
    });
    notified.records.push({ ...last(notified), data });
    expect(one(notified.diagnose(), 'cnp')).toMatchObject({ packets: [6] });
    expect(one(notified.diagnose(), 'cnp').text).toBe(
      '10.0.0.2 QP 0x000022 sent 1 CNP to 10.0.0.1 QP 0x000011.',
    );
  });

  it('of several sizes in one connection, and of a smaller size than another connection', () => {
    const wire = start();
    wire.request(RC.sendFirst, 104, 512).request(RC.sendLast, 105, 1).response(RC.acknowledge, 105);
    expect(one(wire.diagnose(), 'mtu-mixed')).toMatchObject({ packets: [6], total: 1 });

    const two = start();
    const small = new Wire('10.0.0.1', '10.0.0.2', 256).write(9_000_000, 4);
    for (const { data } of small.records) two.records.push({ ...last(two), data: retargeted(data) });
    expect(one(two.diagnose(), 'mtu-below-path').text).toContain('sends 256 bytes per packet');
    expect(ids(start().diagnose())).not.toContain('mtu-below-path');
  });

  it('in the wrong order of times', () => {
    const wire = start();
    wire.records[2]!.timeNs -= 1_000_000n;
    expect(one(wire.diagnose(), 'time-order')).toMatchObject({ packets: [3] });
  });
});
