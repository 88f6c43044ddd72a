// Programs written on the page: switched off, then each task in both languages, errors at their line, and a loop.
import { expect, type Page } from '@playwright/test';
import { findTask, TASKS } from '@verbslab/labs/workbench';
import { newHome, removeHome, startAgent, type RunningAgent } from '../lib/agent.js';
import { test } from '../lib/page-test.js';
import { expectAccessible, keepScreenshots, signIn } from '../lib/page.js';
import { installed } from '../stock/run.js';

const LANGUAGES = [
  { language: 'typescript', tab: 'TypeScript' },
  { language: 'c', tab: 'C' },
] as const;
/** Time limit of a run, ms. A program of Node takes a second to compile, more on a busy machine. */
const RUN_MS = 300_000;

const outcome = (page: Page) => page.locator('[data-outcome]');
const editor = (page: Page) => page.getByRole('textbox', { name: /^Program main/ });

async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

async function run(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled({ timeout: RUN_MS });
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+Enter');
}

test.describe('without the owner’s leave', () => {
  const home = newHome();
  let agent: RunningAgent;
  test.beforeAll(async () => {
    agent = await startAgent(home);
  });
  test.afterAll(async () => {
    await agent.stop();
    removeHome(home);
  });

  test('the page says why programs do not run and how to allow them, and keeps what is written', async ({
    page,
  }) => {
    await signIn(page, agent);
    await page.goto(`${agent.origin}/labs`);
    await page.getByRole('link', { name: 'Workbench', exact: true }).click();
    await expect(page.locator('[data-off]')).toContainText('Running programs is switched off');
    await expect(page.locator('[data-off]')).toContainText('npm start -- --allow-programs');
    await expect(page.locator('[data-task]')).toHaveCount(TASKS.length);
    await expect(page.getByText(`0 of ${TASKS.length} tasks passed.`)).toBeVisible();
    await expectAccessible(page);
    await keepScreenshots(page, 'workbench-off');

    await page.getByRole('link', { name: 'Set up a connection' }).first().click();
    await expect(page.getByRole('navigation', { name: 'Where you are' })).toContainText(
      'Workbench/Set up a connection',
    );
    await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
    await write(page, '// mine\n');
    await page.reload();
    await expect(editor(page)).toContainText('// mine');
    await page.getByRole('button', { name: 'Reset to the starter' }).click();
    await page.getByRole('button', { name: 'Reset', exact: true }).click();
    await expect(editor(page)).toContainText('openDevice');
  });
});

test.describe('with it', () => {
  const home = newHome();
  let agent: RunningAgent;
  test.beforeAll(async () => {
    agent = await startAgent(home, 0, {}, ['--allow-programs']);
  });
  test.afterAll(async () => {
    await agent.stop();
    removeHome(home);
  });

  for (const { language, tab } of LANGUAGES) {
    test(`each task is passed by its solution in ${tab}`, async ({ page }) => {
      test.skip(language === 'c' && !installed('gcc') && !installed('cc'), 'there is no C compiler');
      test.setTimeout(TASKS.length * RUN_MS);
      await signIn(page, agent);
      for (const [i, task] of TASKS.entries()) {
        if (i === 0) await page.goto(`${agent.origin}/workbench/${task.id}`);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(task.title);
        const chosen = page.getByRole('tab', { name: tab, exact: true });
        await chosen.click();
        await expect(chosen).toHaveAttribute('aria-selected', 'true');
        await expect(page.locator(`[data-editor=${language}]`)).toBeVisible();
        await page.getByRole('button', { name: 'Show a solution' }).click();
        const ask = page.getByRole('button', { name: 'Show it' });
        if (language === 'typescript') await ask.click();
        await page.getByRole('button', { name: 'Put it in the editor' }).click();
        await page.getByRole('button', { name: 'Replace it' }).click();
        await run(page);
        await expect(outcome(page), task.id).toHaveAttribute('data-outcome', 'passed', { timeout: RUN_MS });
        await expect(page.locator('[data-point][data-ok=true]')).toHaveCount(task.points.length);
        const next = TASKS[i + 1];
        if (next) await page.getByRole('link', { name: `Next task: ${next.title}` }).click();
      }
      await expectAccessible(page);
      await keepScreenshots(page, `workbench-passed-${language}`);
      await page.goto(`${agent.origin}/workbench`);
      await expect(page.locator('[data-task] [data-done]').first()).toContainText(tab);
      await expect(page.getByText(`${TASKS.length} of ${TASKS.length} tasks passed.`)).toBeVisible();
    });
  }

  test('a starter fails with points, a type error is shown at its line, and a loop is stopped', async ({
    page,
  }) => {
    test.setTimeout(3 * RUN_MS);
    const task = findTask('set-up')!;
    await signIn(page, agent);
    await page.goto(`${agent.origin}/workbench/set-up`);
    await run(page);
    await expect(outcome(page)).toHaveAttribute('data-outcome', 'failed', { timeout: RUN_MS });
    const timeout = page.locator('[data-point][data-ok=false]').filter({ hasText: 'timeout' });
    await expect(timeout.first()).toContainText(/RTS|never times out/);
    await expectAccessible(page);
    await keepScreenshots(page, 'workbench-failed');
    await page.locator('[data-next=objects] a').first().click();
    await expect(page.locator('#panel-objects')).toBeInViewport({ timeout: RUN_MS });
    await page.goBack();

    await page.locator('[data-api] > summary').click();
    await page.getByLabel('Search names and docs').fill('postSend');
    await page.locator('[data-export=Qp] summary').click();
    await expect(page.locator('[data-export=Qp]')).toContainText('postSend(');
    await expectAccessible(page);
    await keepScreenshots(page, 'workbench-api');

    // Completion and docs of packages/verbs, from the worker.
    await write(page, "import { openDevice } from '@verbslab/verbs';\nconst ctx = openDevice();\nctx.allo");
    await expect(page.locator('.cm-tooltip-autocomplete')).toContainText('allocPd', { timeout: RUN_MS });
    await page.keyboard.press('Escape');
    await page.keyboard.insertText('w();\n');
    await expect(page.locator('.cm-lintRange-error')).toHaveText('allow', { timeout: RUN_MS });

    await run(page);
    await expect(page.locator('[data-told]')).toContainText("Property 'allow' does not exist", {
      timeout: RUN_MS,
    });
    await expect(page.getByRole('main').getByRole('alert')).toContainText('does not compile');
    await expectAccessible(page);
    await keepScreenshots(page, 'workbench-type-error');

    // The cursor is far below the error, and the editor scrolls up to it.
    await write(page, `const first: number = 'one';\n${'\n'.repeat(200)}`);
    await run(page);
    await expect(page.locator('[data-told]')).toBeInViewport({ timeout: RUN_MS });

    await write(page, `${task.starter.typescript}\nfor (;;);\n`);
    await run(page);
    await expect(page.getByRole('main').getByRole('alert')).toContainText('The program was stopped after', {
      timeout: RUN_MS,
    });
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Look for a loop without an end');
    await page.getByRole('link', { name: /^Run \d+: machine/ }).click();
    await expect(page.locator('[data-panel=points] [data-point]').first()).toBeVisible();
    await page.getByRole('link', { name: 'Open it in the workbench' }).click();
    // The editor draws only lines in sight.
    await editor(page).click();
    await page.keyboard.press('ControlOrMeta+End');
    await expect(editor(page)).toContainText('for (;;)');
  });

  test('Escape, then Tab leaves the editor', async ({ page }) => {
    await signIn(page, agent);
    await page.goto(`${agent.origin}/workbench/set-up`);
    await editor(page).click();
    await page.keyboard.press('Tab');
    await expect(editor(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await expect(editor(page)).not.toBeFocused();
  });
});
