import { ranked, type LabContext, type PacketSummary } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { atServer, lengths, type Life } from '../src/write-stages/lives.js';
import type { WriteStagesParams } from '../src/write-stages/params.js';
import { report } from '../src/write-stages/report.js';
import { ALL, PARTS, PLAIN, WITHOUT_SERVER, type Stage } from '../src/write-stages/stages.js';

const WRITE_LAST = 0x08;
const WRITE_ONLY = 0x0a;
const ACK = 0x11;

const LIFE: Life = {
  ...{ built: 1000, called: 1500, returned: 4000, posted: 2500, firstTx: 3000, lastTx: 3100 },
  ...{ arrived: 5000, answered: 6000, acked: 9000, cqe: 9000, polled: 9500, got: 9900 },
};

/** The checks that `report` makes of these lives, and its figures and rows. */
function found(changes: readonly Partial<Life>[], stages: readonly Stage[] = ALL, clockErrorNs = 0) {
  const checks: Record<string, boolean | null> = {};
  const figures: Record<string, number | null> = {};
  const rows: Record<string, unknown>[] = [];
  const answers: string[] = [];
  const ctx = {
    check: (id: string, ok: boolean) => void (checks[id] = ok),
    doesNotApply: (id: string) => void (checks[id] = null),
    figure: (name: string, value: number | null) => void (figures[name] = value),
    row: (table: string, cells: object) => void (table === 'stages' && rows.push({ ...cells })),
    outcome: () => undefined,
    note: () => undefined,
    answer: (text: string) => void answers.push(text),
  } as unknown as LabContext<WriteStagesParams>;
  const lives = changes.map((change): Life => ({ ...LIFE, ...change }));
  report(ctx, { lives, stages, repeated: 0, dropped: 0 }, clockErrorNs);
  return { checks, figures, rows, answer: answers.join(' ') };
}

const packet = (direction: 'sent' | 'received', opcode: number, psn: number, t: number): PacketSummary => ({
  ...{ direction, opcode, psn, t, destQpn: 1, ackReq: true, payload: 0, icrcOk: true },
  ...(opcode === ACK ? { syndrome: 0x1f } : {}),
});

describe('the lives of WRITEs', () => {
  it('add up, whatever is known of them', () => {
    for (const stages of [ALL, WITHOUT_SERVER, PLAIN]) {
      const parts = lengths(LIFE, stages)!;
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(8900);
    }
    expect(lengths({ ...LIFE, arrived: null }, ALL)).toBeNull();
    expect(lengths({ ...LIFE, arrived: null }, WITHOUT_SERVER)).not.toBeNull();
  });

  it('take arrival and ACK of the last packet of each WRITE from the capture at the server', () => {
    const packets = [
      packet('received', 0x06, 7, 10),
      packet('sent', ACK, 7, 11),
      packet('received', WRITE_LAST, 8, 12),
      packet('sent', ACK, 8, 15),
      packet('received', WRITE_ONLY, 9, 20),
      packet('received', WRITE_ONLY, 9, 30),
      packet('sent', ACK, 9, 31),
    ];
    expect(atServer(packets)).toEqual([
      { arrived: 12, answered: 15, repeated: false },
      { arrived: 20, answered: 31, repeated: true },
    ]);
  });

  it('state a percentile only with enough of them', () => {
    const hundred = Array.from({ length: 100 }, (_, i) => i + 1);
    expect([ranked(hundred, 0.5), ranked(hundred, 0.9), ranked(hundred, 0.99)]).toEqual([50, 90, null]);
    expect(ranked(hundred.slice(1), 0.9)).toBeNull();
  });
});

describe('the report', () => {
  it('shows stages whose shares and whose means add up, and who has the time', () => {
    const { checks, figures, rows, answer } = found([{}, { got: 10_000 }, { built: 900 }, {}, {}]);
    expect(checks).toEqual({ order: true, 'adds-up': true, 'cqe-after-ack': true });
    expect(figures.whole).toBe(8.9);
    expect(figures).toMatchObject({
      call: 2.5,
      round: 6.5,
      waiting: 0.5,
      'sent-in-call': 5,
      'acked-in-call': 0,
    });
    const total = (column: string): number => rows.reduce((sum, row) => sum + Number(row[column]), 0);
    expect(total('share')).toBeCloseTo(100, 9);
    expect(total('mean')).toBeCloseTo(figures.mean!, 9);
    // Up to p90 all five count: 8.9, 9, 9, 8.9 and 8.9 µs.
    expect(figures.mean).toBeCloseTo((3 * 8.9 + 9 + 9) / 5, 9);
    const owned = (...parts: unknown[]): number =>
      rows.reduce((sum, { part, share }) => sum + (parts.includes(part) ? Number(share) : 0), 0);
    expect(figures['library-share']).toBeCloseTo(owned(PARTS.library), 9);
    expect(figures['away-share']).toBeCloseTo(owned(PARTS.wire, PARTS.server), 9);
    expect(new Set(rows.map(({ part }) => part)).size).toBe(5);
    expect(answer).toMatch(
      /^A WRITE took 8\.94 µs on average: [\d.]+ % in the program, [\d.]+ % in the library, /,
    );
  });

  it.each([
    ['order', { arrived: 2800 }],
    ['order', { polled: 8000 }],
    ['adds-up', { firstTx: null }],
    ['adds-up', { answered: null }],
    ['cqe-after-ack', { cqe: 5500 }],
  ] as const)('fails %s with %j', (id, change) => {
    expect(found([{}, change]).checks[id]).toBe(false);
    expect(found([{}, {}]).checks[id]).toBe(true);
  });

  it('says in its answer whether a CQE came before its ACK', () => {
    expect(found([{}, {}]).answer).toContain('No CQE came before its ACK.');
    expect(found([{}, { cqe: 5500 }]).answer).toContain('1 CQE of 2 came before the ACK.');
  });

  it('allows for clocks that are read in two ways', () => {
    expect(found([{ called: 2600 }]).checks.order).toBe(true);
  });

  it('takes the stages between two hosts for one where their clocks cannot tell them apart', () => {
    const titles = (clockErrorNs: number, change: Partial<Life> = {}): unknown[] =>
      found([change], ALL, clockErrorNs).rows.map(({ stage }) => stage);
    // A packet takes 1,900 ns to the server, and its ACK 3,000 ns back.
    expect(titles(1800)).toEqual(ALL.map(({ title }) => title));
    expect(titles(2000)).toEqual(WITHOUT_SERVER.map(({ title }) => title));
    // An ACK that came before it left.
    expect(titles(50_000, { arrived: 10_000, answered: 11_000 })).toEqual(
      WITHOUT_SERVER.map(({ title }) => title),
    );
  });

  it('says nothing about ACKs on a device without stamps', () => {
    const { checks, figures, rows } = found([{}], PLAIN);
    expect(checks).toEqual({ order: true, 'adds-up': true, 'cqe-after-ack': null });
    expect(rows.map(({ stage }) => stage)).toEqual(PLAIN.map(({ title }) => title));
    expect(figures).toMatchObject({ 'program-share': null, 'sent-in-call': null });
  });
});
