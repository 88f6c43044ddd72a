import { addressOfGid, formatBytes, formatCount, formatTime, goodputText, plural } from '@verbslab/labs';
import {
  bothDirections,
  NOT_ENOUGH_SAMPLES,
  PERCENTILE_NAME,
  programGbps,
  programSpan,
  type LatencyUs,
  type ProgramWork,
} from '@verbslab/protocol';

const SHOWN = ['p50', 'p99', 'p999'] as const;

function peersText({ peers, peerCount }: ProgramWork): string {
  const [first] = peers;
  if (first === undefined) return 'an unknown peer';
  const address = addressOfGid(first);
  return peerCount === 1 ? address : `${formatCount(peerCount)} peers (${address} and others)`;
}

function rateText(work: ProgramWork): string {
  const gbps = programGbps(work);
  if (gbps === null || work.seconds === null)
    return 'Average rate: unknown, since it takes at least two polled completions.';
  const both = bothDirections(work) ? ', both directions together,' : '';
  return `Average ${goodputText(gbps)}${both} over the ${formatTime(work.seconds * 1e9)} ${programSpan(work)}.`;
}

/** `304 KiB written`, `195 MiB sent and 195 MiB received`. */
function movedText({ bytes, moved }: ProgramWork): string {
  const parts = Object.entries(moved ?? {}).flatMap(([how, n]) =>
    n > 0 ? [`${formatBytes(n)} ${how}`] : [],
  );
  const last = parts.pop();
  if (last === undefined) return `${formatBytes(bytes)} transferred`;
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

function latencyText(latency: LatencyUs | null, sampled: boolean): string {
  if (latency?.n === undefined) return 'Latency of work requests: unknown.';
  const known = SHOWN.flatMap((which) => {
    const us = latency[which];
    return us === null ? [] : [`${PERCENTILE_NAME[which]} ${formatTime(us * 1000)}`];
  });
  const missing = SHOWN.filter((which) => latency[which] === null).map((which) => PERCENTILE_NAME[which]);
  const parts = [...known, ...(missing.length > 0 ? [`${missing.join(', ')} ${NOT_ENOUGH_SAMPLES}`] : [])];
  const n = `n = ${formatCount(latency.n)}${sampled ? ', a sample' : ''}`;
  return `Latency from post to completion: ${parts.join(', ')} (${n}).`;
}

/**
 * Describes a program without a successful completion: everything that it posted failed, or it posted nothing, like the
 * target of one-sided operations.
 */
function noneText(work: ProgramWork, of: string): string {
  if (work.posted !== 0) return `The program polled no successful completion on ${of}.`;
  const { packetsReceived = 0 } = work;
  if (packetsReceived === 0) return `The program posted no work request on ${of}.`;
  return (
    `The program posted no work request on ${of} and was connected to ${peersText(work)}. ${plural(packetsReceived, 'packet')} arrived. ` +
    'One-sided operations (RDMA WRITE, RDMA READ, atomics) complete at the peer that posts them, not here.'
  );
}

/** Describes in a few sentences what the program moved, how fast, and with which peers. */
export function workText(work: ProgramWork): string {
  if (work.processes === 0) return 'The program opened no RDMA device.';
  const device = work.device ?? 'an unknown device';
  const of = work.processes === 1 ? device : `${device}, by ${formatCount(work.processes)} processes`;
  if (work.messages === 0) return noneText(work, of);
  const single = work.oneAtATime && work.messages > 1 ? ', one at a time,' : '';
  const moved = `${movedText(work)} in ${plural(work.messages, 'successful work request')}${single}`;
  return `${moved} on ${of}, with ${peersText(work)}. ${rateText(work)} ${latencyText(work.latencyUs, work.sampled)}`;
}
