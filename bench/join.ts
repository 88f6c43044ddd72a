// `runs join` of two runs of programs, by the number of their records: time, memory, and the longest time for which other clients get no answer.
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { AgentClient } from '../apps/agent/src/client/client.js';
import { addressOf } from '../apps/agent/src/client/find.js';
import { openHome } from '../apps/agent/src/config/home.js';
import { requireRunning } from '../apps/agent/src/config/instance.js';
import { newHome, removeHome, startAgent } from '../e2e/lib/agent.js';
import { writePair, type Kind } from './join/runs.js';

/** Promised of 300,000 records; twice as many may take 2.5 times the CPU time. */
const RECORDS = 300_000;
const SECONDS_TARGET = 5;
const GROWTH_TARGET = 2.5;
/** Differences below this are those of the machine. */
const SHORT_MS = 300;
const PING_MS = 5;

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: String(RECORDS) },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write('npm run bench -- join [--records N] [--only packets|events] [--json]\n');
  process.exit(0);
}
const records = Number(values.records);
if (!Number.isInteger(records) || records < 4) throw new RangeError('--records wants a whole number from 4');

interface Row {
  kind: Kind;
  records: number;
  ms: number;
  /** CPU time of the agent, which a busy machine does not stretch. */
  cpuMs: number;
  /** Memory of the agent at its highest, beyond what it had before, MB. */
  moreMB: number;
  /** The longest that another client waited for an answer meanwhile. */
  longestMs: number;
}

/** A figure of a process in kB, as the kernel names it. */
const statusOf = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** CPU time of a process so far, ms: user and system time, in hundredths of a second. */
const cpuOf = (pid: number): number => {
  const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = after.split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
};

async function joined(kind: Kind, count: number): Promise<Row> {
  const home = newHome();
  try {
    const parts = writePair(home, kind, count);
    const agent = await startAgent(home);
    try {
      const opened = openHome(home);
      const address = addressOf(await requireRunning(opened), opened);
      const [{ client }, { client: other }] = await Promise.all([
        AgentClient.connect(address),
        AgentClient.connect(address),
      ]);
      const pid = agent.process.pid!;
      const before = statusOf(pid, 'VmRSS');
      let [over, longestMs] = [false, 0];
      const pings = (async () => {
        while (!over) {
          const asked = performance.now();
          await other.request('ping', {});
          longestMs = Math.max(longestMs, performance.now() - asked);
          await wait(PING_MS);
        }
      })();
      const cpuBefore = cpuOf(pid);
      const began = performance.now();
      const { run } = await client.request('run.join', { runIds: parts.map(({ id }) => id) });
      const ms = performance.now() - began;
      const cpuMs = cpuOf(pid) - cpuBefore;
      over = true;
      await pings;
      const least = kind === 'packets' ? run.capture!.packets : run.lastSeq;
      if (least < count) throw new Error(`the joined run has ${least} records, not ${count}`);
      const moreMB = ((statusOf(pid, 'VmHWM') - before) * 1024) / 1e6;
      await Promise.all([client.close(), other.close()]);
      return { kind, records: count, ms, cpuMs, moreMB, longestMs };
    } finally {
      await agent.stop();
    }
  } finally {
    removeHome(home);
  }
}

const rows: Row[] = [];
const kinds = (['packets', 'events'] as const).filter((kind) => !values.only || values.only === kind);
for (const kind of kinds)
  for (const factor of [0.25, 0.5, 1, 2]) {
    const row = await joined(kind, 2 * Math.round((records * factor) / 2));
    rows.push(row);
    if (!values.json)
      process.stdout.write(
        `${row.records.toLocaleString('en-US')} ${kind}: ${(row.ms / 1000).toFixed(2)} s (${(row.cpuMs / 1000).toFixed(2)} s of CPU), ` +
          `${row.moreMB.toFixed(0)} MB more memory, longest wait of another client ${row.longestMs.toFixed(0)} ms\n`,
      );
  }
const misses = rows.flatMap((row, i) => {
  const half = rows[i - 1];
  const grew = half?.kind === row.kind && row.cpuMs > SHORT_MS ? row.cpuMs / half.cpuMs : 0;
  return [
    ...(row.records <= RECORDS && row.ms > SECONDS_TARGET * 1000
      ? [`${row.records} ${row.kind} took ${(row.ms / 1000).toFixed(1)} s (promised: ${SECONDS_TARGET} s)`]
      : []),
    ...(grew > GROWTH_TARGET
      ? [`twice the ${row.kind}, ${grew.toFixed(1)} times the CPU time (promised: ${GROWTH_TARGET})`]
      : []),
  ];
});
if (values.json) process.stdout.write(`${JSON.stringify({ rows, misses })}\n`);
else for (const miss of misses) process.stdout.write(`missed: ${miss}\n`);
process.exitCode = misses.length > 0 ? 1 : 0;
