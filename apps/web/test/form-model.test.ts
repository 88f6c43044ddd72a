import { LABS } from '@verbslab/labs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allowed,
  choiceLabel,
  fieldsOf,
  initialDraft,
  readForm,
  show,
  summary,
} from '../src/labs/form-model';

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
    expect(field('chunk')).toMatchObject({ kind: 'integer', unit: 'B', preset: 65536 });
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
    const draft = initialDraft(bulk, { chunk: 4096, completionMode: 'event' });
    expect(draft.chunk).toBe('4 KiB');
    expect(draft.completionMode).toBe('event');
  });

  it.each([
    ['chunk', '0', /too little.*whole number from 64 B/],
    ['chunk', '1 TiB', /too much.*to 64\u00a0MiB|too much.*to 64 MiB/],
    ['chunk', 'much', /not a number here.*Units: B, KiB/],
    ['depth', '1.5', /not whole/],
    ['depth', '', /Give a whole number from 1/],
    ['duration', '-1', /too little/],
  ])('says what is wrong with %s = "%s"', (name, typed, message) => {
    const { errors } = readForm(bulk, { ...initialDraft(bulk), [name]: typed });
    expect(errors[name]?.replaceAll('\u00a0', ' ')).toMatch(message);
  });

  it('refuses what the lab refuses and takes what it takes (sizes)', () => {
    const seed = Number(process.env.VERBSLAB_SEED ?? Date.now() % 2 ** 31);
    console.log(`form-model seed ${seed}`);
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 2 ** 40 }), (n) => {
        const { values, errors } = readForm(bulk, { ...initialDraft(bulk), chunk: `${n} B` });
        let parsed = true;
        try {
          lab('bulk').parse({ chunk: n });
        } catch {
          parsed = false;
        }
        return parsed ? values.chunk === n && errors.chunk === undefined : errors.chunk !== undefined;
      }),
      { seed },
    );
  });

  it('shows every size so that reading it gives the same number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 41 }),
        (n) =>
          readForm([{ ...field('size'), minimum: 0, maximum: 2 ** 42 }], { size: show(field('size'), n) })
            .values.size === n,
      ),
    );
  });

  it('puts parameters into one line', () => {
    expect(choiceLabel('both-in-turn')).toBe('Both in turn');
    expect(choiceLabel('rdma')).toBe('RDMA');
    expect(summary(bulk, { chunk: 4096, depth: 64 })).toBe('chunk 4\u00a0KiB');
  });
});
