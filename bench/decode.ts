// Captures in the browser: packets decoded per second in a worker (at least 1,000,000), its CPU time against tshark's for the same fields (at most half), and how soon a 100 MB file is open (under 5 s).
import { isDeepStrictEqual } from 'node:util';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { newHome, removeHome, startAgent } from '../e2e/lib/agent.js';
import { launchOptionsOfUsers } from '../e2e/lib/chromium.js';
import { makeCapture } from './decode/capture.js';
import { tsharkFields, type FieldSums } from './decode/fields.js';
import { serve } from './decode/site.js';
import { Page } from './lib/page.js';
import { benchOptions, figureRow, paired, runCases, type Row } from './lib/paired.js';

const FILE_BYTES = 100e6;
/** Payload per packet: as many packets as fit, and packets of a usual size. */
const SMALL = 64;
const USUAL = 1024;
const TARGETS = { packetsPerSecond: 1e6, cpuRatio: 0.5, openMs: 5_000 };

interface Decoded {
  ms: number;
  packets: number;
  sums?: FieldSums;
}

const options = benchOptions(3);
const folder = mkdtempSync(join(tmpdir(), 'verbslab-decode-'));

async function inWorker<T>(work: (page: Page) => Promise<T>): Promise<T> {
  const { url, server } = await serve(folder);
  const page = await Page.open();
  try {
    await page.goto(url);
    await page.waitFor('main');
    await page.evaluate(`ask({ url: '/small.pcap' })`);
    return await work(page);
  } finally {
    await page.close();
    server.close();
  }
}

const decode = (page: Page): Promise<Decoded> => page.evaluate<Decoded>('ask({})');

async function speed(): Promise<Row> {
  const rates = await inWorker(async (page) => {
    await decode(page);
    const all: number[] = [];
    for (let i = 0; i < options.pairs + 2; i++) {
      const { ms, packets } = await decode(page);
      all.push((1000 * packets) / ms);
    }
    return all;
  });
  return figureRow(
    `decode and diagnose packets of ${SMALL} B of payload in a browser worker`,
    'packets/s',
    rates,
    { atLeast: TARGETS.packetsPerSecond },
  );
}

function cpu(): Promise<Row> {
  const file = join(folder, 'small.pcap');
  return inWorker(async (page) => {
    const ours = await page.evaluate<Decoded>('ask({ sums: true })');
    const { sums } = await tsharkFields(file, true);
    if (!isDeepStrictEqual(ours.sums, sums))
      throw new Error(`the fields differ: ${JSON.stringify(ours.sums)}, tshark ${JSON.stringify(sums)}`);
    return paired(
      `CPU time for the fields of ${sums.packets} packets: all of the browser against tshark -T fields`,
      's',
      options.pairs,
      async () => {
        const before = page.cpuSeconds();
        await decode(page);
        return page.cpuSeconds() - before;
      },
      async () => (await tsharkFields(file, false)).cpuSeconds,
      { atMost: TARGETS.cpuRatio },
    );
  });
}

/** Time from the choice of a file to its first row on the Packets page of a real agent. */
async function opens(file: string, payload: number): Promise<Row> {
  const home = newHome();
  const agent = await startAgent(home);
  const browser = await chromium.launch(launchOptionsOfUsers);
  try {
    const times: number[] = [];
    for (let i = 0; i < options.pairs; i++) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(await agent.link());
      await page.goto(`${agent.origin}/packets`);
      const input = page.getByLabel('Capture file');
      await input.waitFor({ state: 'attached' });
      const began = performance.now();
      await input.setInputFiles(join(folder, file));
      await page.getByRole('gridcell').first().waitFor();
      times.push(performance.now() - began);
      await context.close();
    }
    const name = `open a file of ${FILE_BYTES / 1e6} MB with ${payload} B of payload per packet`;
    return figureRow(name, 'ms', times, { atMost: TARGETS.openMs });
  } finally {
    await browser.close();
    await agent.stop();
    removeHome(home);
  }
}

try {
  makeCapture(join(folder, 'small.pcap'), SMALL, FILE_BYTES);
  makeCapture(join(folder, 'usual.pcap'), USUAL, FILE_BYTES);
  await runCases<Row>(
    {
      speed,
      cpu,
      'open-small': () => opens('small.pcap', SMALL),
      'open-usual': () => opens('usual.pcap', USUAL),
    },
    options,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
