/** The packets of a client, step by step. */
import type { EndpointHandle, LabContext, PacketSummary, TapReport } from '@verbslab/protocol';
import { startTap } from './tap.js';

/** Why a check of packets does not apply. */
export const NO_PACKETS = 'No packets could be captured.';

/** Packets at the client: both directions, so each packet once. */
export class PacketWatch {
  readonly #client: EndpointHandle;
  #on = false;
  #report: TapReport | null = null;

  constructor(client: EndpointHandle) {
    this.#client = client;
  }

  get on(): boolean {
    return this.#on;
  }

  /** The result of the last call. */
  get report(): TapReport | null {
    return this.#report;
  }

  /** `withBytes`: the summaries hold the bytes, too. */
  async start(ctx: LabContext<unknown>, oneAddress: boolean, withBytes = false): Promise<void> {
    if (this.#client.has('tap')) {
      const options = { maxPackets: 65_536, mode: 'keep' as const, ...(withBytes && { withBytes }) };
      this.#on = await startTap(ctx, this.#client.name, oneAddress, options);
      return;
    }
    const why = this.#client.device.lacks?.find(({ capability }) => capability === 'tap');
    ctx.note(
      'This device has no packet tap, so you see every call and completion, but no packets.' +
        (why ? ` ${why.message} ${why.cure}` : ''),
    );
  }

  /** Packets since the last call; they are in the run's stream when this resolves. */
  async take(): Promise<PacketSummary[]> {
    if (!this.#on) return [];
    this.#report = await this.#client.call('tap.flush', {});
    return this.#report.list;
  }

  async stop(): Promise<void> {
    if (this.#on) await this.#client.call('tap.stop', {});
  }
}
