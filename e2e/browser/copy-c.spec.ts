// The steps of a lab as C: the copied code compiles, and the program of all steps runs under `verbslab exec`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { verbslab } from '../lib/agent.js';
import { agent, test } from '../lib/agent-test.js';
import { expectAccessible, expectRun, keepFoldsOpen, signIn, state } from '../lib/page.js';
import { able } from '../stock/compile.js';

const STRICT = ['-Wall', '-Wextra', '-Werror'];

let folder: string;
/** The page of the run that the first test makes. */
let run: string;

test.describe.configure({ mode: 'serial' });
test.skip(!able, 'no C compiler, or no header of libibverbs');
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'verbslab-c-'));
});
test.afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Presses a copy button by key, waits for its confirmation, and returns the text of the clipboard. */
async function copied(page: Page, button: Locator): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await button.press('Enter');
  await expect(button.locator('xpath=following-sibling::*[@role="status"]')).toHaveText('Copied');
  let text = '';
  await expect
    .poll(async () => (text = await page.evaluate(() => navigator.clipboard.readText())))
    .not.toBe('');
  return text;
}

function compile(name: string, code: string, flags: readonly string[]): void {
  const source = join(folder, `${name}.c`);
  writeFileSync(source, code);
  const { status, stderr } = spawnSync('cc', [...STRICT, source, ...flags], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
}

test('calls, steps and the whole flow are copied as C that compiles and runs', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: agent.origin });
  await signIn(page, agent);
  await page.goto(`${agent.origin}/labs/minimal-flow`);
  await page.getByRole('button', { name: 'Run all steps' }).click();
  await expectRun(page);
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  run = page.url();

  const strip = page.locator('button[data-step]');
  await expect(strip).toHaveCount(12);
  await keepFoldsOpen(page);
  const steps = new Map<string, string>();
  for (const item of await strip.all()) {
    await item.click();
    await expect(item).toHaveAttribute('aria-current', 'step');
    const step = page.getByRole('button', { name: 'Copy step as C' });
    // Exchanging values is not a verbs call.
    if ((await step.count()) > 0)
      steps.set((await item.getAttribute('data-step'))!, await copied(page, step));
  }
  expect([...steps.keys()].join(' ')).toBe(
    'device memory queues init rtr rts write look read verify teardown',
  );
  compile('steps', [...steps.values()].join('\n'), ['-fsyntax-only']);

  // A single call, with the values that the page shows.
  const item = page.locator('button[data-step=write]');
  await item.click();
  await expect(item).toHaveAttribute('aria-current', 'step');
  const call = page.locator('[data-call=ibv_post_send]');
  const post = await copied(page, call.getByRole('button', { name: 'Copy ibv_post_send as C' }));
  const shown = await call.locator('[data-shows=verb]').innerText();
  const [, addr, rkey] = /\.remote_addr = (0x[0-9a-f]+), \.rkey = (0x[0-9a-f]+)/.exec(shown)!;
  expect(post).toMatch(new RegExp(`\\.remote_addr += ${addr}, .*\\n.*\\.rkey += ${rkey},`));
  compile(
    'call',
    `#include <infiniband/verbs.h>\n#include <stdio.h>\n\nint call(struct ibv_qp *client_qp)\n{\n${post}return 0;\n}\n`,
    ['-fsyntax-only'],
  );

  await page.locator('button[data-step=teardown]').click();
  const program = await copied(page, page.getByRole('button', { name: 'Copy program in C' }));
  const binary = join(folder, 'minimal-flow');
  compile('minimal-flow', program, ['-o', binary, '-libverbs']);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [verbslab, 'exec', '--no-agent', '--', binary],
    { encoding: 'utf8', env: { ...process.env, VERBSLAB_HOME: agent.home } },
  );
  expect(status, stderr).toBe(0);
  expect(stdout).toBe('10000 bytes written and read back\n');
  // No misuse is reported: nothing leaks.
  expect(stderr).toBe('');
  await expectAccessible(page);
});

test('the name of a call leads to its manual page', async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
  await page.goto(`${run}&step=teardown`);
  const name = page.getByRole('button', { name: 'ibv_destroy_qp', exact: true }).first();
  await name.press('Enter');
  const manual = page.getByRole('dialog', { name: 'Manual page of ibv_destroy_qp' });
  await expect(manual).toBeVisible();
  await expect(manual.getByText('man ibv_destroy_qp', { exact: true })).toBeVisible();
  // The call has the manual page of ibv_create_qp.
  await expect(manual.getByRole('link')).toHaveAttribute(
    'href',
    'https://man7.org/linux/man-pages/man3/ibv_create_qp.3.html',
  );
  const box = (await manual.boundingBox())!;
  const anchor = (await name.boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.y >= anchor.y + anchor.height || box.y + box.height <= anchor.y).toBe(true);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(manual).toBeHidden();
});
