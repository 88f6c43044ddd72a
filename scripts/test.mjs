// npm test [-- stage …]: sets up, then runs every stage (or those named) and ends with one line of counts.
import { runStages } from './lib/run-stages.mjs';
import { stages } from './lib/stages.mjs';

const usage = `npm test [-- STAGE …]

Sets up what is missing, then runs the stages in order (lint beside stock). Without names, all but vm; "all" is every one:
  lint        ESLint, Prettier, clang-format, types of the tests
  native      unit, property and simulation tests of the device and the measuring loops
  sanitized   the same unit tests under AddressSanitizer and UBSan
  fuzz        each fuzzer for VERBSLAB_FUZZ_SECONDS (30)
  typescript  packages, agent, endpoints, dashboard models
  stock       the distribution's RDMA programs on the device
  browser     Playwright against the real agent
  vm          the device against the kernel's SoftRoCE in virtual machines, and labs there by Playwright (npm run test:vm)
`;

await runStages(stages, usage, ['vm']);
