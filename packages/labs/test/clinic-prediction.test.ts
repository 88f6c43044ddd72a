import { noResults } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { LABS, resultViews } from '../src/index.js';

const clinic = LABS.find(({ description }) => description.id === 'clinic')!.description;

describe('a prediction without an answer', () => {
  const [guess] = clinic.predictions!;
  const view = (outcomes: Record<string, string>) => {
    const results = { ...noResults(), predicted: { diagnosis: 'wrong-rkey' }, outcomes };
    return resultViews(results, clinic).predictions.find(({ id }) => id === guess!.id)!;
  };

  it('of the clinic was not revealed: it does not say that something was not measured', () => {
    expect(view({})).toMatchObject({
      measured: null,
      unanswered: 'not revealed. Run again with the same seed and “Reveal the diagnosis” on.',
      verdict: null,
    });
    expect(view({ diagnosis: 'wrong-rkey' }).verdict).toBe('As you predicted.');
  });

  it('of any other lab was not measured', () => {
    const bulk = { predictions: [{ kind: 'number' as const, id: 'p', text: '?' }] };
    expect(resultViews({ ...noResults(), predicted: { p: 1 } }, bulk).predictions[0]!.unanswered).toBe(
      'not measured',
    );
  });
});
