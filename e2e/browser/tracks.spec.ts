// A lab of every track, from the prediction to the self-checks, from a reader's view.
import { expect, type Locator, type Page } from '@playwright/test';
import { drawSelfChecks, findLab, LABS, type SelfCheck } from '@verbslab/labs';
import { TRACKS, type Prediction } from '@verbslab/protocol';
import { agent, test } from '../lib/agent-test.js';
import { expectAccessible, keepFoldsOpen, keepScreenshots, signIn } from '../lib/page.js';

/** Short labs that show their results on the page where they are started. */
const LAB_OF: Readonly<Record<string, string>> = {
  foundations: 'device-facts',
  verbs: 'write-imm',
  completions: 'cq-overrun',
  memory: 'mr-cache',
  sockets: 'gigabyte',
  wire: 'encapsulations',
  connections: 'cm-messages',
  loss: 'loss-amplification',
  'many-hosts': 'incast',
  fabrics: 'go-back-0-livelock',
  'ai-data': 'parameter-server',
  failures: 'retry-timers',
};

test.beforeEach(async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
});

test('every track has a lab here', () => {
  const tracks = TRACKS.map(({ id }) => id).filter((id) => LABS.some((lab) => lab.description.track === id));
  expect(Object.keys(LAB_OF).sort()).toEqual([...tracks].sort());
  for (const [track, lab] of Object.entries(LAB_OF)) expect(findLab(lab).description.track).toBe(track);
});

/** Options that have a button each; more of them are a menu. */
const FEW_OPTIONS = 6;

async function predict(form: Locator, prediction: Prediction): Promise<void> {
  if (prediction.kind === 'number')
    return form.getByRole('textbox', { name: prediction.text, exact: true }).fill('3');
  const names = prediction.options.map(({ text }) => text);
  const asked = form.getByRole('group', { name: prediction.text, exact: true });
  if (prediction.kind === 'choice' && names.length > FEW_OPTIONS)
    return void asked.getByRole('combobox').selectOption({ label: names[0]! });
  if (prediction.kind === 'choice') return asked.getByLabel(names[0]!, { exact: true }).check();
  for (const name of names) await asked.getByRole('button', { name }).click();
}

async function answer(page: Page, check: SelfCheck): Promise<void> {
  const question = page.locator(`[data-self-check="${check.id}"]`);
  if (check.kind === 'number') await question.getByRole('textbox').fill(String(check.answer));
  else {
    const right = check.options.find(({ id }) => id === check.answer)!;
    await question.getByLabel(right.text, { exact: true }).check();
  }
  await question.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(question.locator('[data-verdict=right]')).toBeVisible();
}

for (const [track, id] of Object.entries(LAB_OF))
  test(`${track}: a reader predicts, runs and explains ${id}, and answers its self-checks`, async ({
    page,
  }) => {
    const { description, selfChecks } = findLab(id);
    const { predictions = [], variations = [] } = description;
    await page.goto(`${agent.origin}/labs/${id}`);
    await expect(page.getByRole('heading', { level: 1, name: description.question })).toBeVisible();
    await expect(page.getByText('Run the lab first.')).toBeVisible();
    const form = page.getByRole('region', { name: 'Your prediction' });
    for (const one of predictions) await predict(form, one);
    const quick = variations.find(({ name }) => name === 'quick');
    if (quick) await page.getByRole('button', { name: quick.title, exact: true }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.locator('main [data-state=done]').first()).toBeVisible();

    await expect(page.locator('[data-shows=result-predicted]')).toHaveCount(predictions.length);
    for (const measured of await page.locator('[data-shows=result-measured]').allInnerTexts())
      expect(measured).toMatch(/^(?!not (?:yet )?measured)/);
    await expect(page.locator('[data-reading]')).toBeVisible();
    await expect(page.getByText('Run the lab first.')).toHaveCount(0);
    for (const check of drawSelfChecks(selfChecks, 0)) await answer(page, check);
    await keepScreenshots(page, `track-${track}`);
    await expectAccessible(page);
  });
