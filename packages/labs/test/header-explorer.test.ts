import { AppError, BadEdit } from '@verbslab/protocol';
import { bth, buildPacket, checkIcrc, decodePacket, LinkType, RC, reth } from '@verbslab/roce';
import { describe, expect, it } from 'vitest';
import { findLab } from '../src/index.js';
import { alter } from '../src/header-explorer/alter.js';
import { parseEdits } from '../src/header-explorer/edit.js';
import { FIXED, fits } from '../src/header-explorer/edits.js';
import { editableOf, PACKETS } from '../src/header-explorer/fields.js';
import type { Observed } from '../src/header-explorer/verdict.js';

const IP_UDP = 28;
const packet = buildPacket({
  src: '192.0.2.1',
  dst: '192.0.2.2',
  bth: { opcode: RC.writeOnly, destQp: 0x1234, psn: 0 },
  headers: [reth.bytes({ va: 0x1000n, rkey: 7, dmaLength: 64 })],
  payload: new Uint8Array(64).fill(1),
});
const altered = (edit: string) => alter(packet, parseEdits(edit, 'write'), editableOf('write'));
/** The packet with the IP and UDP headers that the receiver’s kernel would see. */
function whole({ bytes }: { bytes: Uint8Array }): Uint8Array {
  const out = new Uint8Array(IP_UDP + bytes.length);
  out.set(packet.subarray(0, IP_UDP));
  out.set(bytes, IP_UDP);
  const view = new DataView(out.buffer);
  view.setUint16(2, out.length);
  view.setUint16(24, out.length - 20);
  return out;
}
const icrcOf = (bytes: Uint8Array) => checkIcrc(bytes, 0, IP_UDP, bytes.length).status;

describe('an edited packet', () => {
  it('without edits is the captured one', () => {
    expect(Buffer.from(whole(altered('')))).toEqual(Buffer.from(packet));
  });

  it('differs in the edited fields and the ICRC, which is right', () => {
    const bytes = whole(altered('bth.psn=-1; RETH.RKEY=^0x100, payload.first=0xff'));
    expect(bth.parse(bytes, IP_UDP)).toMatchObject({ psn: 0xff_ffff, destQp: 0x1234, opcode: RC.writeOnly });
    expect(reth.parse(bytes, IP_UDP + 12)).toEqual({ va: 0x1000n, rkey: 0x107, dmaLength: 64 });
    expect(bytes[IP_UDP + 28]).toBe(0xff);
    expect(icrcOf(bytes)).toBe('ok');
  });

  it('has the length that was asked for', () => {
    for (const length of [0, 61, 1024]) {
      const bytes = whole(altered(`payload.length=${length}`));
      expect(bytes.length).toBe(packet.length - 64 + length);
      expect(icrcOf(bytes)).toBe('ok');
    }
  });

  it('has a wrong ICRC only if the ICRC is edited', () => {
    expect(icrcOf(whole(altered('icrc.value=^1')))).toBe('bad');
    // FECN and BECN are outside of it.
    const { before, after } = altered('bth.fecn=1; bth.becn=1').values.get('icrc.value')!;
    expect(after).toBe(before);
  });

  it('keeps every other field', () => {
    const { values } = altered('reth.va=+64');
    const moved = [...values].filter(([, { before, after }]) => before !== after).map(([name]) => name);
    expect(moved).toEqual(['reth.va', 'icrc.value']);
    expect(decodePacket(whole(altered('reth.va=+64')), LinkType.RAW).error).toBeUndefined();
  });
});

describe('the parameter', () => {
  const lab = findLab('header-explorer');
  const refused = (edit: string, kind = 'write'): string => {
    try {
      lab.parse({ edit, packet: kind });
    } catch (error) {
      if (error instanceof AppError) return error.info.message;
      throw error;
    }
    return '';
  };

  it('is refused with the range of the field, or with the fields that there are', () => {
    expect(refused('bth.psn=16777216')).toContain('bth.psn takes 0 to 16777215');
    expect(refused('bth.padCount=4')).toContain('bth.padCount takes 0 to 3');
    expect(refused('reth.rkey=0x100000000')).toContain('0x00000000 to 0xffffffff');
    expect(refused('reth.rkey=0', 'send')).toContain('A SEND has no field reth.rkey');
    expect(refused('psn')).toContain('Write field=value');
    expect(refused(Array.from({ length: 33 }, () => 'bth.psn=1').join(';'))).toContain('The limit is 32');
    expect(refused('')).toBe('');
  });

  it('takes the smallest and the largest value of every field, and not one more', () => {
    for (const kind of PACKETS)
      for (const { name, max } of editableOf(kind)) {
        expect(parseEdits(`${name}=0; ${name}=${max}`, kind)).toHaveLength(2);
        expect(() => parseEdits(`${name}=${BigInt(max) + 1n}`, kind)).toThrow(BadEdit);
      }
  });
});

describe('what became of a packet', () => {
  const expected = (edit: string) => FIXED.find((one) => one.edit === edit)!.expected;
  const ACK: Observed['answer'] = {
    ...{ t: 0, direction: 'received', opcode: RC.acknowledge, psn: 1, destQpn: 1 },
    ...{ ackReq: false, payload: 0, icrcOk: true, syndrome: 0x1f },
  };
  const seen = (one: ReturnType<typeof expected>, answer: Observed['answer']): Observed => ({
    ...{ verdict: one.verdict, counter: one.counter ?? null, counters: [], answer },
    ...{ memory: one.memory, status: one.status },
  });

  it.each([
    ['a duplicate', 'bth.psn=-1', ACK],
    ['a dropped packet', 'bth.destQp=^1', null],
    ['an executed packet', '', ACK],
  ])('fits with %s only if the right answer came', (_, edit, right) => {
    const one = expected(edit);
    expect(fits(one, seen(one, right))).toBe(true);
    expect(fits(one, seen(one, right === null ? ACK : null))).toBe(false);
  });
});
