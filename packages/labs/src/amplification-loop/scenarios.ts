/** The two parts of the lab: windows that fit a buffer or not, and a network that is disturbed once. */
import type { Scenario, SimulatedSample } from '@verbslab/protocol';
import { dataFrame } from '../fabric/frames.js';

const MTU = 4096;
const GBPS = 100;
const KB = 1000;
const KIB = 1024;
/** Buffer of the switch in the first part. */
export const BUFFER = 2000 * KB;
const TIMEOUT = 8;
/** A port may use all that is free. */
const lossySwitch = (bytes: number) => ({ buffer_bytes: bytes, lossy_alpha: 64 });

const onLink = (payload: number): number => (payload / MTU) * dataFrame(MTU);

/** Bytes that the switch and the links hold. @param rttUs of a packet and its ACK */
export const roomFor = (rttUs: number): number => BUFFER + (GBPS * rttUs * 1000) / 8;

/** Largest window, in whole packets, with which all windows together fill this part of the room. */
export const windowFor = (part: number, senders: number, rttUs: number): number =>
  Math.max(1, Math.floor((part * roomFor(rttUs)) / senders / dataFrame(MTU))) * MTU;

/** All windows over the room. */
export const partOf = (window: number, senders: number, rttUs: number): number =>
  (senders * onLink(window)) / roomFor(rttUs);

export const incast = (senders: number, window: number, seed: number): Scenario => ({
  name: `Windows of ${window} B`,
  seed,
  duration_us: 20_000,
  topology: { kind: 'star', hosts: senders + 1 },
  switch: lossySwitch(BUFFER),
  transport: { window_bytes: window, timeout: TIMEOUT },
  traffic: [{ kind: 'incast', to: senders }],
});

export const HOSTS = 17;
export const WINDOWS = [64, 128, 256].map((kib) => kib * KIB);
export const SAMPLE_US = 250;
export const SPIKE_AT_US = 3000;
export const DURATION_US = 14_000;
const SPIKE_GBPS = 10;

interface Loop {
  window: number;
  /** Share of each link, 0 to 1. */
  load: number;
  /** KB per port. */
  buffer: number;
  /** ms; 0: no disturbance. */
  spike: number;
  seed: number;
}

/** Hosts that write to each other at random. Their flows begin at the same times in every setting of a seed. */
export const loop = ({ window, load, buffer, spike, seed }: Loop): Scenario => ({
  name: `Windows of ${window} B${spike > 0 ? ', disturbed' : ''}`,
  seed,
  duration_us: DURATION_US,
  sample_us: SAMPLE_US,
  topology: { kind: 'star', hosts: HOSTS },
  switch: lossySwitch(buffer * KB * HOSTS),
  transport: { window_bytes: window, timeout: TIMEOUT, message_bytes: 64 * KIB },
  traffic: [{ kind: 'storage', bytes: 256 * KIB, load, reads: 0 }],
  changes:
    spike > 0
      ? [
          { at_us: SPIKE_AT_US, link_gbps: SPIKE_GBPS },
          { at_us: SPIKE_AT_US + spike * 1000, link_gbps: GBPS },
        ]
      : [],
});

/** Gb/s that a host received, on average, what came again included. */
export const receivedOf = ({ received_gbps }: Pick<SimulatedSample, 'received_gbps'>): number =>
  received_gbps.reduce((sum, one) => sum + one, 0) / received_gbps.length;
