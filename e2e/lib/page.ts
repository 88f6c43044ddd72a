// Helpers of browser tests for a page: sign-in, pictures, exports, and accessibility by axe.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';
import type { RunningAgent } from './agent.js';

export const shots = join(import.meta.dirname, '../../artifacts/screenshots');
mkdirSync(shots, { recursive: true });

type Look = readonly ['light' | 'dark', number];

const FEW: readonly Look[] = [
  ['light', 1440],
  ['dark', 390],
];
const ALL = (['light', 'dark'] as const).flatMap((theme) =>
  [1440, 1024, 390].map((width): Look => [theme, width]),
);
const { VERBSLAB_SCREENSHOTS: asked } = process.env;
const LOOKS = asked === 'all' ? ALL : asked ? FEW : [];

/**
 * Keeps screenshots with the run's artifacts. VERBSLAB_SCREENSHOTS=few: light and wide, dark and narrow; =all: both
 * themes at 1440, 1024 and 390 pixels. Otherwise none: a picture of a long page takes most of a second.
 */
export async function keepScreenshots(page: Page, name: string): Promise<void> {
  if (LOOKS.length === 0) return;
  for (const [colorScheme, width] of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: join(shots, `${name}-${colorScheme}-${width}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Exports the run of the page by the Export menu. The file is kept with the run's artifacts. */
export async function exportFrom(page: Page, format: RegExp, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const item = page.getByRole('menuitem', { name: format });
  const [file] = await Promise.all([page.waitForEvent('download'), item.click()]);
  const path = join(shots, '..', name);
  await file.saveAs(path);
  return path;
}

export const downloadCapture = (page: Page, name: string): Promise<string> =>
  exportFrom(page, /^Capture \(pcapng\)/, name);

/** Signs the page's browser in, without the home page that a link would open. */
export const signIn = (page: Page, agent: RunningAgent): Promise<void> =>
  page.context().addCookies([agent.session]);

/** Resolves when a loaded page takes keys: it connects to the agent after that. */
export const expectTakesKeys = (page: Page): Promise<void> =>
  expect(page.getByRole('banner').getByText('Connected')).toBeVisible();

/** Address of a page with a run: that of the run, or that of the lab on which it was started. */
const RUN_ADDRESS = /\/runs\/view\?id=|\/labs\/[\w-]+\?run=/;

/** Resolves when the page has a run: a lab stays where it is when it is run. */
export const expectRun = (page: Page): Promise<void> => expect(page).toHaveURL(RUN_ADDRESS);

/** ID of the page's run. */
export function runIdOf(page: Page): string {
  const query = new URL(page.url()).searchParams;
  return query.get('id') ?? query.get('run')!;
}

/**
 * Opens every fold of the page, now and as it appears, so that a test has all of the page before it. A fold of panels draws
 * them when it is opened.
 */
export async function keepFoldsOpen(page: Page): Promise<void> {
  const open = (): void => {
    const folds = () => document.querySelectorAll<HTMLDetailsElement>('details[data-fold]:not([open])');
    const all = () => {
      for (const fold of folds()) fold.open = true;
    };
    all();
    new MutationObserver(all).observe(document, { childList: true, subtree: true });
  };
  await page.addInitScript(open);
  await page.evaluate(open);
}

/** Element with the state of the page's run. */
export const state = (page: Page) => page.locator('main [data-state]').first();

/** Bytes of a packet from the fifth line on. They are like the first four lines, and axe takes 15 s for 256 lines. */
const MORE_BYTES = '[data-hex] > :nth-child(n + 5)';

/**
 * Rules that can differ between the themes: colors. The rest is the same tree, and axe takes seconds for a long page.
 */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Elements that break one of these rules of axe (default: all), by rule. Axe runs only in the page, which has no
 * frames. Only violations leave the page: passing on everything would take as long as finding it.
 */
async function violationsOf(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(
    async ([excluded, values]) => {
      const { axe: here } = window as unknown as { axe: typeof axe };
      // A box in the drawing of a machine has all its texts in words as its name. The visible text is cut to the box,
      // and its parts have no space between them, so the rule does not find it in the name.
      here.configure({ rules: [{ id: 'label-content-name-mismatch', selector: ':not([data-node])' }] });
      const { violations } = await here.run(
        { exclude: [excluded] },
        {
          // Passes are not listed: a long page has thousands of them, each with a selector.
          resultTypes: ['violations'],
          ...(values ? { runOnly: { type: 'rule', values } } : {}),
        },
      );
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    },
    [MORE_BYTES, rules] as const,
  );
}

export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await violationsOf(page, colorScheme === 'light' ? undefined : COLOR_RULES);
    expect(violations.map((text) => `${colorScheme} ${text}`)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
