// The pages state nothing that is not so: runs each lab and a program, and finds every figure and every marked statement of
// their pages by another road than the product's code (e2e/audit): tshark and scapy over the capture, /proc of the
// endpoints, and arithmetic of its own over the raw records.
import { spawn } from 'node:child_process';
import { expect, test, type Page } from '@playwright/test';
import { Audit } from '../audit/audit.js';
import { Evidence } from '../audit/evidence.js';
import { exportRun, itemsOf, type RunExport } from '../audit/export.js';
import { hashOf } from '../audit/memory.js';
import { ProcWatch } from '../audit/proc.js';
import { readWire, type Wire } from '../audit/wire.js';
import { newHome, removeHome, startAgent, verbslab, type RunningAgent } from '../lib/agent.js';
import { downloadCapture, state } from '../lib/page.js';

const ADDRESS = '127.0.0.43';

let home: string;
let agent: RunningAgent;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  home = newHome();
  agent = await startAgent(home);
});
test.afterAll(async () => {
  await agent.stop();
  removeHome(home);
});
test.beforeEach(async ({ page }) => {
  await page.goto(await agent.link());
});

const idOf = (page: Page): string => new URL(page.url()).searchParams.get('id')!;
const exported = (page: Page): Promise<RunExport> => exportRun(page, idOf(page));

async function wireOf(page: Page, name: string): Promise<Wire> {
  return readWire(await downloadCapture(page, `audit-${name}.pcapng`));
}

/** Polls the export of the run until it says so. */
async function until(page: Page, ready: (data: RunExport) => boolean): Promise<RunExport> {
  let data = await exported(page);
  await expect
    .poll(async () => ready((data = await exported(page))), { timeout: 60_000, intervals: [50] })
    .toBe(true);
  return data;
}

/** Charts first as charts, then all of them as tables. `expected`: statements that must have been compared. */
async function auditViews(page: Page, name: string, evidence: Evidence, expected: string[]): Promise<void> {
  const audit = new Audit(evidence);
  await audit.page(page, name);
  const tables = await page.getByRole('button', { name: /^Show the table behind/ }).all();
  for (let left = tables.length; left > 0; left--) {
    await page
      .getByRole('button', { name: /^Show the table behind/ })
      .first()
      .click();
    await expect(page.getByRole('button', { name: /^Show the table behind/ })).toHaveCount(left - 1);
  }
  await audit.page(page, `${name}, tables`);
  audit.expectAllJoined();
  expect([...audit.compared]).toEqual(expect.arrayContaining(expected));
}

const OF_BULK = [
  ...[
    'answer',
    'parameters',
    'capture',
    'duration',
    'goodput',
    'messages',
    'cpu-app',
    'cpu-sum',
    'samples',
    'p50',
    'max',
  ],
  ...['finding', 'check', 'counter', 'completions', 'rows of completions', 'rows of packets'],
  ...['chart-samples', 'chart-p99', 'goodput-series', 'cpu-series', 'cost-table', 'latency-table'],
];

/** Runs the bulk lab from its page, with /proc of its endpoints watched and their memory compared while it goes on. */
async function bulk(page: Page, parameters: string): Promise<Evidence> {
  await page.goto(`${agent.origin}/labs/bulk?${parameters}`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page).toHaveURL(/\/runs\/view/);
  const opened = await until(page, (data) => itemsOf(data, 'endpoint').length === 2);
  const proc = new ProcWatch(itemsOf(opened, 'endpoint').map(({ pid }) => pid!));
  try {
    // Once TCP runs, RDMA has written all of the memory, more than once.
    const moved = await until(page, (data) =>
      itemsOf(data, 'phase').some(({ id, phase }) => id.startsWith('tcp-1') && phase === 'begin'),
    );
    const length = Number(moved.run.parameters.memory);
    const [source, target] = ['client', 'server'].map((role) => hashOf(moved, role, 0, length));
    await expect(state(page)).toHaveAttribute('data-state', 'done', { timeout: 60_000 });
    await expect(page.locator('[data-findings]')).toBeVisible();
    const memory = source === target ? 'equal' : 'different';
    return new Evidence(await exported(page), await wireOf(page, 'bulk'), { proc, memory });
  } finally {
    proc.stop();
  }
}

test('bulk in one round, all of it measured', async ({ page }) => {
  const evidence = await bulk(page, 'repeat=1&duration=1&omit=0&capturePackets=512');
  await auditViews(page, 'Run page of bulk, one round', evidence, OF_BULK);
});

test('bulk in three rounds, each after a warm-up', async ({ page }) => {
  const evidence = await bulk(page, 'repeat=3&duration=1.2&omit=0.1&capturePackets=256');
  await auditViews(page, 'Run page of bulk, three rounds', evidence, [
    ...OF_BULK,
    'goodput-spread',
    'cpu-sum-spread',
  ]);
});

test('the minimal flow, step by step', async ({ page }) => {
  await page.goto(`${agent.origin}/labs/minimal-flow`);
  await page.getByRole('button', { name: 'Step by step' }).click();
  const next = page.getByRole('button', { name: 'Next step' });
  for (const step of [
    'device',
    'memory',
    'queues',
    'exchange',
    'init',
    'rtr',
    'rts',
    'write',
    'look',
    'read',
  ]) {
    await next.click();
    await expect(page.locator(`[data-step=${step}]`)).toHaveAttribute('data-state', 'done');
  }
  // The bytes lie at both ends now, and back at the client behind what it sent.
  const data = await exported(page);
  const size = Number(data.run.parameters.size);
  const [sent, there, back] = [
    hashOf(data, 'client', 0, size),
    hashOf(data, 'server', 0, size),
    hashOf(data, 'client', size, size),
  ];
  await page.getByRole('button', { name: 'Run remaining steps' }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  const evidence = new Evidence(await exported(page), await wireOf(page, 'minimal-flow'), {
    memory: sent === there && sent === back ? 'equal' : 'different',
  });
  const audit = new Audit(evidence);
  for (const step of await page.locator('button[data-step]').all()) {
    await step.click();
    await expect(step).toHaveAttribute('aria-current', 'step');
    await audit.page(page, `Run page of the minimal flow, step ${await step.getAttribute('data-step')}`);
  }
  audit.expectAllJoined();
  expect([...audit.compared]).toEqual(
    expect.arrayContaining([
      ...['check', 'qp-state', 'exchanged', 'verb', 'stage', 'device-time', 'program-time'],
      ...['step-completions', 'no-completion', 'ladder-packet', 'packet-line', 'parameters'],
    ]),
  );
});

test('a program under exec', async ({ page }) => {
  const port = 28_000 + (process.pid % 2000);
  const command = ['ibv_rc_pingpong', '-g', '1', '-n', '40', '-p', String(port)];
  const exec = (options: string[], words: string[]) =>
    spawn(process.execPath, [verbslab, 'exec', ...options, '--', ...words], {
      env: { ...process.env, VERBSLAB_HOME: home, UROCE_ADDR: ADDRESS },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  await page.goto(`${agent.origin}/runs`);
  const server = exec([], command);
  let printed = '';
  server.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const ended = new Promise<number | null>((resolve) => server.once('close', resolve));
  await page.getByRole('link', { name: command.join(' ') }).click();
  // The server listens once its QP is made.
  await expect(page.locator('[data-object^="QP "]')).toContainText('INIT');
  exec(['--no-agent'], [...command, '127.0.0.1']).stdout.resume();
  expect(await ended).toBe(0);
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await expect(page.locator('[data-panel=counters] [data-shows=counter]').first()).toBeAttached();
  const evidence = new Evidence(await exported(page), await wireOf(page, 'program'), {
    program: { printed, exitCode: 0 },
  });
  await auditViews(page, 'Run page of a program', evidence, [
    ...['command', 'posted-sends', 'posted-receives', 'lives-table', 'traffic-messages', 'traffic-bytes'],
    ...[
      'objects-made',
      'rows of objects',
      'completions',
      'rows of packets',
      'counter',
      'goodput-series',
      'cpu-series',
    ],
  ]);
});
