/** The ladders of go-back-N: recorded ones against the counters of the device, and made ones counted by hand. */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countOf, endOf, ladderOf, type Seen } from '../../src/explanations/amplification/ladder';
import { filedTime, readLadder, type LadderFile } from '../../src/explanations/amplification/ladder-file';
import { layoutOf } from '../../src/explanations/amplification/ladder-layout';
import { ladderAnswer, ladderRows } from '../../src/explanations/amplification/ladder-words';
import {
  isRecorded,
  lossesOf,
  nameOf,
  ONCE,
  PACKETS,
  pressed,
  TWICE,
} from '../../src/explanations/amplification/losses';

const file = (name: string): LadderFile =>
  JSON.parse(
    readFileSync(
      new URL(`../../src/explanations/amplification/samples/${name}.json`, import.meta.url),
      'utf8',
    ),
  ) as LadderFile;
const FILES = { once: file('once'), twice: file('twice') };
const ALL = Object.values(FILES).flatMap(({ ladders, wire, timeoutMs, mtu, message }) =>
  Object.entries(ladders).map(([name, filed]) => ({ name, filed, wire, timeoutMs, mtu, message })),
);

describe('the recorded ladders', () => {
  it('are all that can be pressed, and no more', () => {
    expect(Object.keys(FILES.once.ladders).toSorted()).toEqual([...ONCE].toSorted());
    expect(Object.keys(FILES.twice.ladders).toSorted()).toEqual([...TWICE].toSorted());
  });

  it.each(ALL)(
    '$name: lost what was to be lost, and counted as the device did',
    ({ name, filed, wire, ...of }) => {
      const ladder = readLadder(filed, wire);
      const count = countOf(ladder);
      const lost = [...ladder.packets, ...ladder.answers].filter(({ arrived }) => arrived === null);
      expect(lost).toHaveLength(lossesOf(name).length);
      for (const loss of lossesOf(name))
        if ('packet' in loss)
          expect(ladder.packets).toContainEqual(
            expect.objectContaining({ psn: loss.packet, copy: loss.copy, arrived: null, fate: 'lost' }),
          );
        else expect(ladder.answers[loss.answer - 1]).toMatchObject({ arrived: null });
      expect(count.needed).toBe(PACKETS);
      // The client’s own counters: packets sent again, and packets that its injector dropped.
      const [again, dropped] = filed.counted;
      expect([count.again, lossesOf(name).filter((one) => 'packet' in one).length]).toEqual([again, dropped]);
      expect(count.bytesAgain).toBe(count.bytes - wire.reduce((sum, one) => sum + one, 0));
      expect(wire.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(of.message);
      // Every packet was taken once in the end, and selective repeat sends no more than go-back-N.
      expect(ladder.packets.filter(({ fate }) => fate === 'taken')).toHaveLength(PACKETS);
      expect(count.selective).toBeLessThanOrEqual(count.again);
      expect(count.selective + count.hadArrived).toBe(count.again);
      // A timeout is at least what the attribute says.
      for (const { why, waited } of ladder.goBacks)
        if (why === 'timeout') expect(waited / 1e6).toBeGreaterThan(0.9 * of.timeoutMs);
        else expect(waited / 1e6).toBeLessThan(of.timeoutMs);
      expect(ladderRows(ladder)).toHaveLength(ladder.packets.length + ladder.answers.length);
    },
  );

  it('wait for a timeout where nothing behind the loss arrives, and for a NAK elsewhere', () => {
    const why = (name: string) => {
      const { ladders, wire } = name.includes('+') ? FILES.twice : FILES.once;
      return readLadder(ladders[name]!, wire).goBacks.map((one) => one.why);
    };
    expect(why('')).toEqual([]);
    expect(why('3')).toEqual(['nak']);
    expect(why('15')).toEqual(['timeout']);
    expect(why('a1')).toEqual(['timeout']);
    // A gap gets a single NAK: the second loss of the same packet shows nothing new.
    expect(why('3+3.2').slice(0, 2)).toEqual(['nak', 'timeout']);
  });
});

describe('a press', () => {
  const after = (name: string, press: string) => nameOf(pressed(lossesOf(name), lossesOf(press)[0]!));
  it('loses a packet, gives it back, and puts a second loss behind the first', () => {
    expect(after('', '3')).toBe('3');
    expect(after('3', '7')).toBe('7');
    expect(after('3', '3')).toBe('');
    expect(after('3', '7.2')).toBe('3+7.2');
    expect(after('3+7.2', '7.2')).toBe('3');
    expect(after('3+7.2', '3')).toBe('');
    expect(after('3+7.2', '9.2')).toBe('3+9.2');
    expect(after('3', 'a2')).toBe('3+a2');
    expect(after('', 'a1')).toBe('a1');
    expect(after('a1', 'a1')).toBe('');
  });
  it('reads every recorded name back, and no other', () => {
    for (const name of [...ONCE, ...TWICE])
      expect([nameOf(lossesOf(name)), isRecorded(name)]).toEqual([name, true]);
    for (const name of ['16', 'x', '3+2.2', 'a2']) expect(isRecorded(name)).toBe(false);
  });
});

describe('a ladder', () => {
  const seen = (psn: number, sent: number, arrived: number | null): Seen => ({
    psn,
    sent,
    arrived,
    bytes: 100,
  });
  it('tells taken, missing before it, and duplicate apart, and NAK from timeout', () => {
    const ladder = ladderOf(
      [seen(0, 0, 5), seen(1, 1, null), seen(2, 2, 7), seen(1, 12, 17), seen(2, 13, 18), seen(2, 900, 905)],
      [
        { kind: 'nak', psn: 1, sent: 7, arrived: 11 },
        { kind: 'ack', psn: 2, sent: 18, arrived: null },
        { kind: 'ack', psn: 2, sent: 905, arrived: 910 },
      ],
    );
    expect(ladder.packets.map(({ fate }) => fate)).toEqual([
      'taken',
      'lost',
      'gap',
      'taken',
      'taken',
      'duplicate',
    ]);
    expect(ladder.goBacks).toEqual([
      { at: 12, psn: 1, packets: 2, why: 'nak', waited: 1 },
      { at: 900, psn: 2, packets: 1, why: 'timeout', waited: 887 },
    ]);
    expect(countOf(ladder)).toEqual({
      ...{ needed: 3, sent: 6, again: 3, bytes: 600, bytesAgain: 300, hadArrived: 2, selective: 1 },
    });
    expect(endOf(ladder)).toBe(910);
    expect(ladderAnswer(ladder, 89)).toContain('887 ns, 10× the time');
  });

  const gaps = fc.array(fc.integer({ min: 1, max: 100_000_000 }), { minLength: 2, maxLength: 40 });
  it('keeps the order of time on its axis, and everything inside it, whatever is cut', () => {
    fc.assert(
      fc.property(gaps, fc.integer({ min: 280, max: 1400 }), (waits, width) => {
        let t = 0;
        const ladder = ladderOf(
          waits.map((wait, i) => {
            t += wait;
            return seen(i % 16, t, t + 10);
          }),
          [],
        );
        const { x, left, right, cuts } = layoutOf(ladder, width);
        const places = ladder.packets.map(({ sent }) => x(sent));
        for (const [i, at] of places.entries()) {
          expect(at).toBeGreaterThanOrEqual(left - 0.01);
          expect(at).toBeLessThanOrEqual(right + 0.01);
          if (i > 0) expect(at).toBeGreaterThanOrEqual(places[i - 1]! - 1e-6);
        }
        for (const { from, to } of cuts)
          expect(ladder.packets.some(({ sent }) => sent > from && sent < to)).toBe(false);
      }),
    );
  });

  it('files times in units of 0.1 µs, and a loss as −1', () => {
    expect([filedTime(12_345), filedTime(null)]).toEqual([123, -1]);
  });
});
