/** Bytes and times on a link with a path MTU of 4096, and what a switch keeps of them. */
import { dataFrame, fullGoodput, onLinkNs } from './frames.js';

/** Path MTU of the scenarios, B. */
export const MTU = 4096;
/** A full packet on the link, B. */
export const FULL_PACKET = dataFrame(MTU);
/** A full packet that begins a WRITE also has a RETH, B. */
export const LONGEST_PACKET = FULL_PACKET + 16;
/** A PAUSE frame, B. */
export const PAUSE_FRAME = 84;
/** Propagation in fiber, ns per meter. */
export const NS_PER_METER = 5;

/** Bytes on the link for this much payload, in packets of the path MTU. */
export const onLink = (payload: number): number => payload + Math.ceil(payload / MTU) * (FULL_PACKET - MTU);

/** Bytes that a link carries in a time. @param us µs */
export const bytesIn = (gbps: number, us: number): number => gbps * us * 125;

/** Time that a link needs for bytes, µs. */
export const timeOf = (gbps: number, bytes: number): number => onLinkNs(bytes, gbps) / 1000;

/** Goodput of a full link, Gb/s. */
export const payloadRate = (gbps: number): number => fullGoodput(MTU, gbps);

/**
 * Bytes of a lossless class that still arrive after its port has decided to pause it: what is on the way there and back,
 * what leaves before the PAUSE takes effect, and a packet under way at either end.
 * @param delayUs one way, µs
 * @param reactionUs from the end of the PAUSE to its effect, µs
 */
export const headroomOf = (gbps: number, delayUs: number, reactionUs: number): number =>
  bytesIn(gbps, 2 * delayUs + reactionUs) + 2 * LONGEST_PACKET + PAUSE_FRAME;

/**
 * Bytes that a lossless class of each of `ports` ingress ports holds when it is paused, if all fill alike.
 * @param alpha threshold as a part of what is free of the pool @param pool B
 */
export const xoffOf = (ports: number, alpha: number, pool: number): number =>
  (alpha * pool) / (1 + ports * alpha);
