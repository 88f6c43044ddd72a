// Notes and tags of a run: written, saved by themselves, in conflict, over a lost connection, in the list and in the
// notebook.
import { pathToFileURL } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { agent, test } from '../lib/agent-test.js';
import { expectAccessible, exportFrom, keepFoldsOpen, keepScreenshots, signIn, state } from '../lib/page.js';

/** Runs a lab and returns the address of its run. */
async function ranQuick(page: Page): Promise<string> {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${agent.origin}/labs/minimal-flow`);
  await page.getByRole('button', { name: 'Run all steps' }).click();
  await expect(page).toHaveURL(/\/labs\/minimal-flow|\/runs\/view/);
  await page.goto(`${agent.origin}/runs`);
  await page.locator('[data-run] [data-open]').first().click();
  await expect(page).toHaveURL(/\/runs\/view\?id=[0-9a-z]{10}$/);
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  return page.url();
}

const section = (page: Page) => page.locator('[data-notes]');
const text = (page: Page) => page.getByRole('textbox', { name: 'Text of the note' });
const saveState = (page: Page) => page.locator('[data-save]');

const NOTE = `## What I saw

The peer was **slow**: see \`rnr_nak\` and [the page](https://example.org/rnr).

- [x] repeated
- [ ] explained

<img src="https://example.org/pixel.png" onerror="document.title='owned'"> ![plot](https://example.org/plot.png)

[bad](javascript:alert(1))

| QP | state |
| -- | ----- |
| 17 | RTS   |
`;

test('a note goes from a key press to the notebook', async ({ page }) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(agent.origin) && !request.url().startsWith('data:'))
      foreign.push(request.url());
  });
  const url = await ranQuick(page);
  await expect(section(page)).toHaveAttribute('data-notes', '0');
  // The section is one line high without a note.
  expect((await section(page).boundingBox())!.height).toBeLessThan(60);
  await keepScreenshots(page, 'notes-empty');

  await page.locator('h1').click();
  await page.keyboard.press('w');
  await expect(text(page)).toBeFocused();
  await text(page).fill(NOTE);
  await expect(saveState(page)).toHaveText('Saved.');
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(section(page).getByRole('heading', { name: 'What I saw' })).toBeVisible();
  await page.getByRole('button', { name: 'Edit text' }).click();

  const editor = page.getByRole('group', { name: 'Edit the note' });
  await editor.getByRole('button', { name: 'Tag', exact: true }).click();
  await editor.getByRole('combobox', { name: 'New tag for this note' }).fill('Not Good?');
  await expect(editor.getByRole('alert')).toContainText('a tag has at most 40 letters', { ignoreCase: true });
  await editor.getByRole('combobox', { name: 'New tag for this note' }).fill('RNR');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await editor.getByRole('textbox', { name: 'Moment' }).fill('200 µs');
  await expect(saveState(page)).toHaveText('Saved.');
  await keepScreenshots(page, 'notes-editor');
  await expectAccessible(page);
  await editor.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(editor).toHaveCount(0);

  // The preview has no HTML, no picture and no script, and its links do not give this page away.
  const note = section(page).locator('article');
  await expect(note.getByText('<img src="https://example.org/pixel.png"')).toBeVisible();
  await expect(note.locator('img')).toHaveCount(0);
  await expect(note.getByRole('link', { name: 'image: plot' })).toHaveAttribute('rel', /noopener/);
  await expect(note.getByRole('link', { name: 'bad' })).toHaveCount(0);
  await expect(note.getByRole('link', { name: /^at 200/ })).toHaveAttribute('href', /&t=200000$/);
  await expect(page).toHaveTitle(/^Run \d+/);

  // Tags of the run, completed from those in use.
  await section(page).getByRole('button', { name: 'Tag', exact: true }).click();
  const box = section(page).getByRole('combobox', { name: /^New tag for run/ });
  await box.fill('week 3');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(section(page).getByRole('button', { name: /^Remove the tag week-3/ })).toBeVisible();
  await keepScreenshots(page, 'notes-run');
  await expectAccessible(page);
  await page.reload();
  await expect(section(page)).toHaveAttribute('data-notes', '1');

  // The report of the run has the note as text.
  const report = await page.context().newPage();
  await report.goto(pathToFileURL(await exportFrom(page, /^Report \(HTML\)/, 'notes-report.html')).href);
  await expect(report.getByRole('heading', { name: 'What I saw' })).toBeVisible();
  await expect(report.getByText('#week-3')).toBeVisible();
  await expect(report.locator('img, script')).toHaveCount(0);
  await expect(report).toHaveTitle(/^Run \d+: /);
  await report.close();

  // The list of runs: shown, filtered by tag, and found by the text of the note.
  await page.goto(`${agent.origin}/runs`);
  const row = page.locator(`[data-run="${new URL(url).searchParams.get('id')}"]`);
  await expect(row.getByRole('link', { name: 'week-3' })).toBeVisible();
  await expect(row.locator('[data-shows="run-notes"]')).toHaveText('1 note');
  await keepScreenshots(page, 'notes-runs');
  await row.getByRole('link', { name: 'week-3' }).click();
  await expect(page).toHaveURL(/\/runs\?tag=week-3$/);
  await expect(row).toBeVisible();
  await page.goto(`${agent.origin}/runs?q=rnr_nak`);
  await expect(row).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search runs' }).fill('rnr_nak nothing');
  await expect(page.getByText('No run matches.')).toBeVisible();

  // The notebook, by key.
  await page.locator('h1').click();
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await expect(page).toHaveURL(/\/notebook$/);
  await expect(page.getByRole('link', { name: /^Run \d+: / })).toBeVisible();
  await keepScreenshots(page, 'notebook');
  await expectAccessible(page);
  await page.getByRole('searchbox', { name: 'Search notes' }).fill('slow');
  await expect(page.getByRole('status').filter({ hasText: '1 note found' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search notes' }).fill('nothing like it');
  await expect(page.getByText('No note matches.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all notes' }).click();
  await page.getByLabel('Tag').selectOption('rnr');
  await expect(page).toHaveURL(/tag=rnr/);
  await page.getByRole('link', { name: /^at 200/ }).click();
  await expect(page).toHaveURL(/\/runs\/view\?id=[0-9a-z]{10}&t=200000$/);
  expect(foreign).toEqual([]);
});

test('two pages that edit one note see each other, and neither loses its text', async ({ page, context }) => {
  const url = await ranQuick(page);
  await page.locator('h1').click();
  await page.keyboard.press('w');
  await text(page).fill('First.');
  await expect(saveState(page)).toHaveText('Saved.');
  await page.getByRole('button', { name: 'Done', exact: true }).click();

  const other = await context.newPage();
  await other.goto(url);
  await other.getByRole('button', { name: 'Edit the note' }).click();
  // Each page shows the other's changes at once, also in an editor without changes.
  await page.getByRole('button', { name: 'Edit the note' }).click();
  await text(page).fill('Second.');
  await expect(text(other)).toHaveValue('Second.');

  // Both pages have unsaved text.
  await text(page).fill('Mine, of this page.');
  await text(other).fill('Theirs, of the other page.');
  const either = () => Promise.all([page, other].map((one) => one.locator('[data-conflict]').count()));
  await expect.poll(async () => (await either()).reduce((a, b) => a + b)).toBe(1);
  const loser = (await either())[0] === 1 ? page : other;
  const winner = loser === page ? other : page;
  await expect(saveState(winner)).toHaveText('Saved.');
  const conflict = loser.locator('[data-conflict]');
  await expect(conflict).toContainText('Mine, of this page.');
  await expect(conflict).toContainText('Theirs, of the other page.');
  await keepScreenshots(loser, 'notes-conflict');
  await expectAccessible(loser);
  await conflict.getByRole('button', { name: 'Keep both' }).click();
  await expect(saveState(loser)).toHaveText('Saved.');
  await expect(text(winner)).toHaveValue(/(Mine|Theirs), of .*\n\n(Mine|Theirs), of /);
});

test('a note outlives the agent that it was written to', async ({ page }) => {
  await ranQuick(page);
  await page.locator('h1').click();
  await page.keyboard.press('w');
  await text(page).fill('Before.');
  await expect(saveState(page)).toHaveText('Saved.');
  await agent.kill();
  await expect(
    page.getByText('Everything below is as it was').or(page.getByRole('alert')).first(),
  ).toBeVisible();
  await text(page).fill('Written while the agent was down.');
  await expect(saveState(page)).toContainText('Not saved: the agent does not answer.');
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  // The editor stays open until the agent has the note.
  await expect(text(page)).toHaveValue('Written while the agent was down.');
  await keepScreenshots(page, 'notes-offline');
  await agent.startAgain();
  await expect(page.getByText('Written while the agent was down.')).toBeVisible();
  await expect(text(page)).toHaveCount(0);
  await page.goto(await agent.link());
  await page.goto(`${agent.origin}/notebook`);
  await expect(page.getByText('Written while the agent was down.')).toBeVisible();

  // Deleting the run says that the note goes too.
  await page.goto(`${agent.origin}/runs?q=${encodeURIComponent('agent was down')}`);
  await page.locator('[data-run] [data-open]').first().focus();
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('1 note on it is deleted too.');
  await keepScreenshots(page, 'notes-delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.goto(`${agent.origin}/notebook?q=${encodeURIComponent('agent was down')}`);
  await expect(page.getByText('No note matches.')).toBeVisible();
});
