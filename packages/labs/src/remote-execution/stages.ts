/** What the server spends on one shipped function, part by part. */
import { median } from '@verbslab/protocol';
import { formatNumber } from '../format.js';
import { DATA, placeOf, RESULT, RESULT_BYTES } from '../lambda/ends.js';
import { loadAt, type Context } from './ends.js';
import type { Job } from './ways.js';

const SAMPLES = 9;

export async function measureStages(ctx: Context, { ends, imageBytes }: Job): Promise<void> {
  const { server } = ends;
  const parts = {
    verify: [] as number[],
    compile: [] as number[],
    crossing: [] as number[],
    run: [] as number[],
  };
  for (let i = 0; i < SAMPLES; i++) {
    const { lambda, verifyNs, compileNs } = await server.endpoint.call(
      'lambda.load',
      loadAt(server, imageBytes, ends),
    );
    const { runNs, totalNs } = await server.endpoint.call('lambda.run', {
      lambda,
      input: placeOf(server, DATA, ctx.params.largest),
      output: placeOf(server, RESULT, RESULT_BYTES),
    });
    await server.endpoint.call('lambda.unload', { lambda });
    parts.verify.push(verifyNs);
    parts.compile.push(compileNs);
    parts.crossing.push(totalNs - runNs);
    parts.run.push(runNs);
  }
  for (const [name, what] of [
    ['verify', 'Verify the signature (Ed25519)'],
    ['compile', 'Compile and make an instance'],
    ['crossing', 'Copy input and output, wake the sandbox'],
    ['run', 'Run'],
  ] as const) {
    const us = parts[name].map((ns) => ns / 1000);
    const spread = { min: Math.min(...us), max: Math.max(...us), n: us.length };
    ctx.figure(name, median(us), spread);
    ctx.row('stages', { stage: what, median: median(us), ...spread });
  }
  const cost = median(parts.verify) + median(parts.compile);
  ctx.note(`To accept a function costs the server ${formatNumber(cost / 1000)} µs before it runs.`);
}
