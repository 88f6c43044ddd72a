import { LABS } from '@verbslab/labs';
import type { RunRecord } from '@verbslab/protocol';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import type { RunSession } from '../src/connection/run-sessions';
import { RunModel } from '../src/model/run-model';
import { StepBody } from '../src/run/steps/step-body';
import { record, Stream } from './stream';

let query = '';
vi.mock('next/navigation', () => ({
  useRouter: () => ({ replace: () => undefined }),
  useSearchParams: () => new URLSearchParams(query),
}));

const lab = LABS.find(({ description }) => description.id === 'minimal-flow')!.description;
const ids = lab.steps!.map(({ id }) => id);

/** A run of which the first `count` steps are over. `ok`: how the last of them ended. */
function page(count: number, change: Partial<RunRecord>, ok = true): string {
  const model = new RunModel(
    record({ lab: lab.id, mode: 'step', waitingFor: ids[count] ?? null, ...change }),
  );
  const s = new Stream();
  for (const [index, id] of ids.slice(0, count).entries())
    for (const phase of ['begin', 'end'] as const)
      model.event(
        s.event({
          ...{ kind: 'step', phase, id, index, t: 100 * index },
          ...(phase === 'end' ? { ok: ok || index < count - 1 } : {}),
        }),
      );
  const session = { state: 'live', view: { model, paused: false } } as unknown as RunSession;
  return renderToStaticMarkup(<StepBody session={session} lab={lab} />);
}
const title = (html: string) => /id="step-title"[^>]*>([^<]*)</.exec(html)?.[1];
const words = (html: string) => html.replace(/<[^>]*>/g, '');

describe('a lab gone through step by step', () => {
  it('shows the text of the step that ran, and asks a question before the next one', () => {
    const html = page(2, { state: 'running' });
    expect(title(html)).toBe('Register memory');
    expect(words(html)).toContain('is a buffer that the device may use');
    expect(html).toContain('data-next-step="queues"');
    expect(words(html)).toMatch(/Before step 3.*How many CQs.*Step 3: Create the queues.*Run the rest/);
    // The text of the next step would answer its question.
    expect(words(html)).not.toContain('it has a number and can do nothing yet');
  });

  it('begins with the first step, without its text before it runs', () => {
    const html = page(0, { state: 'running' });
    expect(title(html)).toBe('Open the device');
    expect(words(html)).not.toContain('Each side opens its device');
    expect(html).toContain('data-question="device"');
  });

  it('says with the step what the run showed, and does not decide what was not recorded', () => {
    const html = page(2, { state: 'running' });
    expect(html).toContain('data-verdict="none"');
    expect(words(html)).toContain('What this run recorded does not decide it.');
  });

  it.each(['step', 'all'] as const)('opens on the summary once a run is done (%s)', (mode) => {
    const html = page(ids.length, { state: 'done', mode });
    expect(title(html)).toBeUndefined();
    expect(html).toMatch(/aria-current="step"[^>]*data-summary/);
    expect(html).toContain('What you have seen');
    expect(html).toContain('href="/labs/minimal-flow?size=1"');
    expect(html).toContain('href="/labs/bulk"');
    expect(words(html)).toMatch(/Before step 1.*Step 1: Open the device/);
  });

  it('ends the last step on what was seen', () => {
    query = 'step=teardown';
    const html = page(ids.length, { state: 'done' });
    query = '';
    expect(title(html)).toBe('Tear down');
    expect(html).toContain('What you have seen');
    expect(html).not.toContain('data-next-step');
  });

  it('opens on the step that failed', () => {
    const html = page(5, { state: 'failed', mode: 'all', waitingFor: null }, false);
    expect(title(html)).toBe('RESET to INIT');
    expect(html).not.toContain('What you have seen');
    expect(html).not.toContain('data-summary');
  });

  it('does not say that all was seen when the run was cancelled', () => {
    const html = page(3, { state: 'cancelled', waitingFor: null });
    expect(title(html)).toBe('Create the queues');
    expect(html).not.toContain('What you have seen');
    expect(html).not.toContain('Run the rest');
  });

  it('shows the step that was chosen', () => {
    query = 'step=device';
    expect(title(page(3, { state: 'running' }))).toBe('Open the device');
    query = '';
  });
});
