// Runs stages by name, in lanes beside each other; ends with what failed and one line of counts.
import { mkdirSync } from 'node:fs';
import { inLanes } from './lanes.mjs';
import { nearestTests } from './nearest.mjs';
import { changedSincePassed, fingerprint, imports, keepPassed, secondsOfTests } from './passed.mjs';
import { summary } from './reports.mjs';
import { done, run, step, Trouble, warn } from './say.mjs';
import { selection } from './selection.mjs';
import { setup } from './setup.mjs';
import { reports } from './stage.mjs';

/** Two at a time, these tests take a minute. */
const BUDGET_S = 120;
const nearest = (changed) => nearestTests(changed, secondsOfTests(), BUDGET_S);

/**
 * The command line names stages, `all`, or none for all but those of `onlyByName`, and of these for what has to run again
 * if `afterChanges`. `beside` has the lanes of stages that run beside the others. Exit code 1 if anything failed.
 */
export const runStages = (stages, usage, { onlyByName = [], beside = [], afterChanges = false } = {}) =>
  run(async () => {
    const named = process.argv.slice(2);
    const every = Object.keys(stages);
    const names =
      named.length === 0
        ? every.filter((name) => !onlyByName.includes(name))
        : named.flatMap((name) => (name === 'all' ? every : name));
    if (names.includes('--help')) return void process.stdout.write(usage);
    const unknown = names.filter((name) => !(name in stages));
    if (unknown.length > 0) throw new Trouble(`no such stage: ${unknown.join(', ')}\n\n${usage}`);
    await setup({ test: true });
    mkdirSync(reports, { recursive: true });
    const files = fingerprint();
    const choose = (name) =>
      afterChanges && named.length === 0
        ? selection(name, changedSincePassed(name, files), imports(), nearest)
        : { run: true };
    const leftOut = [];
    const total = { passed: 0, failed: 0, skipped: 0 };
    const failures = [];
    const flaky = [];
    const runStage = async (name) => {
      const { run: wanted, filters, left } = choose(name);
      if (left) leftOut.push(`${name}: ${left}`);
      if (!wanted) return;
      const started = Date.now();
      step(`${name} …`);
      let counts;
      try {
        counts = await stages[name](filters);
      } catch (error) {
        if (!(error instanceof Trouble)) throw error;
        counts = { passed: 0, failed: 1, failures: [{ name: 'could not run', detail: error.message }] };
      }
      for (const key of Object.keys(total)) total[key] += counts[key] ?? 0;
      const told = (list = []) => list.map((one) => summary({ ...one, name: `${name}: ${one.name}` }));
      const failed = told(counts.failures);
      for (const text of failed) warn(text);
      failures.push(...failed);
      flaky.push(...told(counts.flaky));
      const line = `${name}: ${counts.passed} passed, ${counts.failed} failed in ${Math.round((Date.now() - started) / 1000)} s`;
      (counts.failed > 0 ? warn : done)(line);
      if (counts.failed === 0 && !filters) keepPassed(name, files);
    };
    await inLanes(names, beside, runStage);
    // Printed again at the end, since the stages after a failure may print much.
    for (const text of failures) warn(text);
    for (const text of flaky) warn(`passed at the second attempt: ${text}`);
    for (const text of leftOut) step(`not run: ${text}`);
    if (total.skipped > 0) step(`${total.skipped} skipped; each says why above`);
    process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
    if (total.failed > 0) process.exitCode = 1;
  });
