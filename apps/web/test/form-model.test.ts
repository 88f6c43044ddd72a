import { choiceLabel, LABS } from '@verbslab/labs';
import type { PortInfo } from '@verbslab/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowed, fieldsOf, initialDraft, show, summary } from '../src/model/fields';
import { boundFields, readForm } from '../src/parts/forms/form-reading';

const lab = (id: string) => LABS.find((l) => l.description.id === id)!;
const bulk = fieldsOf(lab('bulk').description.params);
const field = (name: string) => bulk.find((f) => f.name === name)!;

describe('the form of a lab, drawn from its schema', () => {
  it('has a field for each parameter, with words, unit and limits', () => {
    expect(bulk.length).toBeGreaterThanOrEqual(7);
    for (const f of bulk)
      expect([f.name, f.title.length > 0, f.description.length > 0, f.preset !== null]).toEqual([
        f.name,
        true,
        true,
        true,
      ]);
    expect(field('size')).toMatchObject({ kind: 'integer', unit: 'B', preset: 65536 });
    expect(field('completionMode')).toMatchObject({ kind: 'choice', choices: ['poll', 'event'] });
    expect(allowed(field('depth'))).toBe('1 to 4,096 WRs');
  });

  it.each(LABS.map((l) => [l.description.id, l] as const))(
    'its presets pass the form and the lab itself: %s',
    (_, l) => {
      const fields = fieldsOf(l.description.params);
      const { values, errors } = readForm(fields, initialDraft(fields));
      expect(errors).toEqual({});
      expect(() => l.parse(values)).not.toThrow();
    },
  );

  it('takes the values of a link', () => {
    const draft = initialDraft(bulk, { size: 4096, completionMode: 'event' });
    expect(draft.size).toBe('4 KiB');
    expect(draft.completionMode).toBe('event');
  });

  it.each([
    ['size', '0', /too small.*whole number from 64 B/],
    ['size', '1 TiB', /too large.*to 64 MiB/],
    ['size', 'much', /not a number\..*Units: B, KiB/],
    ['depth', '1.5', /not whole/],
    ['depth', '', /Enter a whole number from 1 to 4,096 WRs\./],
    ['depth', '0', /^0 WRs is too small/],
    ['duration', '-1', /too small/],
  ])('says what is wrong with %s = "%s"', (name, typed, message) => {
    const { errors } = readForm(bulk, { ...initialDraft(bulk), [name]: typed });
    expect(errors[name]?.replaceAll('\u00a0', ' ')).toMatch(message);
  });

  const { rules = [] } = lab('bulk').description;

  it('says at the field which other parameter forbids the value', () => {
    const read = (typed: object) => readForm(bulk, { ...initialDraft(bulk), ...typed }, rules).errors;
    expect(read({ signalEvery: '128' })).toEqual({
      signalEvery:
        '128 WRs is more than 64 WRs, what “Depth” allows. Give at most 64 WRs. A send queue whose requests never complete is never freed.',
    });
    expect(read({ signalEvery: '128', depth: '128' })).toEqual({});
    expect(read({ signalEvery: '2', depth: '1' }).signalEvery).toMatch(/^2 WRs is more than 1 WR, /);
    expect(Object.keys(read({ memory: '1 KiB' }))).toEqual(['size']);
  });

  it('has the ranges of the devices that are chosen', () => {
    const limits = { maxMrSize: 2 ** 40, maxQp: 1, maxQpWr: 256, maxSge: 1, maxCq: 1, maxCqe: 4096 };
    const device = {
      name: 'small0',
      limits: { ...limits, maxMr: 1, maxPd: 1, maxQpRdAtom: 1 },
      ports: [{ maxMessageSize: 8 * 2 ** 20 } as PortInfo],
    };
    const of = (draft: object) => {
      const fields = boundFields(bulk, rules, { ...initialDraft(bulk), ...draft }, [device]);
      return (name: string) => fields.find((f) => f.name === name)!;
    };
    expect(allowed(of({})('depth'))).toBe('1 to 256 WRs (the limit of small0)');
    expect(allowed(of({})('size')).replaceAll('\u00a0', ' ')).toBe('64 B to 8 MiB (the limit of small0)');
    expect(of({})('memory').limitedBy).toBeUndefined();
    // TCP does not use the device.
    expect(of({ transport: 'tcp' })('depth').maximum).toBe(4096);
  });

  it('refuses what the lab refuses and takes what it takes (between parameters)', () => {
    const number = (max: number) => fc.integer({ min: 1, max });
    fc.assert(
      fc.property(number(200), number(200), number(9), fc.integer({ min: 2, max: 20 }), (a, b, repeat, t) => {
        const input = { signalEvery: a, depth: b, repeat, duration: t / 10 };
        const typed = Object.fromEntries(Object.entries(input).map(([k, v]) => [k, String(v)]));
        const { errors } = readForm(bulk, { ...initialDraft(bulk), ...typed }, rules);
        let parsed = true;
        try {
          lab('bulk').parse(input);
        } catch {
          parsed = false;
        }
        expect(Object.keys(errors).length === 0).toBe(parsed);
      }),
    );
  });

  it('refuses what the lab refuses and takes what it takes (sizes)', () => {
    const seed = Number(process.env.VERBSLAB_SEED ?? Date.now() % 2 ** 31);
    console.log(`form-model seed ${seed}`);
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 2 ** 40 }), (n) => {
        const { values, errors } = readForm(bulk, { ...initialDraft(bulk), size: `${n} B` }, rules);
        let parsed = true;
        try {
          lab('bulk').parse({ size: n });
        } catch {
          parsed = false;
        }
        return parsed ? values.size === n && errors.size === undefined : errors.size !== undefined;
      }),
      { seed },
    );
  });

  it('shows every size so that reading it gives the same number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 41 }),
        (n) =>
          readForm([{ ...field('memory'), minimum: 0, maximum: 2 ** 42 }], {
            memory: show(field('memory'), n),
          }).values.memory === n,
      ),
    );
  });

  it('puts parameters into one line', () => {
    expect(choiceLabel('both-in-turn')).toBe('Both in turn');
    expect(choiceLabel('rdma')).toBe('RDMA');
    const titled = { choiceTitles: { 'wrong-sge': 'A wrong SGE' } };
    expect(choiceLabel('wrong-sge', titled)).toBe('A wrong SGE');
    expect(choiceLabel('random', titled)).toBe('Random');
    expect(summary(bulk, { size: 4096, depth: 64 })).toBe('message size 4\u00a0KiB');
    expect(summary(bulk, { size: 10_000 })).toBe('message size 10,000\u00a0B');
    // Every digit of what was asked for, and nothing left out that another version had.
    expect(summary(bulk, { omit: 0.0004, duration: 1234.5 })).toBe(
      'duration per transport 1,234.5 s, warm-up 0.0004 s',
    );
    expect(summary(bulk, { depth: { from: 1, to: 4096 }, size: { min: 4096, max: 65_536 } })).toBe(
      'message size 4\u00a0KiB to 64\u00a0KiB, depth 1 to 4,096 WRs',
    );
    expect(summary(bulk, { depth: [1, 2], chunk: 4096, shape: { of: 'x' } })).toBe(
      'depth 1 WR / 2 WRs, chunk 4096, shape {"of":"x"}',
    );
  });
});
