// npm test [-- stage …]: sets up, then runs every stage (or those named) and ends with one line of counts.
import { runStages } from './lib/run-stages.mjs';
import { stages } from './lib/stages.mjs';

const usage = `npm test [-- STAGE …]

Sets up what is missing, then runs the stages in order. Those that compute take the time that the others leave: compile, lint,
models and fuzz from the start, and native and sanitized beside vm, if it is among them. "all" is every one.
Without names, all but vm; and where they have passed before, only what a change since then makes necessary: a stage whose
files are as they were does not run again, models and typescript run the tests of the workspaces that changed and of those
that import them (of the agent's, which take minutes, those nearest to a change of the agent), and stock and browser wait
for a change of their own tests or of the device. It says what it leaves out.
  lint        Oxlint, Oxfmt, clang-format, layers and circles, types that no build checks, words
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
 * Stages at low priority: stock and typescript leave a third of two cores, and the virtual machines as much. native begins with
 * the machines: it has addresses of typescript.
 */
const beside = [
  { stages: ['compile', 'lint', 'models', 'fuzz'] },
  { stages: ['native', 'sanitized'], when: 'vm' },
];

await runStages(stages, usage, { onlyByName: ['vm'], beside, afterChanges: true });
