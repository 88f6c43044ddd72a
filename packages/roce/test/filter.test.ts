import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildPacket,
  compileFilter,
  completeFilter,
  decodePacket,
  FilterError,
  filterFields,
  LinkType,
  Mark,
  packetRow,
  packetRows,
  parseFilter,
  printFilter,
  readCapture,
  valueFilter,
} from '../src/index.js';
import type { Expression, RowSource } from '../src/index.js';
import { captureBytes } from './lib/testdata.js';
import { hasTshark, tshark } from './lib/tshark.js';

const rows = packetRows(readCapture(captureBytes('rxe-verbs-and-cm.pcap')).records, { icrc: false });
const passing = (filter: string): number => rows.filter(compileFilter(filter).matches).length;

function errorOf(filter: string): FilterError {
  try {
    compileFilter(filter);
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
  throw new Error(`no error in: ${filter}`);
}

describe('a wrong filter', () => {
  /** The part that the error is about, the reason, and the remedy. */
  it.each([
    [
      'infiniband.bth.opcod == 17',
      'infiniband.bth.opcod',
      '`infiniband.bth.opcod` is not a field.',
      'Did you mean `infiniband.bth.opcode`?',
    ],
    ['udp && opcode == 17', 'opcode', '`opcode` is not a field.', 'Did you mean `infiniband.bth.opcode`?'],
    [
      'spam',
      'spam',
      '`spam` is not a field.',
      'Fields begin with infiniband, ip, ipv6, udp, tcp, eth, vlan, sll, gre, vxlan, macc, data or frame.',
    ],
    [
      'ip.geoip.city == "X"',
      'ip.geoip.city',
      'Wireshark has the field `ip.geoip.city`, but it is not supported here.',
      'Open the capture in Wireshark to use it.',
    ],
    [
      'infiniband.vendordiag.diagdata == 1',
      'infiniband.vendordiag.diagdata',
      'Wireshark has the field `infiniband.vendordiag.diagdata`, but it is not supported here.',
      /Wireshark/,
    ],
    ['arp', 'arp', 'Wireshark decodes the protocol `arp`, but it is not supported here.', /Wireshark/],
    [
      'icmpv6.type == 1',
      'icmpv6.type',
      'Wireshark decodes the protocol `icmpv6`, but it is not supported here.',
      /Wireshark/,
    ],
    ['infiniband.bth.opcode = 17', '=', '`=` is not an operator.', 'Write `==` to compare.'],
    ['ip | udp', '|', '`|` is not an operator.', 'Write `||` for “or”.'],
    [
      'ip.src == 10.0.0',
      '10.0.0',
      '`ip.src` holds an IPv4 address, but `10.0.0` is not one.',
      'Write it as `10.0.0.1` or `10.0.0.0/8`.',
    ],
    ['ip.src == 10.0.0.0/33', '10.0.0.0/33', /IPv4 address/, /10\.0\.0\.0\/8/],
    ['ipv6.src == fe80:::1', 'fe80:::1', /IPv6 address/, /fe80::1/],
    ['eth.src == 00:11:22', '00:11:22', /hardware address/, /52:54:00/],
    [
      'infiniband.bth.opcode == ack',
      'ack',
      '`infiniband.bth.opcode` holds a number, but `ack` is not one.',
      'Write it as `17` or `0x11`.',
    ],
    [
      'infiniband.bth.opcode == "RC Acknowledge"',
      '"RC Acknowledge"',
      /holds a number/,
      'Write `infiniband.bth.opcode == 17` for RC Acknowledge.',
    ],
    [
      'infiniband.bth.opcode == 256',
      '256',
      '`256` is too large: `infiniband.bth.opcode` ranges from 0 to 255.',
      /range/,
    ],
    [
      'infiniband.bth.psn == -1',
      '-1',
      '`-1` is too small: `infiniband.bth.psn` ranges from 0 to 16777215.',
      /range/,
    ],
    [
      'infiniband.immdt == 0x1234',
      '0x1234',
      '`infiniband.immdt` holds a byte string, but `0x1234` is not one.',
      'Write its bytes: `12:34`.',
    ],
    ['infiniband.bth.a == 2', '2', /holds a flag/, /true/],
    ['infiniband.bth.opcode contains 3', '3', /not a byte string or text/, /frame contains/],
    ['frame matches "a"', 'matches', /^`matches` is not supported here: a regular expression/, /contains/],
    ['infiniband.bth.psn[0] == 1', 'infiniband.bth.psn[0]', /not a byte string/, /\[0:4\]/],
    ['eth.src[x] == 1', '[x]', '`[x]` is not a range of bytes.', /\[0:4\]/],
    ['eth.src[3-1] == 01', '[3-1]', /not a range/, /first and last/],
    ['eth.src & 1', 'eth.src & 1', /not a number/, /\[0:4\]/],
    [
      '17 == infiniband.bth.opcode',
      '17',
      '`17` is a value, but a field is expected here.',
      'Write the field first: `infiniband.bth.opcode == 17`.',
    ],
    ['"text"', '"text"', /is a value/, /field first/],
    ['1 < infiniband.bth.psn < 5', '<', 'Comparisons cannot be chained.', 'Write `a < b && b < c`.'],
    ['(ip.src == 10.0.0.1', '(', 'This `(` is not closed.', 'Add `)`.'],
    ['ip)', ')', 'This `)` has no matching `(`.', /Remove/],
    ['infiniband.bth.opcode in 17', '17', 'A set in braces must follow `in`.', 'Write `in {1, 3..5}`.'],
    [
      'infiniband.bth.opcode in {17 18}',
      '18',
      '`18` is not expected here.',
      'Separate values with commas: `{1, 3..5}`.',
    ],
    ['infiniband.bth.opcode in {17', '{', 'This `{` is not closed.', 'Add `}`.'],
    ['ip.src in {10.0.0.0/8..11.0.0.0}', '10.0.0.0/8', /range of addresses/, /prefix length/],
    ['ip &&', '', 'The filter ends too early.', 'Add a field or a value.'],
    ['&& ip', '&&', /is expected here, not/, /before it/],
    ['ip udp', 'udp', '`udp` is not expected here.', /&&/],
    ['frame contains "abc', '"abc', 'This quote is not closed.', /"/],
    ['frame contains “abc”', '“', '`“` has no meaning here.', 'Use straight quotes: `"text"`.'],
    ['len(data.data) > 5', 'len', 'The function `len` is not supported here.', /data\.len/],
    ['(infiniband.bth.opcode & 1) == 1', '==', /cannot be compared/, /Remove the parentheses/],
    ['ip.src == eth.src', 'eth.src', '`ip.src` and `eth.src` hold different kinds of values.', /one kind/],
    ['frame.time_relative > 1e3', '1e3', /time in seconds/, '1.5'],
    [`${'('.repeat(200)}ip${')'.repeat(200)}`, '(', /nested more than 100 deep/, /Remove/],
  ] as [string, string, string | RegExp, string | RegExp][])('%s', (filter, part, what, cure) => {
    const error = errorOf(filter);
    expect(filter.slice(error.at, error.end)).toBe(part);
    expect(error.what).toMatch(what);
    expect(error.cure).toMatch(cure);
    if (typeof what === 'string') expect(error.what).toBe(what);
    expect(error.message).toBe(`${error.what} ${error.cure}`);
  });
});

describe('a filter', () => {
  it('that is empty lets all packets pass', () => {
    expect(passing('')).toBe(rows.length);
    expect(passing('  ')).toBe(rows.length);
  });

  it('finds comments, which pcap files do not have', () => {
    const data = buildPacket({ src: '10.0.0.1', dst: '10.0.0.2', bth: { opcode: 17, destQp: 1, psn: 1 } });
    const source: RowSource = {
      timeNs: 5n,
      linkType: LinkType.RAW,
      data,
      comments: ['first', 'duplicate ACK'],
    };
    const row = packetRow(source, 0, 5n);
    expect(compileFilter('frame.comment contains "ACK"').matches(row)).toBe(true);
    expect(compileFilter('frame.comment == "ACK"').matches(row)).toBe(false);
    expect(compileFilter('frame.comment').matches(packetRow({ ...source, comments: [] }, 0, 5n))).toBe(false);
  });

  it('tests the marks of a packet, and says what it reads', () => {
    const [row] = rows;
    const passes = (text: string, marks?: number) => compileFilter(text).matches({ ...row!, marks });
    expect(passes('vl.retransmission', Mark.retransmission)).toBe(true);
    expect(passes('vl.retransmission', Mark.copy)).toBe(false);
    expect(passes('vl.nak && !vl.arrival', Mark.rnr)).toBe(true);
    expect(passes('vl.nak')).toBe(false);
    expect(compileFilter('vl.nak || frame.len > 100').needs).toEqual({ bytes: false, marks: true });
    expect(compileFilter('!(ip.src == ip.dst)').needs).toEqual({ bytes: true, marks: false });
    expect(compileFilter('frame.cap_len < 60').needs).toEqual({ bytes: true, marks: false });
    expect(compileFilter('frame.number in {3..9}').needs).toEqual({ bytes: false, marks: false });
  });

  it('for the value of a field finds the packet that the value is from', () => {
    for (const row of rows) {
      const packet = decodePacket(row.data, row.linkType);
      for (const field of packet.layers.flatMap((layer) => layer.fields)) {
        const filter = valueFilter(field, row.data);
        expect(filter, field.name).not.toBeNull();
        if (row.index % 40 === 0)
          expect(compileFilter(filter!).matches(row), `packet ${row.index + 1}: ${filter}`).toBe(true);
      }
    }
  });

  it('can be used on packets that are cut anywhere', () => {
    const filters = [...filterFields().keys()].map((name) => compileFilter(name));
    for (const row of rows.filter((r) => r.index % 50 === 0))
      for (let length = 0; length <= row.data.length; length += 7)
        for (const { matches } of filters) matches({ ...row, data: row.data.subarray(0, length) });
  });
});

const word = fc.oneof(
  fc.constantFrom(...filterFields().keys()),
  fc.constantFrom('17', '0x11', '10.0.0.0/8', 'fe80::1', '00:11:22:33:44:55', 'true', 'nonsense'),
);
const operand = fc.record(
  {
    word: fc.oneof(
      word.map((text) => ({ text, quoted: false })),
      fc.string().map((text) => ({ text, quoted: true })),
    ),
    slices: fc.array(
      fc.record({
        offset: fc.integer({ min: -9, max: 99 }),
        length: fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    mask: fc.nat().map((n) => ({ text: String(n), quoted: false })),
  },
  { requiredKeys: ['word'] },
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    operand.map((o) => ({ kind: 'test', operand: o })),
    fc.record({
      kind: fc.constant('compare'),
      op: fc.constantFrom('==', '!=', '===', '!==', '<', '>', '<=', '>=', 'contains'),
      left: operand,
      right: operand,
    }),
    fc.record({
      kind: fc.constant('in'),
      operand,
      set: fc.array(
        fc.record(
          {
            from: word.map((text) => ({ text, quoted: false })),
            to: word.map((text) => ({ text, quoted: false })),
          },
          { requiredKeys: ['from'] },
        ),
        { minLength: 1, maxLength: 4 },
      ),
    }),
    fc.record({ kind: fc.constantFrom('and', 'or'), left: tie('tree'), right: tie('tree') }),
    fc.record({ kind: fc.constant('not'), of: tie('tree') }),
  ),
}));

/** A tree as plain JSON, without places in the text. */
const shape = (e: unknown): unknown =>
  JSON.parse(
    JSON.stringify(e, (key, value: unknown) =>
      key === 'at' ||
      key === 'end' ||
      key === 'operator' ||
      (key === 'kind' && (value === 'word' || value === 'operand'))
        ? undefined
        : value,
    ),
  );

describe('any text', () => {
  const pieces = fc
    .array(
      fc.oneof(
        word,
        fc.constantFrom(
          '==',
          '&&',
          '||',
          '!',
          '(',
          ')',
          '{',
          '}',
          '[0:4]',
          '[',
          '&',
          'in',
          '..',
          ',',
          '"',
          "'",
          '\\',
          'not',
        ),
        fc.string(),
      ),
    )
    .map((parts) => parts.join(' '));

  it('is a filter or a FilterError, and never anything else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), pieces), fc.nat(20), (text, caret) => {
        completeFilter(text, Math.min(caret, text.length));
        try {
          const { matches } = compileFilter(text);
          matches(rows[450]!);
        } catch (error) {
          expect(error).toBeInstanceOf(FilterError);
          const { at, end } = error as FilterError;
          expect(at >= 0 && at <= end && end <= text.length).toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('that is printed from a tree parses to that tree', () => {
    fc.assert(
      fc.property(tree, (e) => {
        const text = printFilter(e as Expression);
        expect(shape(parseFilter(text))).toEqual(shape(e));
        expect(printFilter(parseFilter(text))).toBe(text);
      }),
    );
  });
});

describe.skipIf(!hasTshark)('the names', () => {
  const lines = tshark('-G', 'fields')
    .split('\n')
    .map((line) => line.split('\t'));
  const known = new Set(lines.map((columns) => columns[2]!));
  it('of fields are Wireshark’s where they say so', () => {
    for (const { name, inWireshark } of filterFields().values())
      expect(known.has(name), name).toBe(inWireshark);
  });
  it('of all other fields of these protocols are known to be Wireshark’s', () => {
    const others = lines
      .filter(([kind]) => kind === 'F')
      .map((columns) => columns[2]!)
      .filter(
        (name) =>
          /^(data|eth|frame|infiniband|ip|ipv6|sll|tcp|udp|vlan)\./.test(name) && !filterFields().has(name),
      );
    expect(others.length).toBeGreaterThan(1000);
    // A newer Wireshark may have a few more.
    const unknown = others.filter((name) => !errorOf(name).what.startsWith('Wireshark has'));
    expect(unknown.length, unknown.join(' ')).toBeLessThan(others.length * 0.02);
  });
});
