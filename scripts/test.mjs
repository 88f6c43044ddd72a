// npm test [-- stage …]: sets up, then runs every stage (or those named) and ends with one line of counts.
import { runStages } from './lib/run-stages.mjs';
import { stages } from './lib/stages.mjs';

const usage = `npm test [-- STAGE …]

Sets up what is missing, then runs the stages in order. Those that compute take the time that the others leave: compile, lint,
models and fuzz from the start, native and sanitized beside browser. vm runs beside browser too. "all" is every one.
Without names, all but vm; and where they have passed before, only what a change since then makes necessary: a stage whose
files are as they were does not run again, models and typescript run the tests of the workspaces that changed and of those
that import them (of the agent's, which take minutes, those nearest to a change of the agent), and stock and browser wait
for a change of their own tests or of the device. It says what it leaves out.
  lint        Oxlint, Oxfmt, clang-format, layers and circles, types of the tests, words
  compile     what sanitized and fuzz run, beside the others
  stock       the distribution's RDMA programs on the device
  native      unit, property and simulation tests of the device and the measuring loops
  sanitized   the same unit tests under AddressSanitizer and UBSan, those of the shared-memory ring under ThreadSanitizer too
  fuzz        each fuzzer for VERBSLAB_FUZZ_SECONDS (15)
  models      TypeScript that only computes: packages, the dashboard's models and components, scripts
  typescript  TypeScript that starts devices and processes: agent, endpoints, labs, packages/verbs
  browser     Playwright against the real agent
  vm          the device against the kernel's SoftRoCE in virtual machines, and labs there by Playwright (npm run test:vm)
`;

/**
 * Stages beside those that wait at times: stock, typescript, and the virtual machines, which leave a third of two cores. All but
 * the machines are at a low priority. native begins with the machines: it has addresses of typescript.
 */
const beside = [
  { stages: ['compile', 'lint', 'models', 'fuzz'] },
  { stages: ['vm'], when: 'browser' },
  { stages: ['native', 'sanitized'], when: 'browser' },
];

await runStages(stages, usage, { onlyByName: ['vm'], beside, afterChanges: true });
