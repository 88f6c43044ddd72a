// The stage `fuzz`: every libFuzzer target of native/tests/fuzz.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { exec, root } from './exec.mjs';
import { fuzzers } from './native-stages.mjs';
import { failure } from './reports.mjs';
import { step } from './say.mjs';
import { add } from './stage.mjs';

/** Every fuzzer, two at a time, in the time that others leave. A new crash file is a failure. */
export async function fuzz(fuzzSeconds = Number(process.env.VERBSLAB_FUZZ_SECONDS ?? 15)) {
  const folder = join(root, await fuzzers());
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^fuzz_\w+$/.test(name)) : [];
  if (names.length === 0) return failure('fuzz', `no fuzzer in ${folder}`);
  const findings = join(root, 'artifacts', 'fuzz');
  mkdirSync(findings, { recursive: true });
  let total = { passed: 0, failed: 0 };
  const queue = [...names];
  const worker = async () => {
    for (let name = queue.shift(); name; name = queue.shift()) {
      step(`  ${name} for ${fuzzSeconds} s`);
      const corpus = join(folder, 'corpus', name);
      mkdirSync(corpus, { recursive: true });
      const seeds = join(root, 'native/tests/fuzz/corpus', name);
      const { code, output } = await exec(
        join(folder, name),
        [
          corpus,
          ...(existsSync(seeds) ? [seeds] : []),
          `-max_total_time=${fuzzSeconds}`,
          '-timeout=10',
          '-rss_limit_mb=2048',
          `-artifact_prefix=${findings}/${name}-`,
          '-print_final_stats=1',
        ],
        { quiet: true, allowFailure: true, nice: true },
      );
      total = add(total, code === 0 ? { passed: 1, failed: 0 } : failure(name, output));
    }
  };
  await Promise.all([worker(), worker()]);
  return total;
}
