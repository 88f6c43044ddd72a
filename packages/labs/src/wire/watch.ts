/** The client’s capture, for labs that show nothing without it. */
import { AppError, type LabContext } from '@verbslab/protocol';
import { PacketWatch } from './packet-watch.js';
import type { Side } from '../endpoints/side.js';

/** Throws AppError MISSING_CAPABILITY where the packets of this connection cannot be seen. */
export async function watchClient(
  ctx: LabContext<unknown>,
  client: Pick<Side, 'qp'>,
  server: Pick<Side, 'qp'>,
): Promise<PacketWatch> {
  const watch = new PacketWatch(ctx.endpoint('client'));
  await watch.start(ctx, client.qp.info.gid === server.qp.info.gid);
  if (!watch.on)
    throw AppError.from({
      code: 'MISSING_CAPABILITY',
      message: 'The packets at the client cannot be captured.',
      cure: 'Use the embedded device at both ends, or SoftRoCE devices on two machines.',
    });
  return watch;
}
