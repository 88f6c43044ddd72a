// The embedded device beside the kernel's SoftRoCE in one virtual machine, by perftest, in pairs.
import { readState } from '../apps/agent/src/vms/state.js';
import { Machines, type Device, type End } from '../e2e/vm/guest.js';
import { bandwidth, latency, type Bandwidth } from './lib/guest-perftest.js';
import { benchOptions, paired, runCases, type Cases, type Target } from './lib/paired.js';

const { pairs, ...chosen } = benchOptions();

/** Two, as the prototype had whose figures the targets come from: one for each of the processes. */
const CPUS = 2;
const MTU = 4500;
const KIB = 1024;

let machines: Machines | null = null;

/** Brings the machine up, and says what it is. */
async function bringUp(): Promise<string> {
  machines = new Machines();
  process.stderr.write('Starting a virtual machine\n');
  // Machines that are up are taken as they are.
  const form = readState(machines.folder) ? {} : { count: 1, cpus: CPUS, mtu: MTU };
  const { cpus, accel, kernel } = await machines.up(form);
  return `Linux ${kernel}, ${cpus} CPUs, ${accel === 'kvm' ? 'KVM' : 'software emulation'}`;
}
/** The machine of all rows. The first row starts it: a bad option needs no machine. */
let machine: Promise<string> | null = null;

function on(device: Device): End {
  if (!machines) throw new Error('the machine is not up');
  return { vm: machines.get('a'), device };
}

/** uroce against rxe by the same program with the same options. */
function row(what: string, unit: string, measure: (end: End) => Promise<number>, target: Target) {
  return async () => {
    const inside = await (machine ??= bringUp());
    const name = `${what}: uroce against rxe (${inside})`;
    return paired(
      name,
      unit,
      pairs,
      () => measure(on('uroce')),
      () => measure(on('rxe')),
      target,
    );
  };
}

interface Bulk {
  program?: string;
  size: number;
  options?: readonly string[];
  what?: string;
  unit: string;
  of: (figures: Bandwidth) => number;
  target: Target;
}

function bulk({ program = 'ib_write_bw', size, options = [], what = '', unit, of, target }: Bulk) {
  const words = ['-s', String(size), '-m', '4096', ...options];
  const measure = async (end: End) => of(await bandwidth(end, program, words));
  return row(`${what}${program} ${words.join(' ')}`, unit, measure, target);
}

function roundTrip(program: string, size: number, iterations: number, atMost: number) {
  const words = ['-s', String(size), '-n', String(iterations), '-m', '4096'];
  return row(`${program} ${words.join(' ')}`, 'us', (end) => latency(end, program, words), { atMost });
}

const goodput = { unit: 'Gb/s', of: ({ gbps }: Bandwidth) => gbps };

const cases: Cases = {
  'write-64k': bulk({ ...goodput, size: 64 * KIB, target: { atLeast: 1.6 } }),
  'write-4k': bulk({ ...goodput, size: 4 * KIB, target: { atLeast: 2.5 } }),
  'read-64k': bulk({ ...goodput, program: 'ib_read_bw', size: 64 * KIB, target: { atLeast: 1.3 } }),
  'write-64-list': bulk({
    size: 64,
    options: ['-l', '32'],
    unit: 'M/s',
    of: ({ millions }) => millions,
    target: { atLeast: 12 },
  }),
  'write-lat-2': roundTrip('ib_write_lat', 2, 2000, 1.2),
  'write-lat-64k': roundTrip('ib_write_lat', 64 * KIB, 500, 0.8),
  'send-lat-2': roundTrip('ib_send_lat', 2, 2000, 1.2),
  'send-lat-64k': roundTrip('ib_send_lat', 64 * KIB, 500, 0.8),
  'cpu-64k': bulk({
    size: 64 * KIB,
    what: 'CPU of the whole machine by ',
    unit: 's/GB',
    of: ({ cpuPerGB }) => cpuPerGB,
    target: { atMost: 0.7 },
  }),
};

const down = async () => machines?.down();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void down().finally(() => process.exit(130)));
try {
  await runCases(cases, chosen);
} finally {
  await down();
}
