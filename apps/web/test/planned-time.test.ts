import { bulk, LABS } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { plannedTime } from '../src/labs/planned-time';

const said = (typed: Record<string, unknown>): string | undefined =>
  plannedTime(bulk.description.timing, { ...bulk.parse(typed) })?.full.replaceAll('\u00a0', ' ');

describe('how long a run takes', () => {
  it.each([
    [
      {},
      'Takes about 26 s, plus set-up and checks: 7 rounds of 3 turns, each with 0.5 s of warm-up and 0.714 s measured.',
    ],
    [
      { duration: 10, transport: 'both-in-turn' },
      'Takes about 27 s, plus set-up and checks: 7 rounds of 2 turns, each with 0.5 s of warm-up and 1.43 s measured.',
    ],
    [
      { transport: 'both-at-once' },
      'Takes about 8.5 s, plus set-up and checks: 7 rounds, each with 0.5 s of warm-up and 0.714 s measured.',
    ],
    [
      { transport: 'rdma', repeat: 1, omit: 0 },
      'Takes about 5.0 s, plus set-up and checks: 1 round with 5 s measured.',
    ],
    [
      { duration: 3600, repeat: 1 },
      'Takes about 180 min 02 s, plus set-up and checks: 1 round of 3 turns, each with 0.5 s of warm-up and 3600 s measured.',
    ],
  ])('follows from the parameters: %j', (typed, text) => {
    expect(said(typed)).toBe(text);
  });

  it('is in no fixed text of a parameter, where another value would make it wrong', () => {
    const { duration } = bulk.description.params.properties as Record<string, { description: string }>;
    expect(duration!.description).not.toMatch(/\d/);
  });

  it('is not said of a lab whose time the parameters do not decide', () => {
    for (const { description } of LABS.filter((lab) => lab.description.id !== 'bulk'))
      expect(plannedTime(description.timing, {})).toBeNull();
  });
});
