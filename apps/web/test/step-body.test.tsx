import { LABS } from '@verbslab/labs';
import type { RunRecord } from '@verbslab/protocol';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import type { RunSession } from '../src/connection/run-sessions';
import { RunModel } from '../src/run/model/run-model';
import { StepBody } from '../src/run/step-body';
import { record, Stream } from './stream';

let query = '';
vi.mock('next/navigation', () => ({
  useRouter: () => ({ replace: () => undefined }),
  useSearchParams: () => new URLSearchParams(query),
}));

const lab = LABS.find(({ description }) => description.id === 'minimal-flow')!.description;
const ids = lab.steps!.map(({ id }) => id);

/** A run of which the first `count` steps are done. */
function page(count: number, change: Partial<RunRecord>): string {
  const model = new RunModel(
    record({ lab: lab.id, mode: 'step', waitingFor: ids[count] ?? null, ...change }),
  );
  const s = new Stream();
  for (const [index, id] of ids.slice(0, count).entries())
    for (const phase of ['begin', 'end'] as const)
      model.event(
        s.event({ kind: 'step', phase, id, index, t: 100 * index, ...(phase === 'end' ? { ok: true } : {}) }),
      );
  const session = { state: 'live', view: { model, paused: false } } as unknown as RunSession;
  return renderToStaticMarkup(<StepBody session={session} lab={lab} />);
}
const title = (html: string) => /id="step-title".*?<\/span>(?: |<!-- -->)*([^<]*)</.exec(html)?.[1];

describe('a lab gone through step by step', () => {
  it('shows the step that ran, and explains the next one beside its button', () => {
    const html = page(2, { state: 'running' });
    expect(title(html)).toBe('Register memory');
    expect(html).toContain('data-next-step="queues"');
    expect(html).toMatch(/Next:.*Create the queues.*Next step/);
  });

  it('begins with the first step, explained before it runs', () => {
    expect(title(page(0, { state: 'running' }))).toBe('Open the device');
  });

  it('stays on the last step and ends on what was seen', () => {
    const html = page(ids.length, { state: 'done' });
    expect(title(html)).toBe('Tear down');
    expect(html).toContain('What you have seen');
    expect(html).toContain('href="/labs/minimal-flow?size=1"');
    expect(html).toContain('href="/labs/bulk"');
    expect(html).not.toContain('Next step');
  });

  it('does not say that all was seen when the run was cancelled', () => {
    const html = page(3, { state: 'cancelled', waitingFor: null });
    expect(title(html)).toBe('Create the queues');
    expect(html).not.toContain('What you have seen');
    expect(html).not.toContain('Next step');
  });

  it('shows the step that was chosen', () => {
    query = 'step=device';
    expect(title(page(3, { state: 'running' }))).toBe('Open the device');
    query = '';
  });
});
