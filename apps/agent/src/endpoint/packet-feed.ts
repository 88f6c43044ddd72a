/** Sources of a tap's packets: the device itself, or the network interface under it. */
import type { Extensions, TapOptions, TapPacket } from '@verbslab/verbs';
import { InterfaceCapture } from '../capture/interface-capture.js';

export interface PacketFeed {
  /** Network interface that the packets come from; absent if the device reports its own packets. */
  readonly interface?: string;
  /**
   * Returns the packets since the last call, oldest first, and the number lost since the start. `all`: hold none back.
   */
  take(all: boolean): { packets: FedPacket[]; dropped: number };
  /** Resolves when all packets up to now can be taken. */
  settle(): Promise<void>;
  /** Ends the capture; earlier packets can still be taken. */
  stop(): Promise<void>;
}

/** `direction` is absent if only the addresses show it. */
export type FedPacket = Omit<TapPacket, 'direction'> & { direction?: TapPacket['direction'] };

/** The embedded device's own tap: this process's packets, with the header that their ICRC was computed on. */
export class DeviceFeed implements PacketFeed {
  readonly #extensions: Extensions;

  constructor(extensions: Extensions, options: TapOptions) {
    this.#extensions = extensions;
    extensions.tapStart(options);
  }

  take(): { packets: FedPacket[]; dropped: number } {
    return this.#extensions.tapRead();
  }

  settle(): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return Promise.resolve(this.#extensions.tapStop());
  }
}

const MIB = 1 << 20;
/** The ring is locked kernel memory, requested by a holder of the token. */
const RING = { least: 4 * MIB, most: 128 * MIB };
/** A slot of the ring is as large as the longest packet, and most are filled. */
const SLOTS_PER_BYTES = 2;

/** All RoCEv2 packets of an interface, as they are on the wire. */
export class InterfaceFeed implements PacketFeed {
  readonly interface: string;
  readonly #capture: InterfaceCapture;
  readonly #hasRoom: () => boolean;

  private constructor(name: string, capture: InterfaceCapture, hasRoom: () => boolean) {
    this.interface = name;
    this.#capture = capture;
    this.#hasRoom = hasRoom;
  }

  /** `hasRoom`: false while packets should wait. Rejects with AppError CAPTURE_FORBIDDEN or CAPTURE_FAILED. */
  static async start(name: string, options: TapOptions, hasRoom: () => boolean): Promise<InterfaceFeed> {
    const { maxBytes, snapLength } = options;
    const capture = await InterfaceCapture.start(name, {
      ...(maxBytes
        ? { ringBytes: Math.min(RING.most, Math.max(RING.least, maxBytes * SLOTS_PER_BYTES)) }
        : {}),
      ...(snapLength ? { snapLength } : {}),
    });
    return new InterfaceFeed(name, capture, hasRoom);
  }

  take(all: boolean): { packets: FedPacket[]; dropped: number } {
    const packets = all || this.#hasRoom() ? this.#capture.take() : [];
    return {
      packets: packets.map((packet) => ({ ...packet, badIcrc: false, fault: 'none' })),
      dropped: this.#capture.counts.dropped,
    };
  }

  settle(): Promise<void> {
    return this.#capture.settle();
  }

  async stop(): Promise<void> {
    try {
      await this.#capture.stop();
    } finally {
      this.#capture.kill();
    }
  }
}
