// Runs stages in order, by name; ends with what failed and one line of counts.
import { mkdirSync } from 'node:fs';
import { summary } from './reports.mjs';
import { done, run, step, Trouble, warn } from './say.mjs';
import { setup } from './setup.mjs';
import { reports } from './stages.mjs';

/** What runs at the same time: `lint` prints nothing while it works, and the programs of `stock` mostly wait. */
function sideBySide(names) {
  const both = names.includes('lint') && names.includes('stock');
  return names
    .filter((name) => !(both && name === 'lint'))
    .map((name) => (both && name === 'stock' ? ['lint', name] : [name]));
}

/** The command line names stages, `all`, or none for all but those that run only by name. Exit code 1 if anything failed. */
export const runStages = (stages, usage, onlyByName = []) =>
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
    const total = { passed: 0, failed: 0, skipped: 0 };
    const failures = [];
    const runStage = async (name) => {
      const started = Date.now();
      step(`${name} …`);
      let counts;
      try {
        counts = await stages[name]();
      } catch (error) {
        if (!(error instanceof Trouble)) throw error;
        counts = { passed: 0, failed: 1, failures: [{ name: 'could not run', detail: error.message }] };
      }
      for (const key of Object.keys(total)) total[key] += counts[key] ?? 0;
      const failed = (counts.failures ?? []).map((one) => summary({ ...one, name: `${name}: ${one.name}` }));
      for (const text of failed) warn(text);
      failures.push(...failed);
      const line = `${name}: ${counts.passed} passed, ${counts.failed} failed in ${Math.round((Date.now() - started) / 1000)} s`;
      (counts.failed > 0 ? warn : done)(line);
    };
    for (const group of sideBySide(names)) await Promise.all(group.map(runStage));
    // Printed again at the end, since the stages after a failure may print much.
    for (const text of failures) warn(text);
    if (total.skipped > 0) step(`${total.skipped} skipped; each says why above`);
    process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
    if (total.failed > 0) process.exitCode = 1;
  });
