/** Begin and end of every lab of the clinic. */
import type { LabContext } from '@verbslab/protocol';
import type { LinkParam } from '../endpoints/link.js';
import { startTap } from '../wire/tap.js';
import { Bench } from './bench.js';

/** The bench; `tapped` is true if the client's packets can be seen. */
export async function openBench(
  ctx: LabContext<{ link: LinkParam }>,
): Promise<{ bench: Bench; tapped: boolean }> {
  const [client, server] = [ctx.endpoint('client'), ctx.endpoint('server')];
  const bench = new Bench(ctx, client, server, ctx.params.link);
  const { gid } = await client.call('query', {});
  const oneAddress = gid === (await server.call('query', {})).gid;
  const tapped =
    client.has('tap') && (await startTap(ctx, 'client', oneAddress, { maxPackets: 65_536, mode: 'keep' }));
  return { bench, tapped };
}

export async function closeBench({ client }: Bench, tapped: boolean): Promise<void> {
  if (tapped) await client.call('tap.stop', {});
}
