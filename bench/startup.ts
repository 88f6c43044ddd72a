// Time from `npm start` on a built tree to a usable page (target under 1.2 s), and the JavaScript of home and of a run's page (gzip; under 200 and 500 kB).
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type Browser } from '@playwright/test';
import { newHome, removeHome } from '../e2e/lib/agent.js';
import { launchOptionsOfUsers } from '../e2e/lib/chromium.js';
import { SCRIPT_BUDGET, weighPages } from '../e2e/lib/scripts.js';
import { benchOptions, spread } from './lib/paired.js';

const root = join(import.meta.dirname, '..');

const TARGETS = { usableMs: 1200, ...SCRIPT_BUDGET };

/** Milliseconds from the command to its address, and to a page that shows a device and offers to learn and to measure. */
async function start(browser: Browser): Promise<{ address: number; usable: number }> {
  const home = newHome();
  const began = performance.now();
  const child = spawn('npm', ['start', '--silent', '--', '--no-open', '--port', '0'], {
    cwd: root,
    env: { ...process.env, VERBSLAB_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const found = /http:\/\/\S+\?code=\S+/.exec(line);
        if (found) resolve(found[0]);
      });
      child.once('exit', (code) => reject(new Error(`npm start ended with ${code}`)));
    });
    const address = performance.now() - began;
    const page = await browser.newPage();
    await page.goto(url, { waitUntil: 'commit' });
    await page.getByText('uroce0').first().waitFor();
    await page
      .getByRole('link', { name: /start the guided write/i })
      .first()
      .waitFor();
    await page
      .getByRole('link', { name: /start measuring/i })
      .first()
      .waitFor();
    const usable = performance.now() - began;
    await page.close();
    return { address, usable };
  } finally {
    // The group: npm, the start script and the agent.
    process.kill(-(child.pid as number), 'SIGTERM');
    await new Promise((resolve) =>
      child.exitCode === null ? child.once('exit', resolve) : resolve(undefined),
    );
    removeHome(home);
  }
}

const { pairs, json } = benchOptions();
const browser = await chromium.launch(launchOptionsOfUsers);
try {
  await start(browser);
  const runs: Awaited<ReturnType<typeof start>>[] = [];
  for (let run = 0; run < pairs; run++) runs.push(await start(browser));
  const result = {
    addressMs: spread(runs.map(({ address }) => address)),
    usableMs: spread(runs.map(({ usable }) => usable)),
    scriptBytes: await weighPages(browser),
  };
  if (json) {
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  } else {
    const ms = ({ median, min, max }: typeof result.usableMs) =>
      `${median.toFixed(0)} ms (${min.toFixed(0)}–${max.toFixed(0)})`;
    const verdict = (value: number, target: number) => (value < target ? 'reached' : 'MISSED');
    const { home, run } = result.scriptBytes;
    process.stdout.write(
      `address printed after ${ms(result.addressMs)}\n` +
        `usable page after ${ms(result.usableMs)}, target ${TARGETS.usableMs} ms: ${verdict(result.usableMs.median, TARGETS.usableMs)}\n` +
        `JavaScript of home ${(home / 1000).toFixed(1)} kB gzip, target ${TARGETS.home / 1000} kB: ${verdict(home, TARGETS.home)}\n` +
        `JavaScript of a run's page ${(run / 1000).toFixed(1)} kB gzip, target ${TARGETS.run / 1000} kB: ${verdict(run, TARGETS.run)}\n`,
    );
  }
} finally {
  await browser.close();
}
