/** Time that the server spends on one shipped function, part by part. */
import { median } from '@verbslab/protocol';
import { DATA, placeOf, RESULT, RESULT_BYTES } from '../lambda/endpoints.js';
import { loadAt, type Context } from './endpoints.js';
import type { Job } from './ways.js';

const SAMPLES = 9;

const PARTS = [
  ['verify', 'Verify the signature (Ed25519)'],
  ['compile', 'Compile and make an instance'],
  ['crossing', 'Copy into new memory, wake the sandbox'],
  ['run', 'Run'],
  ['again', 'For comparison: copy into memory in use, wake the sandbox'],
] as const;
type Part = (typeof PARTS)[number][0];

/** Resolves to the medians, ns. */
export async function measureStages(ctx: Context, { ends, imageBytes }: Job): Promise<Record<Part, number>> {
  const { server } = ends;
  const parts: Record<Part, number[]> = { verify: [], compile: [], crossing: [], run: [], again: [] };
  for (let i = 0; i < SAMPLES; i++) {
    const { lambda, verifyNs, compileNs } = await server.endpoint.call(
      'lambda.load',
      loadAt(server, imageBytes, ends),
    );
    const places = {
      input: placeOf(server, DATA, ctx.params.largest),
      output: placeOf(server, RESULT, RESULT_BYTES),
    };
    const { runNs, totalNs } = await server.endpoint.call('lambda.run', { lambda, ...places });
    // The memory of the sandbox has its pages now.
    const warm = await server.endpoint.call('lambda.run', { lambda, ...places });
    await server.endpoint.call('lambda.unload', { lambda });
    parts.verify.push(verifyNs);
    parts.compile.push(compileNs);
    parts.crossing.push(totalNs - runNs);
    parts.run.push(runNs);
    parts.again.push(warm.totalNs - warm.runNs);
  }
  for (const [name, what] of PARTS) {
    const us = parts[name].map((ns) => ns / 1000);
    const spread = { min: Math.min(...us), max: Math.max(...us), n: us.length };
    ctx.figure(name, median(us), spread);
    ctx.row('stages', { stage: what, median: median(us), ...spread });
  }
  return {
    verify: median(parts.verify),
    compile: median(parts.compile),
    crossing: median(parts.crossing),
    run: median(parts.run),
    again: median(parts.again),
  };
}

/**
 * Shows the rest of a shipped call that no part explains. @param shippedUs its median, over the same data @param found
 * ns
 */
export function showRest(ctx: Context, shippedUs: number, found: Record<Part, number>): void {
  const known = (found.verify + found.compile + found.crossing + found.run) / 1000;
  ctx.figure('rest', shippedUs - known);
  ctx.row('stages', { stage: 'The rest of a shipped call', median: shippedUs - known });
}
