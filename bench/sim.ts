// The fabric simulator: packet events per second of CPU time, an incast, all-to-all of 256 and 512 hosts with their memory, and how the cost of an event grows.
import { benchOptions, figureRow, runCases, type Cases, type Row } from './lib/paired.js';
import { vlsim, type SimulatorRun } from './lib/vlsim.js';

const { pairs: runs, ...chosen } = benchOptions(3);

const incast = {
  duration_us: 50_000,
  topology: { kind: 'star', hosts: 17 },
  switch: { buffer_bytes: 4_000_000, pfc: true, ecn: { kmin_bytes: 400_000, kmax_bytes: 1_600_000 } },
  traffic: [{ kind: 'incast', to: 16 }],
};
/** A millisecond at 100 Gb/s, leaves and spines of 32 ports. */
const allToAll = (leaves: number) => ({
  duration_us: 1_000,
  topology: { kind: 'leaf-spine', leaves, spines: 16, hosts_per_switch: 16 },
  switch: { buffer_bytes: 32_000_000, pfc: true },
  transport: { window_bytes: 32_768, message_bytes: 65_536, depth: 2 },
  traffic: [{ kind: 'all-to-all' }],
});
const permutation = (hosts: number) => ({
  duration_us: 400_000 / hosts,
  topology: { kind: 'star', hosts },
  switch: { buffer_bytes: 1_000_000_000 },
  traffic: [{ kind: 'permutation' }],
});

/** The runs of a scenario, which must all be the same. */
async function repeated(scenario: object): Promise<SimulatorRun[]> {
  const all: SimulatorRun[] = [];
  for (let i = 0; i < runs; i++) all.push(await vlsim(scenario));
  if (all.some(({ trace }) => trace !== all[0]?.trace)) throw new Error('the same scenario went differently');
  return all;
}

const seconds = async (name: string, scenario: object, atMost: number): Promise<Row> =>
  figureRow(
    name,
    's',
    (await repeated(scenario)).map((run) => run.cpuSeconds),
    { atMost },
  );
const memory = async (name: string, scenario: object, atMost: number): Promise<Row> =>
  figureRow(
    name,
    'MiB',
    (await repeated(scenario)).map((run) => run.memoryMib),
    { atMost },
  );

const cases: Cases<Row> = {
  rate: async () =>
    figureRow(
      'incast of 16 hosts, packet events per second of CPU time',
      '/s',
      (await repeated(incast)).map((run) => run.packetEvents / run.cpuSeconds),
      { atLeast: 3e6 },
    ),
  incast: () => seconds('incast of 16 hosts, 50 ms', incast, 0.3),
  'all-to-all-256': () => seconds('all-to-all of 256 hosts, 1 ms', allToAll(16), 10),
  'memory-256': () => memory('all-to-all of 256 hosts, resident memory', allToAll(16), 1024),
  'all-to-all-512': () => seconds('all-to-all of 512 hosts, 1 ms', allToAll(32), 25),
  'memory-512': () => memory('all-to-all of 512 hosts, resident memory', allToAll(32), 1536),
  growth: async () => {
    const small = await repeated(permutation(16));
    const large = await repeated(permutation(512));
    const cost = (run: SimulatorRun) => run.cpuSeconds / run.packetEvents / Math.log2(run.waiting);
    return figureRow(
      'permutation of 512 hosts against 16, CPU time per event and per doubling of the events that wait',
      'times',
      large.map((run, i) => cost(run) / cost(small[i] as SimulatorRun)),
      { atMost: 2 },
    );
  },
};

await runCases(cases, chosen);
