// npm test [-- stage …]: sets up, then runs every stage (or those named) and ends with one line of counts.
import { run, step, done, warn, Trouble } from './lib/say.mjs';
import { setup } from './lib/setup.mjs';
import { prepareReports, stages } from './lib/stages.mjs';

const usage = `npm test [-- STAGE …]

Sets up what is missing, then runs the stages in order. Without names, all of them:
  lint        ESLint, Prettier, clang-format, types of the tests
  native      unit, property and simulation tests of the device and the measuring loops
  sanitized   the same unit tests under AddressSanitizer and UBSan
  fuzz        each fuzzer for VERBSLAB_FUZZ_SECONDS (30)
  typescript  packages, agent, endpoints, dashboard models
  stock       the distribution's RDMA programs on the device
  browser     Playwright against the real agent
`;

await run(async () => {
  const names = process.argv.slice(2);
  if (names.includes('--help')) return void process.stdout.write(usage);
  const unknown = names.filter((name) => !(name in stages));
  if (unknown.length > 0) throw new Trouble(`no such stage: ${unknown.join(', ')}\n\n${usage}`);
  await setup({ test: true });
  prepareReports();
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const name of names.length > 0 ? names : Object.keys(stages)) {
    const started = Date.now();
    step(`${name} …`);
    let counts;
    try {
      counts = await stages[name]();
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      warn(error.message);
      counts = { passed: 0, failed: 1 };
    }
    for (const key of Object.keys(total)) total[key] += counts[key] ?? 0;
    const line = `${name}: ${counts.passed} passed, ${counts.failed} failed in ${Math.round((Date.now() - started) / 1000)} s`;
    (counts.failed > 0 ? warn : done)(line);
  }
  if (total.skipped > 0) step(`${total.skipped} skipped; each says why above`);
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
  if (total.failed > 0) process.exitCode = 1;
});
