// The timeline of a capture of ten million packets: frames per second while it is panned with wheel, drag and keys (60 are promised), and the memory that the page takes (under 600 MB).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { newHome, removeHome, startAgent } from '../e2e/lib/agent.js';
import { spread } from './lib/paired.js';
import { Page } from './lib/page.js';
import { makeLongCapture } from './timeline/capture.js';
import { pan, zoomTo, type Hand, type Panned } from './timeline/panning.js';

const PACKETS = 10_000_000;
/** Frames per second that count as 60. */
const FRAMES_TARGET = 59;
const MEMORY_TARGET = 600e6;
const OPEN_MS = 240_000;
const SETTLE_MS = 1_000;

const VIEWS: readonly { name: string; part: number }[] = [
  { name: '9/10 of the capture', part: 0.9 },
  { name: 'a tenth', part: 0.1 },
  { name: 'a ten-thousandth', part: 1e-4 },
  { name: '200 packets', part: 2e-5 },
];
const HANDS: readonly Hand[] = ['wheel', 'drag', 'keys'];

const { values } = parseArgs({
  options: {
    packets: { type: 'string', default: String(PACKETS) },
    /** Seconds of panning for each row. */
    seconds: { type: 'string', default: '3' },
    /** A hand: wheel, drag or keys. */
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    /** File for a CPU profile of the page while it is panned. */
    'page-prof': { type: 'string' },
  },
});
if (values.help) {
  process.stdout.write(
    'npm run bench -- timeline [--packets N] [--seconds S] [--only wheel|drag|keys] [--json]\n',
  );
  process.exit(0);
}
const seconds = Number(values.seconds);
const packets = Number(values.packets);
if (!(seconds > 0)) throw new RangeError('--seconds wants a number above 0');
if (!Number.isInteger(packets) || packets < 1) throw new RangeError('--packets wants a whole number');

interface Row extends Panned {
  view: string;
  hand: Hand;
}

interface Memory {
  /** Bytes that the browser has more than with the empty page. */
  open: number;
  afterPanning: number;
  highest: number;
  objects: number;
  arrays: number;
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
const say = (text: string) => {
  if (!values.json) process.stdout.write(`${text}\n`);
};

async function settled(page: Page): Promise<number> {
  await page.collectGarbage();
  await wait(SETTLE_MS);
  return page.memoryBytes();
}

const folder = mkdtempSync(join(tmpdir(), 'verbslab-timeline-'));
const home = newHome();
const rows: Row[] = [];
let memory: Memory;
let openMs: number;
try {
  const file = join(folder, 'long.pcap');
  makeLongCapture(file, packets);
  const agent = await startAgent(home);
  const page = await Page.open();
  try {
    await page.goto(await agent.link());
    await page.waitFor('main');
    await page.goto(`${agent.origin}/packets?view=timeline`);
    await page.waitFor('input[type=file]');
    const empty = await settled(page);
    let highest = 0;
    const watch = setInterval(() => (highest = Math.max(highest, page.memoryBytes() - empty)), 100);
    const began = performance.now();
    await page.setFile('input[type=file]', file);
    await page.waitFor('[data-track-kind=ladder]', OPEN_MS);
    openMs = performance.now() - began;
    clearInterval(watch);
    const open = (await settled(page)) - empty;
    say(`${packets.toLocaleString('en-GB')} packets, open after ${(openMs / 1000).toFixed(1)} s`);
    if (values['page-prof']) await page.startProfile();
    for (const { name, part } of VIEWS)
      for (const hand of HANDS) {
        if (values.only !== undefined && hand !== values.only) continue;
        await zoomTo(page, part);
        await wait(SETTLE_MS);
        const row = { view: name, hand, ...(await pan(page, hand, 1000 * seconds, (1 - part) / part)) };
        rows.push(row);
        say(
          `${name}, ${hand}: ${row.perSecond.toFixed(1)} frames/s, ${row.drawnPerSecond.toFixed(1)} drawn/s, longest ${row.longestMs.toFixed(0)} ms;` +
            ` CPU per frame: main thread ${row.mainMs.toFixed(2)} ms, browser ${row.browserMs.toFixed(1)} ms`,
        );
      }
    if (values['page-prof']) writeFileSync(values['page-prof'], await page.stopProfile());
    const afterPanning = (await settled(page)) - empty;
    memory = { open, afterPanning, highest, ...(await page.heapBytes()) };
  } finally {
    await page.close();
    await agent.stop();
  }
} finally {
  removeHome(home);
  rmSync(folder, { recursive: true, force: true });
}

const frames = spread(rows.map(({ perSecond }) => perSecond));
const drawn = spread(rows.map(({ drawnPerSecond }) => drawnPerSecond));
const reached = {
  frames: Math.min(frames.min, drawn.min) >= FRAMES_TARGET,
  memory: Math.max(memory.open, memory.afterPanning) < MEMORY_TARGET,
};
const verdict = (ok: boolean) => (ok ? 'reached' : 'MISSED');
if (values.json)
  process.stdout.write(
    `${JSON.stringify({ packets, openMs, rows, memory, frames, drawn, reached }, null, 2)}\n`,
  );
else
  process.stdout.write(
    `frames/s, least of all rows: ${frames.min.toFixed(1)}, drawn ${drawn.min.toFixed(1)}  target ≥ ${FRAMES_TARGET}  ${verdict(reached.frames)}\n` +
      `memory beside an empty page: ${mb(memory.open)} open, ${mb(memory.afterPanning)} after panning, ${mb(memory.highest)} at most while it is read` +
      ` (JavaScript objects ${mb(memory.objects)}, typed arrays ${mb(memory.arrays)})  target < ${mb(MEMORY_TARGET)}  ${verdict(reached.memory)}\n`,
  );
