// npm run nightly [-- STAGE …]: what takes too long for every change. Ends with one line of counts.
import { fuzz } from './lib/fuzz.mjs';
import { memorySoak } from './lib/memory-soak.mjs';
import { buildTests, product, tsan } from './lib/native-stages.mjs';
import { runStages } from './lib/run-stages.mjs';
import { add, single } from './lib/stage.mjs';
import { ensurePackages } from './lib/system-packages.mjs';

const PACKETS = Number(process.env.SIM_PACKETS ?? 100_000_000);
const MINUTES = Number(process.env.VERBSLAB_SOAK_MINUTES ?? 60);
const FABRIC_SECONDS = process.env.FABRIC_SECONDS ?? '600';
const RATE = Number(process.env.VERBSLAB_SOAK_RATE ?? 0);
/** Every night begins with other seeds; a failing one is printed and replays by --seed. */
const BASE_SEED = Number(process.env.SIM_BASE_SEED ?? Math.floor(Date.now() / 86_400_000) * 1_000_000);

const nights = {
  async simulation() {
    await buildTests('sim_tests');
    const options = ['--packets', String(PACKETS), '--base-seed', String(BASE_SEED)];
    const engine = await single(`${product}/tests/sim/sim_tests`, ['--gtest_filter=*Long*', ...options]);
    await buildTests('fabric_tests');
    const env = { FABRIC_SECONDS, FABRIC_BASE_SEED: String(BASE_SEED) };
    const fabric = `${product}/tests/fabric/fabric_tests`;
    return add(engine, await single(fabric, ['--gtest_filter=RandomFabrics.*'], { env }));
  },
  async fuzz() {
    const seconds = Number(process.env.VERBSLAB_FUZZ_SECONDS ?? 3600);
    const native = await fuzz(seconds);
    const readers = ['apps/agent/test/bundle-fuzz.test.ts', 'packages/roce/test/fuzz.test.ts'];
    const env = { VERBSLAB_FUZZ_SECONDS: String(seconds) };
    return add(native, await single('npx', ['vitest', 'run', ...readers], { env }));
  },
  async captures() {
    await buildTests('sim_captures');
    const captures = process.env.VERBSLAB_CAPTURES ?? '10000';
    const tests = ['packages/roce/test/diagnosis-random.test.ts', 'packages/roce/test/engine'];
    return single('npx', ['vitest', 'run', ...tests], { env: { VERBSLAB_CAPTURES: captures } });
  },
  tsan,
  vanish() {
    const env = { VERBSLAB_MOMENTS: 'all' };
    return single('npx', ['vitest', 'run', 'apps/agent/test/bad-input.test.ts'], { env });
  },
  kill() {
    const seconds = process.env.VERBSLAB_KILL_SECONDS ?? '300';
    return single('npx', ['vitest', 'run', 'e2e/stock/kill.test.ts'], {
      env: { VERBSLAB_KILL_SECONDS: seconds },
    });
  },
  calls: () =>
    single('npx', ['vitest', 'run', 'e2e/stock/leave-calls.test.ts'], { env: { VERBSLAB_CALLS: 'all' } }),
  async rxe() {
    await ensurePackages(['vm']);
    const labs = ['vitest', 'run', 'e2e/vm', '-t', 'the labs of the catalog on rxe'];
    return single('npx', labs, { env: { VERBSLAB_RXE_LABS: 'all' } });
  },
  /** A single stumble does not fail a night, as in CI: some figures need a core of their own for a moment. */
  variations: () => single('npx', ['vitest', 'run', '--project', 'variations', '--retry=1']),
  memory: () => memorySoak(MINUTES, RATE),
};

const usage = `npm run nightly [-- STAGE …]

Without names, all of them:
  simulation  the engine over a faulty network, SIM_PACKETS (100 million) packets from SIM_BASE_SEED (the day's);
              fabrics at random with faults and changes for FABRIC_SECONDS (600)
  fuzz        each fuzzer for VERBSLAB_FUZZ_SECONDS (3600), those of imports and of captures too
  captures    the diagnosis of VERBSLAB_CAPTURES (10,000) simulated captures with losses of known cause, of a model of the
              transport and of the engine
  tsan        the unit tests of the native part under ThreadSanitizer
  vanish      every lab loses an endpoint while it works, and after its first result
  kill        processes killed at random for VERBSLAB_KILL_SECONDS (300)
  calls       stock programs with each call of libc left to libc that exec stands in front of
  rxe         every lab between two virtual machines with the kernel's SoftRoCE
  variations  every lab with each of its named variations, and what its page says then
  memory      two processes at work for VERBSLAB_SOAK_MINUTES (60), at VERBSLAB_SOAK_RATE messages a second
              (0: as fast as both cores allow); neither may grow
`;

await runStages(nights, usage);
