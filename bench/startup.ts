// From `npm start` on a built tree to a usable page (target under 2 s), and the home page's first-load JavaScript (under 250 kB gzip).
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser } from '@playwright/test';
import { newHome, removeHome } from '../e2e/lib/agent.js';
import { launchOptions } from '../e2e/lib/chromium.js';
import { benchOptions, spread } from './lib/paired.js';

const root = join(import.meta.dirname, '..');

/** Bytes, gzip, of every script that the exported home page asks for itself. */
function firstLoadBytes(): number {
  const out = join(root, 'apps/web/out');
  const html = readFileSync(join(out, 'index.html'), 'utf8');
  const sources = new Set(
    [...html.matchAll(/<script[^>]+src="([^"]+\.js)[^"]*"/g)].map(([, src]) => src as string),
  );
  return [...sources].reduce((sum, src) => sum + gzipSync(readFileSync(join(out, src))).length, 0);
}

/** Milliseconds from the command to its address, and to a page that shows a device and offers both labs. */
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
      .getByRole('link', { name: /minimal flow/i })
      .first()
      .waitFor();
    await page
      .getByRole('link', { name: /bulk transfers/i })
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
const browser = await chromium.launch(launchOptions);
try {
  await start(browser);
  const runs: Awaited<ReturnType<typeof start>>[] = [];
  for (let run = 0; run < pairs; run++) runs.push(await start(browser));
  const result = {
    addressMs: spread(runs.map(({ address }) => address)),
    usableMs: spread(runs.map(({ usable }) => usable)),
    firstLoadBytes: firstLoadBytes(),
  };
  if (json) {
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  } else {
    const ms = ({ median, min, max }: typeof result.usableMs) =>
      `${median.toFixed(0)} ms (${min.toFixed(0)}–${max.toFixed(0)})`;
    process.stdout.write(
      `address printed after ${ms(result.addressMs)}\n` +
        `usable page after ${ms(result.usableMs)}, target 2000 ms: ${result.usableMs.median < 2000 ? 'reached' : 'MISSED'}\n` +
        `first-load JavaScript ${(result.firstLoadBytes / 1000).toFixed(1)} kB gzip, target 250 kB: ${result.firstLoadBytes < 250_000 ? 'reached' : 'MISSED'}\n`,
    );
  }
} finally {
  await browser.close();
}
