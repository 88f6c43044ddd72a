// npm run nightly [-- STAGE …]: what takes too long for every change. Ends with one line of counts.
import { exec } from './lib/exec.mjs';
import { memorySoak } from './lib/memory-soak.mjs';
import { done, run, step, Trouble, warn } from './lib/say.mjs';
import { setup } from './lib/setup.mjs';
import { prepareReports, stages } from './lib/stages.mjs';

const PACKETS = Number(process.env.SIM_PACKETS ?? 100_000_000);
const MINUTES = Number(process.env.VERBSLAB_SOAK_MINUTES ?? 60);
/** Every night begins with other seeds; a failing one is printed and replays by --seed. */
const BASE_SEED = Number(process.env.SIM_BASE_SEED ?? Math.floor(Date.now() / 86_400_000) * 1_000_000);

const single = async (program, args, env) => {
  const { code } = await exec(program, args, { allowFailure: true, env });
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
};

const nights = {
  async simulation() {
    const folder = 'native/build-tests';
    const release = ['-DVERBSLAB_TESTS=ON', '-DCMAKE_BUILD_TYPE=Release'];
    await exec('cmake', ['-S', 'native', '-B', folder, '-G', 'Ninja', ...release], { quiet: true });
    await exec('cmake', ['--build', folder, '--target', 'sim_tests'], { quiet: true });
    const options = ['--packets', String(PACKETS), '--base-seed', String(BASE_SEED)];
    return single(`${folder}/tests/sim/sim_tests`, ['--gtest_filter=*Long*', ...options]);
  },
  fuzz() {
    return stages.fuzz(Number(process.env.VERBSLAB_FUZZ_SECONDS ?? 600));
  },
  kill() {
    const seconds = process.env.VERBSLAB_KILL_SECONDS ?? '300';
    return single('npx', ['vitest', 'run', 'e2e/stock/kill.test.ts'], { VERBSLAB_KILL_SECONDS: seconds });
  },
  memory: () => memorySoak(MINUTES),
};

const usage = `npm run nightly [-- STAGE …]

Without names, all of them:
  simulation  the engine over a faulty network, SIM_PACKETS (100 million) packets from SIM_BASE_SEED (the day's)
  fuzz        each fuzzer for VERBSLAB_FUZZ_SECONDS (600)
  kill        processes killed at random for VERBSLAB_KILL_SECONDS (300)
  memory      two processes at work for VERBSLAB_SOAK_MINUTES (60); neither may grow
`;

await run(async () => {
  const names = process.argv.slice(2);
  if (names.includes('--help')) return void process.stdout.write(usage);
  const unknown = names.filter((name) => !(name in nights));
  if (unknown.length > 0) throw new Trouble(`no such stage: ${unknown.join(', ')}\n\n${usage}`);
  await setup({ test: true });
  prepareReports();
  const total = { passed: 0, failed: 0 };
  for (const name of names.length > 0 ? names : Object.keys(nights)) {
    step(`${name} …`);
    const counts = await nights[name]();
    total.passed += counts.passed;
    total.failed += counts.failed;
    (counts.failed > 0 ? warn : done)(`${name}: ${counts.passed} passed, ${counts.failed} failed`);
  }
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
  if (total.failed > 0) process.exitCode = 1;
});
