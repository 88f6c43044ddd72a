// Audit of the pages: the test runs each lab and a program and checks every figure and every marked statement of their
// pages independently of the product's code (e2e/audit): by tshark and scapy over the capture, /proc of the endpoints,
// and its own arithmetic over the raw records.
import { spawn } from 'node:child_process';
import { expect, type Page } from '@playwright/test';
import { Audit } from '../audit/audit.js';
import { Evidence } from '../audit/evidence.js';
import { exportRun, itemsOf, type RunExport } from '../audit/export.js';
import { sum } from '../audit/figures.js';
import { loopsOf, ofAll } from '../audit/loops.js';
import { hashOf } from '../audit/memory.js';
import { ProcWatch } from '../audit/proc.js';
import { loopThread, starve } from '../audit/starve.js';
import { auditViews } from '../audit/views.js';
import { readWire, type Wire } from '../audit/wire.js';
import { verbslab } from '../lib/agent.js';
import { agent, test } from '../lib/agent-test.js';
import { downloadCapture, expectRun, keepFoldsOpen, runIdOf, signIn, state } from '../lib/page.js';
import { able, Programs } from '../stock/compile.js';
import { installed, listening, nextPort } from '../stock/run.js';

const ADDRESS = '127.0.0.43';

test.describe.configure({ mode: 'serial' });
test.beforeEach(async ({ page }) => {
  await signIn(page, agent);
  await keepFoldsOpen(page);
});

const exported = (page: Page): Promise<RunExport> => exportRun(page, runIdOf(page));

async function wireOf(page: Page, name: string): Promise<Wire> {
  return readWire(await downloadCapture(page, `audit-${name}.pcapng`));
}

/** Polls the export of the run until `ready` returns true. Returns the export. */
async function until(page: Page, ready: (data: RunExport) => boolean): Promise<RunExport> {
  let data = await exported(page);
  await expect.poll(async () => ready((data = await exported(page))), { intervals: [50] }).toBe(true);
  return data;
}

const OF_BULK = [
  ...['answer', 'parameters', 'duration', 'goodput', 'messages', 'cpu-app', 'cpu-sum', 'samples', 'p50'],
  ...['max', 'caveat', 'rounds-table', 'checks-passed', 'finding', 'check', 'counter', 'completions'],
  ...['rows of completions', 'chart-samples', 'chart-p99', 'goodput-series', 'cpu-series', 'cost-table'],
  'latency-table',
];
const OF_CAPTURE = ['capture', 'rows of packets'];

/** Evidence of the runs of these tests, by run ID, for the audit of the list of runs. */
const audited = new Map<string, Evidence>();

function keep(evidence: Evidence): Evidence {
  audited.set(evidence.data.run.id, evidence);
  return evidence;
}

/** Bytes that the client of a transport has moved so far. */
const movedBytes = (data: RunExport, over: 'rdma' | 'shm'): number =>
  sum(
    loopsOf(data)
      .filter(({ transport, role }) => transport === over && role === 'client')
      .map((loop) => ofAll(loop, 'bytes')),
  );

/** RDMA transports by the value of the lab's parameter, in the order in which their memory is registered. */
const OVER_VERBS: Readonly<Record<string, readonly ('rdma' | 'shm')[]>> = {
  'all-in-turn': ['rdma', 'shm'],
  'rdma-shm': ['shm'],
  'shm-and-tcp': ['shm'],
};

/** Waits until the page has drawn all completions, which it does a little after it reports the end of the run. */
async function allDrawn(page: Page, data: RunExport): Promise<void> {
  const all = sum(itemsOf(data, 'completions').map(({ count }) => count));
  await expect(page.locator('[data-shows=completions]')).toHaveText(all.toLocaleString('en-GB'));
}

/**
 * Runs the bulk lab from its page, watches /proc of its endpoints, and compares their memory during the run. `slow`:
 * the endpoint whose application hardly gets a core while the run measures.
 */
async function bulk(
  page: Page,
  asked: Readonly<Record<string, string>>,
  slow?: 'client' | 'server',
): Promise<Evidence> {
  await page.goto(`${agent.origin}/labs/bulk?${new URLSearchParams(asked)}`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expectRun(page);
  const opened = await until(page, (data) => itemsOf(data, 'endpoint').length === 2);
  const endpoints = itemsOf(opened, 'endpoint');
  const proc = new ProcWatch(endpoints.map(({ pid }) => pid!));
  let release: (() => void) | null = null;
  try {
    if (slow) {
      const { pid } = endpoints.find(({ role }) => role === slow)!;
      await expect.poll(() => loopThread(pid!), { intervals: [5] }).not.toBeNull();
      release = starve(loopThread(pid!)!);
    }
    const { parameters } = opened.run;
    // Messages fill all of the memory, except SENDs, which arrive in the same buffer.
    const length = Number(parameters.operation === 'send' ? parameters.size : parameters.memory);
    // Twice the length: messages in flight then write the same bytes again.
    const links = OVER_VERBS[parameters.transport as string] ?? ['rdma'];
    const moved = await until(page, (data) => links.every((link) => movedBytes(data, link) >= 2 * length));
    const different = links.filter((_, region) => {
      const [source, target] = ['client', 'server'].map((role) => hashOf(moved, role, 0, length, region));
      return source !== target;
    });
    await expect(state(page)).toHaveAttribute('data-state', 'done');
    release?.();
    await expect(page.locator('[data-findings]')).toBeVisible();
    const data = await exported(page);
    await allDrawn(page, data);
    const memory = different.length === 0 ? 'equal' : `different over ${different.join(' and ')}`;
    const wire = asked.capturePackets === '0' ? null : await wireOf(page, 'bulk');
    return keep(new Evidence(data, wire, { proc, memory, asked }));
  } finally {
    release?.();
    proc.stop();
  }
}

test('bulk over three transports in one round, all of it measured', async ({ page }) => {
  const evidence = await bulk(page, { repeat: '1', duration: '1', omit: '0', capturePackets: '512' });
  await auditViews(page, 'Run page of bulk, one round', evidence, [...OF_BULK, ...OF_CAPTURE]);
});

test('bulk over three transports in three rounds, each after a warm-up', async ({ page }) => {
  const evidence = await bulk(page, { duration: '1.2', omit: '0.1', capturePackets: '256' });
  await auditViews(page, 'Run page of bulk, three rounds', evidence, [
    ...[...OF_BULK, ...OF_CAPTURE],
    'goodput-spread',
    'cpu-sum-spread',
    'link-path',
  ]);
  expect(itemsOf(evidence.data, 'source').map(({ transport }) => transport)).toEqual(
    expect.arrayContaining(['rdma', 'shm', 'tcp']),
  );
});

test('bulk through shared memory alone', async ({ page }) => {
  const evidence = await bulk(page, {
    ...{ transport: 'rdma-shm', operation: 'send' },
    // The test reads the memory during the run, which takes a moment on a busy machine.
    ...{ repeat: '1', duration: '4', omit: '0', capturePackets: '128' },
  });
  await auditViews(page, 'Run page of bulk, shared memory alone', evidence, [...OF_BULK, ...OF_CAPTURE]);
});

test('bulk with READ over RDMA alone', async ({ page }) => {
  const evidence = await bulk(page, {
    ...{ transport: 'rdma', operation: 'read' },
    ...{ duration: '0.9', omit: '0', capturePackets: '128' },
  });
  await auditViews(page, 'Run page of bulk, READ over RDMA alone', evidence, [...OF_BULK, ...OF_CAPTURE]);
});

test('bulk with SEND, RDMA and TCP at once', async ({ page }) => {
  const evidence = await bulk(page, {
    ...{ transport: 'both-at-once', operation: 'send', repeat: '1' },
    // The warm-up leaves time to find the processes whose CPU time is watched.
    ...{ duration: '0.6', omit: '0.4', capturePackets: '128' },
  });
  expect(evidence.together).toBe(true);
  await auditViews(page, 'Run page of bulk, both at once', evidence, [...OF_BULK, ...OF_CAPTURE]);
});

test('bulk with more SENDs in flight than the target has receives for', async ({ page }) => {
  // The target posts 512 receives and has no time to post more. Its device answers the other SENDs with RNR NAKs. The
  // SENDs are retransmitted far more often than the check allows. A target that gets its core keeps up instead.
  const asked = {
    ...{ transport: 'rdma', operation: 'send', size: '64', depth: '4096', repeat: '1' },
    ...{ duration: '1.5', omit: '0', capturePackets: '0' },
  };
  const evidence = await bulk(page, asked, 'server');
  const checks = itemsOf(evidence.data, 'check');
  expect(checks.filter(({ ok }) => !ok).map(({ id }) => id)).toEqual(['recovery']);
  expect(checks.filter(({ applies }) => applies === false).map(({ id }) => id)).toEqual([
    ...['packets', 'icrc', 'tcp-bytes'],
  ]);
  await auditViews(page, 'Run page of bulk, a check that fails', evidence, [
    ...OF_BULK,
    'problems',
    'problem',
  ]);
});

test('the minimal flow, step by step', async ({ page }) => {
  await page.goto(`${agent.origin}/labs/minimal-flow`);
  await page.getByRole('button', { name: 'Step by step' }).click();
  const next = page.locator('[data-next-step]').getByRole('button', { name: /^Step \d+: / });
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
  // The bytes are at both ends now, and also back at the client behind the sent ones.
  const data = await exported(page);
  const size = Number(data.run.parameters.size);
  const [sent, there, back] = [
    hashOf(data, 'client', 0, size),
    hashOf(data, 'server', 0, size),
    hashOf(data, 'client', size, size),
  ];
  await page.getByRole('button', { name: 'Run the rest' }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  const memory = sent === there && sent === back ? 'equal' : 'different';
  const evidence = keep(new Evidence(await exported(page), await wireOf(page, 'minimal-flow'), { memory }));
  const audit = new Audit(evidence);
  for (const step of await page.locator('button[data-step]').all()) {
    await step.click();
    await expect(step).toHaveAttribute('aria-current', 'step');
    await audit.page(page, `Run page of the minimal flow, step ${await step.getAttribute('data-step')}`);
  }
  await page.getByRole('button', { name: 'Summary' }).click();
  await expect(page.locator('[data-term]').first()).toBeVisible();
  await audit.page(page, 'Run page of the minimal flow, summary');
  audit.expectAllJoined();
  expect([...audit.compared]).toEqual(
    expect.arrayContaining([
      ...['check', 'qp-state', 'exchanged', 'verb', 'stage', 'device-time', 'program-time'],
      ...['step-completions', 'no-completion', 'ladder-packet', 'packet-line', 'parameters'],
      ...['step-fact', 'step-counted', 'step-calls', 'step-objects'],
    ]),
  );
});

const exec = (options: string[], words: string[]) =>
  spawn(process.execPath, [verbslab, 'exec', ...options, '--', ...words], {
    env: { ...process.env, VERBSLAB_HOME: agent.home, UROCE_ADDR: ADDRESS },
    stdio: ['ignore', 'pipe', 'ignore'],
  });

test('a program under exec', async ({ page }) => {
  const port = 28_000 + (process.pid % 2000);
  const command = ['ibv_rc_pingpong', '-g', '1', '-n', '40', '-p', String(port)];
  await page.goto(`${agent.origin}/runs`);
  const server = exec([], command);
  let printed = '';
  server.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const ended = new Promise<number | null>((resolve) => server.once('close', resolve));
  await page.getByRole('link', { name: command.join(' ') }).click();
  // The server listens once its QP is made.
  await expect(page.locator('li[data-object^="QP "]')).toContainText('INIT');
  exec(['--no-agent'], [...command, '127.0.0.1']).stdout.resume();
  expect(await ended).toBe(0);
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  await expect(page.locator('[data-panel=counters] [data-shows=counter]').first()).toBeAttached();
  const program = { printed, exitCode: 0 };
  const evidence = keep(new Evidence(await exported(page), await wireOf(page, 'program'), { program }));
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

test('two programs connected to each other, one of which only lends its memory', async ({ page }) => {
  test.skip(!installed('ib_write_bw'), 'needs perftest');
  const port = nextPort();
  const command = ['ib_write_bw', '-x', '1', '-n', '500', '-p', String(port)];
  await page.goto(`${agent.origin}/runs`);
  const start = (...more: string[]) => {
    const program = exec([], [...command, ...more]);
    const said = { printed: '' };
    program.stdout.setEncoding('utf8').on('data', (text: string) => (said.printed += text));
    const ended = new Promise<number | null>((resolve) => program.once('close', resolve));
    return { said, ended };
  };
  const server = start();
  await page.getByRole('link', { name: command.join(' '), exact: true }).click();
  await expect.poll(() => listening(port), { intervals: [50] }).toBe(true);
  const client = start(ADDRESS);
  expect([await server.ended, await client.ended]).toEqual([0, 0]);
  await expect(state(page)).toHaveAttribute('data-state', 'done');
  // They become one run by themselves. Apart, each has its own page.
  await page.getByRole('button', { name: 'Separate…' }).click();
  await page
    .getByRole('dialog', { name: 'Separate this run' })
    .getByRole('button', { name: 'Separate', exact: true })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(command.join(' '));
  const served = await exported(page);
  const other = page.locator('[data-shows=peer-run]');
  await expect(other).toBeVisible();
  const asked = await exportRun(page, (await other.getAttribute('data-peer'))!);
  for (const [data, peer, { printed }] of [
    [served, asked, server.said],
    [asked, served, client.said],
  ] as const) {
    await page.goto(`${agent.origin}/runs/view?id=${data.run.id}`);
    await expect(page.locator('[data-panel=counters] [data-shows=counter]').first()).toBeAttached();
    await expect(page.locator('[data-shows=output]').first()).toBeAttached();
    const program = { printed, exitCode: 0 };
    const wire = await wireOf(page, `program-${data.run.number}`);
    const audit = new Audit(keep(new Evidence(data, wire, { program, peers: [peer] })));
    await audit.page(page, `Run page of run ${data.run.number}, a program with its peer`);
    expect([...audit.compared]).toEqual(
      expect.arrayContaining(['peer-run', 'peer-command', 'exec-command', 'program-answer']),
    );
  }
});

test('a program with more output than a run keeps', async ({ page }) => {
  const command = ['seq', '200000'];
  const program = exec([], command);
  let printed = '';
  program.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  expect(await new Promise<number | null>((resolve) => program.once('close', resolve))).toBe(0);
  await page.goto(`${agent.origin}/runs`);
  await page.getByRole('link', { name: command.join(' ') }).click();
  await expect(page.locator('[data-shows=output-left-out]')).toBeVisible();
  const evidence = keep(new Evidence(await exported(page), null, { program: { printed, exitCode: 0 } }));
  const audit = new Audit(evidence);
  await audit.page(page, 'Run page of a program with much output');
  expect([...audit.compared]).toEqual(
    expect.arrayContaining(['output', 'output-size', 'output-left-out', 'output-time']),
  );
});

test('a program whose request was refused', async ({ page }) => {
  test.skip(!able, 'needs a C compiler and the headers of libibverbs');
  const programs = new Programs();
  const refused = programs.compile('refused', ['-g']);
  const program = exec([], [refused]);
  let printed = '';
  program.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const code = await new Promise((resolve) => program.once('close', resolve));
  programs.remove();
  expect(code).toBe(3);
  await page.goto(`${agent.origin}/runs`);
  await page.getByRole('link', { name: 'refused', exact: true }).click();
  await expect(state(page)).toHaveAttribute('data-state', 'failed');
  // Each panel draws when its code and its data are there.
  for (const shows of ['counter', 'incident', 'problem', 'arrivals'])
    await expect(page.locator(`main [data-shows=${shows}]`).first()).toBeAttached();
  const ended = { printed, exitCode: 3 };
  const evidence = keep(
    new Evidence(await exported(page), await wireOf(page, 'refused'), { program: ended }),
  );
  await auditViews(page, 'Run page of a program that failed', evidence, [
    ...['incident', 'problems', 'problem', 'program-answer', 'arrivals', 'lives-table', 'exec-command'],
  ]);
});

/** Widths with different layouts: a table, a table with fewer columns, a list. */
const WIDTHS = [1440, 1024, 390];

test('the list of these runs', async ({ page }) => {
  await page.goto(`${agent.origin}/runs`);
  await expect(page.locator('main [data-run]')).toHaveCount(audited.size);
  const audit = new Audit(audited);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await audit.page(page, `List of runs, ${width} pixels wide`);
    const details = page.getByRole('button', { name: /^Details of run \d+$/ });
    for (const one of await details.all()) await one.click();
    await audit.page(page, `List of runs with all details, ${width} pixels wide`);
    for (const one of await details.all()) await one.click();
  }
  expect([...audit.compared]).toEqual(
    expect.arrayContaining([
      ...['run-number', 'run-title', 'run-parameters', 'state', 'problems', 'program-end', 'created'],
      ...['run-took', 'provider', 'run-goodput', 'run-cpu', 'run-p99'],
    ]),
  );
});
