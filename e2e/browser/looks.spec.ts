/**
 * Every page, light and dark, wide and narrow, compared with its reference in e2e/looks. The runs are recordings
 * (e2e/looks/runs), the clock stands still, and facts of the machine have fixed texts. `npm run looks` renews the references.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { EXERCISES, newWorksheet } from '@verbslab/labs/exercises';
import type { RunRecord } from '@verbslab/protocol';
import { newHome, removeHome, startAgent, verbslab, type RunningAgent } from '../lib/agent.js';
import { launchOptionsOfUsers } from '../lib/chromium.js';
import { test } from '../lib/page-test.js';
import { expectTakesKeys, signIn } from '../lib/page.js';

const folder = join(import.meta.dirname, '../looks');
const recorded = join(folder, 'runs');
/** Record of the browser that drew the references. Another major version may draw text and lines differently. */
const drawnBy = join(folder, 'drawn-by.json');

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [1440, 390] as const;
/** Height of the window, pixels. Content below it is drawn only after scrolling. */
const HEIGHT = 1200;
/** Time after all records, so that no run is in the future. */
const NOW = new Date('2026-12-01T12:00:00Z');

type Runs = Readonly<Record<string, string>>;

/** Name and address of each page. */
const PAGES: readonly (readonly [name: string, path: (runs: Runs) => string])[] = [
  ['home', () => '/'],
  ['labs', () => '/labs'],
  ['lab', () => '/labs/write-read'],
  ['exercises', () => '/labs/exercises'],
  ['runs', () => '/runs'],
  ...['minimal-flow', 'bulk', 'outstanding', 'program', 'clinic'].map(
    (name) => [`run-${name}`, (runs: Runs) => `/runs/view?id=${runs[name]}`] as const,
  ),
  ['packets', () => '/packets'],
  ['packets-run', (runs) => `/packets?run=${runs['minimal-flow']}&packet=2`],
  ['compare', (runs) => `/runs/compare?ids=${runs['bulk']},${runs['outstanding']}`],
  ['scatter', (runs) => `/runs/scatter?ids=${runs['bulk']},${runs['outstanding']},${runs['program']}`],
  ['notebook', () => '/notebook'],
  ['hosts', () => '/hosts'],
  ['sweeps', () => '/sweeps'],
  ['not-found', () => '/nowhere'],
];

/** Parts that depend on the day: the import time of a run. */
const masked = (page: Page) => [page.locator('p:has(> [data-shows=imported])')];

/** Facts of the machine. Their length decides where lines break, so a mask would not do. */
const factsOfHost = (page: Page) =>
  page.locator('main dl:has(dt:text-is("Kernel")) dd, [data-linked] h3 a, [data-linked] h3 + p');

/** Waits until nothing in the window waits for the agent or for code. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Reading the record…')).toHaveCount(0);
  const busy = () =>
    page
      .locator('main :is([aria-busy=true], .skeleton)')
      .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().top < innerHeight).length);
  await expect.poll(busy).toBe(0);
}

let home: string;
let agent: RunningAgent;
let runs: Runs;

const command = (...words: string[]): string =>
  execFileSync(process.execPath, [verbslab, ...words], {
    env: { ...process.env, VERBSLAB_HOME: home },
    encoding: 'utf8',
  });

test.beforeAll(async ({ browser }, { config }) => {
  const major = browser.version().split('.', 1)[0];
  const renew = config.updateSnapshots === 'all' || config.updateSnapshots === 'changed';
  if (renew) writeFileSync(drawnBy, `${JSON.stringify({ chromium: major }, null, 2)}\n`);
  const { chromium } = JSON.parse(readFileSync(drawnBy, 'utf8')) as { chromium: string };
  test.skip(
    chromium !== major,
    `The references were drawn by Chromium ${chromium}, and this is ${major}. npm run looks redraws them.`,
  );
  home = newHome();
  agent = await startAgent(home);
  for (const file of readdirSync(recorded).sort()) command('runs', 'import', join(recorded, file));
  const { runs: list } = JSON.parse(command('runs', '--json')) as { runs: RunRecord[] };
  runs = Object.fromEntries(list.map(({ lab, id }) => [lab, id]));
});
test.afterAll(async () => {
  await agent?.stop();
  if (home) removeHome(home);
});

test.use({
  launchOptions: launchOptionsOfUsers,
  timezoneId: 'UTC',
  locale: 'en-GB',
  reducedMotion: 'reduce',
});

for (const [name, path] of PAGES)
  test(`${name} looks like its reference`, async ({ page }) => {
    await signIn(page, agent);
    await page.clock.setFixedTime(NOW);
    // Exercises without kept numbers draw new ones.
    await page.addInitScript(
      (sheet) => localStorage.setItem('verbslab.worksheet', sheet),
      JSON.stringify(newWorksheet(EXERCISES, 1)),
    );
    await page.goto(`${agent.origin}${path(runs)}`);
    await expectTakesKeys(page);
    for (const width of WIDTHS)
      for (const colorScheme of THEMES) {
        await page.setViewportSize({ width, height: HEIGHT });
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await settled(page);
        await factsOfHost(page).evaluateAll((all) =>
          all.forEach((one) => {
            one.textContent = 'of this host';
          }),
        );
        await expect.soft(page).toHaveScreenshot(`${name}-${colorScheme}-${width}.png`, {
          mask: masked(page),
          maskColor: '#808080',
        });
      }
  });
