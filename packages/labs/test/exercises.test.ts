import { describe, expect, it } from 'vitest';
import { LABS } from '../src/index.js';
import {
  answerText,
  drawExercise,
  EXERCISES,
  findExercise,
  judge,
  newWorksheet,
  readWorksheet,
  rightCount,
  withNumbers,
  WORKSHEET_VERSION,
  worksheetMarkdown,
  type Field,
  type WorksheetItem,
} from '../src/exercises/catalog.js';
import { ipv6Groups } from '../src/exercises/answers.js';
import { seeded } from '../src/base/random.js';

const answersOf = (id: string, numbers: Record<string, number>) =>
  Object.fromEntries(withNumbers(findExercise(id)!, numbers).fields.map((one) => [one.id, one.answer]));

/** The figures of the sources: ../shared reference rows in brackets. */
const GOLDEN: [string, string, Record<string, number>, Record<string, number | string>][] = [
  ['C4 A', 'translation-table', { gib: 1 }, { pages: 262_144, table: 2_097_152 }],
  ['C4', 'translation-table', { gib: 16 }, { pages: 4_194_304, table: 33_554_432 }],
  ['C4 A', 'translation-cache', { mib: 1 }, { small: 536_870_912 }],
  ['C5 F3', 'unaligned-buffer', { pages: 1, offset: 64 }, { pinned: 2 }],
  ['A8', 'region-cache', { kinds: 4, iterations: 40 }, { misses: 4, hits: 36 }],
  [
    'C4 B',
    'queue-memory',
    { send: 128, receive: 128, completions: 192 },
    { sq: 8192, rq: 4096, qp: 12_288, cq: 6144 },
  ],
  [
    'A4',
    'bulk-counts',
    { mib: 1024, chunk: 4, signal: 16, mtu: 1024 },
    { requests: 256, completions: 16, packets: 1_048_576 },
  ],
  [
    'C4 C',
    'fill-in-write',
    {
      ...{ local: 0x7f0000000000, remote: 0x7f0010000000, length: 4096, lkey: 0x1234, rkey: 0x5678 },
      ...{ ownRkey: 0xa000, peerLkey: 0xc000 },
    },
    {
      addr: 0x7f0000000000,
      length: 4096,
      lkey: 0x1234,
      sges: 1,
      opcode: 'write',
      flags: 'signaled',
      raddr: 0x7f0010000000,
      rkey: 0x5678,
    },
  ],
  [
    'A1',
    'private-data',
    { addr: 0x7f0000000000, rkey: 0x1234 },
    { bytes: '00 00 7f 00 00 00 00 00 00 00 12 34' },
  ],
  ['C4 D', 'latency-model', { call: 5, copy: 10, change: 10 }, { rdma: 6, sockets: 55 }],
  ['C4 D', 'latency-model', { call: 7.5, copy: 20, change: 20 }, { rdma: 6, sockets: 100 }],
  ['C11', 'datagram-buffer', { bytes: 64 }, { size: 104, offset: 40, length: 104 }],
  ['D4', 'segments', { bytes: 4096, mtu: 1024 }, { packets: 4, middle: 2, last: 1024 }],
  ['D4', 'segments', { bytes: 1000, mtu: 1024 }, { packets: 1, middle: 0, last: 1000 }],
  ['D4', 'path-mtu', { ethernet: 1500 }, { mtu: 1024 }],
  [
    'C4',
    'link-local',
    { a: 0x70, b: 0x66, c: 0x55, d: 0xb1, e: 0x9a, f: 0x8d },
    { gid: 'fe80::7266:55ff:feb1:9a8d' },
  ],
  ['D2', 'mapped', { a: 10, b: 0, c: 0, d: 1 }, { gid: '::ffff:10.0.0.1' }],
  ['D8', 'all-to-all', { hosts: 8 }, { pairwise: 7, rounds: 3, blocks: 12 }],
  ['D8', 'packets-per-message', { hosts: 4 }, { packets: 24 }],
];

describe('the figures of the sources', () => {
  it.each(GOLDEN)('%s: %s', (_, id, numbers, answers) => {
    expect(answersOf(id, numbers)).toMatchObject(answers);
  });

  it('C4: PSNs repeat after 0.859 s at 19.53 million packets a second', () => {
    const { rate, time } = answersOf('psn-wrap', { gbps: 40, bytes: 256 });
    expect(rate).toBeCloseTo(19.53, 2);
    expect(time).toBeCloseTo(0.859, 3);
  });

  it('C4 D: sockets take 9.2 and 16.7 times as long by the model', () => {
    expect(answersOf('latency-model', { call: 5, copy: 10, change: 10 }).ratio).toBeCloseTo(9.2, 1);
    expect(answersOf('latency-model', { call: 7.5, copy: 20, change: 20 }).ratio).toBeCloseTo(16.7, 1);
  });

  it('D7: min_rnr_timer 0 waits 655 ms', () => {
    expect(answersOf('rnr-wait', { timer: 0, retries: 1 })).toMatchObject({ time: 0.65536, status: 13 });
  });
});

describe('every exercise', () => {
  it.each(EXERCISES.map((one) => [one.id, one] as const))('%s can be solved with any numbers', (_, spec) => {
    for (let seed = 0; seed < 300; seed++) {
      const drawn = drawExercise(spec, seed);
      const said = [drawn.text, ...drawn.worked, ...drawn.fields.map(answerText)].join('\n');
      expect(said, `seed ${seed}`).not.toMatch(/NaN|undefined|Infinity|\d e\+/);
      expect(drawn.worked.length).toBeGreaterThan(0);
      for (const field of drawn.fields) {
        const typed = field.kind === 'choice' ? field.answer : answerText(field).split(' = ')[0]!;
        expect(judge(field, typed), `seed ${seed}, ${field.id}: ${typed}`).toBe('right');
        expect(judge(field, '')).toBe('unread');
      }
    }
    expect(drawExercise(spec, 7)).toEqual(drawExercise(spec, 7));
  });

  it('has an id of its own, and a lab that exists where it can be measured', () => {
    expect(new Set(EXERCISES.map(({ id }) => id)).size).toBe(EXERCISES.length);
    const labs = LABS.map(({ description }) => description.id);
    for (const { measure } of EXERCISES) if (measure) expect(labs).toContain(measure.lab);
  });

  it('puts the right option in any place', () => {
    const places = Array.from({ length: 60 }, (_, seed) => {
      const [field] = drawExercise(findExercise('who-copies')!, seed).fields;
      return field?.kind === 'choice' ? field.options.findIndex(({ id }) => id === field.answer) : -1;
    });
    expect(new Set(places)).toEqual(new Set([0, 1, 2]));
  });
});

describe('an answer', () => {
  const bytes: Field = {
    id: 'x',
    label: 'x',
    kind: 'number',
    unit: 'B',
    answer: 2_097_152,
    tolerance: 0,
    hex: false,
  };
  it.each(['2 MiB', '2097152', '2,097,152', '0x200000', '2048 KiB', '0x200000 B', ' 2M '])(
    '%s is 2 MiB',
    (typed) => {
      expect(judge(bytes, typed)).toBe('right');
    },
  );
  it.each(['2 MB', '2', '2097151'])('%s is not', (typed) => expect(judge(bytes, typed)).toBe('wrong'));
  it.each(['two', '2 GHz', '0x', '1e'])('%s is no number of bytes', (typed) =>
    expect(judge(bytes, typed)).toBe('unread'),
  );

  it('takes times in any unit', () => {
    const us: Field = {
      id: 'x',
      label: 'x',
      kind: 'number',
      unit: 'µs',
      answer: 55,
      tolerance: 0,
      hex: false,
    };
    for (const typed of ['55', '55 µs', '55 us', '0.055 ms', '55000 ns'])
      expect(judge(us, typed), typed).toBe('right');
  });

  it('takes an IPv6 address in any notation', () => {
    const gid: Field = { id: 'x', label: 'x', kind: 'text', form: 'ipv6', answer: '::ffff:10.0.0.1' };
    for (const typed of ['::ffff:a00:1', '0:0:0:0:0:ffff:0a00:0001', '::FFFF:10.0.0.1'])
      expect(judge(gid, typed), typed).toBe('right');
    expect(judge(gid, '::ffff:10.0.0.2')).toBe('wrong');
    for (const typed of [
      ':::',
      '1::2::3',
      '10.0.0.1',
      'fe80',
      '1:2:3:4:5:6:7:8:9',
      '::ffff:10.0.0.256',
      'g::',
    ])
      expect(judge(gid, typed), typed).toBe('unread');
    expect(ipv6Groups('fe80::1')).toEqual([0xfe80, 0, 0, 0, 0, 0, 0, 1]);
  });
});

describe('a worksheet', () => {
  const filled = (seed: number) => {
    const sheet = newWorksheet(EXERCISES, seed);
    const items = sheet.items.map((item): WorksheetItem => {
      const { fields } = drawExercise(findExercise(item.id)!, seed);
      const given = fields.map((one) => [
        one.id,
        one.kind === 'choice' ? one.answer : answerText(one).split(' = ')[0]!,
      ]);
      return { ...item, given: Object.fromEntries(given) as Record<string, string> };
    });
    return { ...sheet, items };
  };

  it('is the same after it was saved and read, and counts what is right', () => {
    const sheet = filled(17);
    expect(readWorksheet(JSON.stringify(sheet), EXERCISES)).toEqual({ sheet, unknown: [] });
    expect(rightCount(sheet, findExercise)).toEqual({ right: EXERCISES.length, of: EXERCISES.length });
    expect(rightCount(newWorksheet(EXERCISES, 17), findExercise).right).toBe(0);
  });

  it('names exercises that this version does not have, and keeps the others', () => {
    const [one] = filled(3).items;
    const other = { id: 'of-tomorrow', seed: 1, given: {} };
    const text = JSON.stringify({ format: 'verbslab-worksheet', version: 1, items: [one, other] });
    expect(readWorksheet(text, EXERCISES)).toMatchObject({
      sheet: { items: [one] },
      unknown: ['of-tomorrow'],
    });
  });

  const item = { id: 'immediate', seed: 1, given: {} };
  const file = (rest: object) =>
    JSON.stringify({ format: 'verbslab-worksheet', version: 1, items: [item], ...rest });
  it.each([
    ['{', 'not JSON'],
    ['[]', 'no format'],
    [file({ format: 'x' }), 'no format'],
    [file({ version: 'x' }), 'no version'],
    [file({ version: WORKSHEET_VERSION + 1 }), 'newer one'],
    [file({ items: [] }), 'no exercises'],
    [file({ items: [{ ...item, id: 'x' }] }), 'none of its exercises'],
    [file({ items: [item, item] }), 'twice'],
    [file({ items: [{ ...item, seed: -1 }] }), 'no seed'],
    [file({ items: [{ ...item, given: [] }] }), 'not a list by field'],
    [file({ items: [{ ...item, given: { bytes: 'x'.repeat(201) } }] }), 'at most 200'],
    [file({ items: Array.from({ length: 501 }, () => item) }), 'at most 500'],
  ])('%.60s is refused', (text, why) => {
    expect(readWorksheet(text, EXERCISES)).toMatchObject({ why: expect.stringContaining(why) as string });
  });

  it('that was damaged anywhere is read or refused, and never throws', () => {
    const text = JSON.stringify(filled(5));
    const random = seeded(20_261_127);
    for (let i = 0; i < 2000; i++) {
      const at = Math.floor(random() * text.length);
      const put = String.fromCharCode(32 + Math.floor(random() * 95));
      const read = readWorksheet(
        text.slice(0, at) + put + text.slice(at + 1 + Math.floor(random() * 3)),
        EXERCISES,
      );
      if ('why' in read) expect(read.why).not.toBe('');
      else expect(rightCount(read.sheet, findExercise).of).toBeGreaterThan(0);
    }
  });

  it('as Markdown asks, or answers with the way to it', () => {
    const groups = [{ title: 'Memory', exercises: [drawExercise(findExercise('translation-table')!, 1)] }];
    const open = worksheetMarkdown('Sheet 1', groups, false);
    const solved = worksheetMarkdown('Sheet 1', groups, true);
    const { text, worked } = groups[0]!.exercises[0]!;
    expect(open).toContain(text);
    expect(open).toContain('- Pages: ____________');
    for (const step of worked) {
      expect(solved).toContain(step);
      expect(open).not.toContain(step);
    }
  });
});

describe('the numbers that are drawn', () => {
  const drawn = (id: string) =>
    Array.from({ length: 60 }, (_, seed) =>
      Object.fromEntries(drawExercise(findExercise(id)!, seed).fields.map((one) => [one.id, one.answer])),
    );

  it('need more than one request for a path, and lose neither the first packet nor the last', () => {
    for (const { requests } of drawn('bandwidth-delay')) expect(requests).toBeGreaterThan(1);
    for (const { all } of drawn('go-back-n')) expect(all).toBeGreaterThan(1);
  });

  it('keep the four keys of a work request apart', () => {
    const keys = (text: string): string[] =>
      [...text.matchAll(/[lr]key (0x[0-9a-f]+)/g)].map(([, key]) => key!);
    for (let seed = 0; seed < 20; seed++) {
      const found = keys(drawExercise(findExercise('fill-in-write')!, seed).text);
      expect(new Set(found).size).toBe(4);
    }
  });
});
