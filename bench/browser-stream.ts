// Completion records from an endpoint to a real page: records per second with none lost, and frames drawn meanwhile.
import { fork, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { newHome, removeHome } from '../e2e/lib/agent.js';
import { Page } from './lib/page.js';
import { spread } from './lib/paired.js';
import { ended } from './lib/process.js';
import type { Answer, Command } from './stream/messages.js';
import {
  frameFigures,
  SETTLED,
  OPEN_PANELS,
  SHOW_COMPLETIONS,
  START,
  STOP,
  type FrameFigures,
  type Frames,
  type Look,
} from './stream/probe.js';

/** Records per second that are promised with a page that draws smoothly. */
const TARGET = 1_000_000;
/** Records per second that are promised without a loss. */
const WHOLE_TARGET = 3_000_000;
/** Frames per second that count as 60. The row also has the page's own rate while nothing flows. */
const FRAMES_TARGET = 59;
const IDLE_MS = 2_000;

const { values } = parseArgs({
  options: {
    // Millions of records per second, one run each; the first shows what the page costs without the flood.
    rates: { type: 'string', default: '0.001,0.25,0.5,1,1,1,2,3,3,3' },
    seconds: { type: 'string', default: '8' },
    json: { type: 'boolean', default: false },
    // All in the database, instead of up to the limit of a run.
    'record-all': { type: 'boolean', default: false },
    // Another build of the dashboard.
    site: { type: 'string' },
    // Folder and file for CPU profiles of the agent and of the page.
    'cpu-prof': { type: 'string' },
    'page-prof': { type: 'string' },
    screenshot: { type: 'string' },
  },
});
const rates = values.rates.split(',').map((text) => Number(text) * 1e6);
const seconds = Number(values.seconds);
if (rates.some((rate) => !(rate > 0))) throw new RangeError('--rates wants millions a second: 0.5,1,2');
if (!(seconds > 0)) throw new RangeError('--seconds wants a number above 0');

/** The agent's process. */
class Agent {
  readonly #child: ChildProcess;
  readonly #answers: Answer[] = [];
  #look: () => void = () => undefined;

  constructor(home: string) {
    const path = fileURLToPath(new URL('./stream/agent.ts', import.meta.url));
    const profile = values['cpu-prof'];
    this.#child = fork(path, {
      execArgv: ['--import', 'tsx', ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [])],
      env: {
        ...process.env,
        VERBSLAB_HOME: home,
        ...(values['record-all'] ? { RECORD_ALL: '1' } : {}),
        ...(values.site ? { SITE: values.site } : {}),
      },
    });
    this.#child.on('message', (answer: Answer) => {
      this.#answers.push(answer);
      this.#look();
    });
    this.#child.once('exit', () => this.#look());
  }

  send(command: Command): void {
    this.#child.send(command);
  }

  /** The next answer, which has to be of this type. */
  async next<T extends Answer['type']>(type: T): Promise<Extract<Answer, { type: T }>> {
    while (this.#answers.length === 0) {
      if (this.#child.exitCode !== null) throw new Error(`the agent ended with ${this.#child.exitCode}`);
      await new Promise<void>((resolve) => (this.#look = resolve));
    }
    const answer = this.#answers.shift() as Answer;
    if (answer.type !== type) throw new Error(`${type} was expected of the agent: ${JSON.stringify(answer)}`);
    return answer as Extract<Answer, { type: T }>;
  }

  async close(): Promise<void> {
    if (this.#child.connected) this.send({ type: 'close' });
    await ended(this.#child);
  }
}

interface Row {
  recordsPerSecond: number;
  /** Records written at the source; `lostAtSource` were lost in the ring before the endpoint could send them. */
  written: number;
  lostAtSource: number;
  /** Records by the counter of the page. */
  received: number;
  shownAsDropped: number;
  lost: number;
  /** Records lost without a word from the page, or falsely reported as lost: 0 at any rate. */
  unaccounted: number;
  /** Arrival rate at the page, from the first look that saw any to the one that saw all. */
  arrivedPerSecond: number;
  idle: FrameFigures;
  frames: FrameFigures;
  agentCores: number;
  browserCores: number;
  /** Records beyond the limit of what a run keeps: shown live only. */
  notRecorded: number;
}

function arrivalRate(looks: readonly Look[], settled: Look): number {
  const first = looks.findIndex(({ received }) => received > 0);
  const start = looks[Math.max(0, first - 1)];
  const end = looks.find(({ received }) => received >= settled.received) ?? settled;
  return start ? (1000 * (settled.received - start.received)) / (end.t - start.t) : NaN;
}

const wait = (ms: number): string => `new Promise((done) => setTimeout(done, ${ms}))`;

async function measure(agent: Agent, url: string, page: Page, recordsPerSecond: number): Promise<Row> {
  agent.send({ type: 'start', recordsPerSecond, seconds });
  const { runId } = await agent.next('started');
  await page.goto(`${url}/runs/view?id=${runId}`);
  await page.waitFor('main [data-state=running]');
  await page.waitFor('#panels > summary');
  await page.evaluate(OPEN_PANELS);
  await page.waitFor('[data-panel=completions]');
  await page.evaluate(SHOW_COMPLETIONS);
  await page.evaluate(START);
  await page.evaluate(wait(IDLE_MS));
  const idle = frameFigures((await page.evaluate<Frames>(STOP)).gaps);

  if (values['page-prof']) await page.startProfile();
  await page.evaluate(START);
  const cpu = page.cpuSeconds();
  agent.send({ type: 'go' });
  const { sent, cpuSeconds } = await agent.next('sent');
  const { gaps, looks } = await page.evaluate<Frames>(STOP);
  const browserCpu = page.cpuSeconds() - cpu;
  const { notRecorded } = await agent.next('ended');
  const settled = await page.evaluate<Look>(SETTLED(sent.written));
  if (values['page-prof']) writeFileSync(values['page-prof'], await page.stopProfile());
  if (values.screenshot) writeFileSync(values.screenshot, await page.screenshot());
  return {
    recordsPerSecond,
    written: sent.written,
    lostAtSource: sent.dropped,
    received: settled.received,
    shownAsDropped: settled.dropped,
    lost: sent.written - settled.received,
    unaccounted: sent.written - settled.received - settled.dropped,
    arrivedPerSecond: arrivalRate(looks, settled),
    idle,
    frames: frameFigures(gaps),
    agentCores: cpuSeconds / sent.seconds,
    browserCores: browserCpu / sent.seconds,
    notRecorded,
  };
}

const count = (value: number): string => Math.round(value).toLocaleString('en-GB');
const frameText = ({ perSecond, late, p99Ms, longestMs }: FrameFigures): string =>
  `${perSecond.toFixed(1)} frames/s, ${(100 * late).toFixed(1)} % late, 99 % within ${p99Ms.toFixed(0)} ms, longest ${longestMs.toFixed(0)} ms`;

function print(row: Row): void {
  process.stdout.write(
    `${count(row.recordsPerSecond)} records/s\n` +
      `    sent ${count(row.written)}, received ${count(row.received)}, lost ${count(row.lost)}` +
      ` (shown as dropped: ${count(row.shownAsDropped)}; in the source’s ring: ${count(row.lostAtSource)}), arrived at ${count(row.arrivedPerSecond)}/s\n` +
      (row.unaccounted === 0 ? '' : `    NOT ACCOUNTED FOR: ${count(row.unaccounted)} records\n`) +
      `    page while records flow: ${frameText(row.frames)}\n` +
      `    page before:             ${frameText(row.idle)}\n` +
      `    CPU: agent ${row.agentCores.toFixed(2)} cores, browser ${row.browserCores.toFixed(2)} cores\n`,
  );
}

const home = newHome();
const agent = new Agent(home);
const rows: Row[] = [];
try {
  const { loginUrl, url } = await agent.next('up');
  const page = await Page.open();
  try {
    await page.goto(loginUrl);
    await page.waitFor('main');
    for (const rate of rates) {
      const row = await measure(agent, url, page, rate);
      rows.push(row);
      if (!values.json) print(row);
    }
  } finally {
    await page.close();
  }
} finally {
  await agent.close();
  removeHome(home);
}

const whole = (row: Row): boolean => row.lost === 0 && row.unaccounted === 0;
const highest = Math.max(0, ...rows.filter(whole).map(({ recordsPerSecond }) => recordsPerSecond));
const promised = rows.filter(({ recordsPerSecond }) => recordsPerSecond === TARGET);
const framesAtTarget = promised.length > 0 ? spread(promised.map(({ frames }) => frames.perSecond)) : null;
const reached =
  framesAtTarget === null ? null : promised.every(whole) && framesAtTarget.median >= FRAMES_TARGET;
const fast = rows.filter(({ recordsPerSecond }) => recordsPerSecond === WHOLE_TARGET);
const wholeReached = fast.length > 0 ? fast.every(whole) : null;
if (values.json) {
  const summary = { highestWithoutLoss: highest, framesAtTarget, reached, wholeReached };
  process.stdout.write(`${JSON.stringify({ rows, ...summary }, null, 2)}\n`);
} else {
  process.stdout.write(`highest rate without loss: ${count(highest)} records/s\n`);
  if (framesAtTarget)
    process.stdout.write(
      `target ${count(TARGET)} records/s, none lost, 60 frames/s (at least ${FRAMES_TARGET} in the median of ${promised.length}: ${framesAtTarget.median.toFixed(1)}): ${reached ? 'reached' : 'MISSED'}\n`,
    );
  if (wholeReached !== null)
    process.stdout.write(
      `target ${count(WHOLE_TARGET)} records/s, none lost (${fast.filter(whole).length} of ${fast.length} without loss): ${wholeReached ? 'reached' : 'MISSED'}\n`,
    );
}
