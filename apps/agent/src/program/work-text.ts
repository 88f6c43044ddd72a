import { addressOfGid, formatBytes, formatCount, formatNumber, formatTime, plural } from '@verbslab/labs';
import { NOT_ENOUGH_SAMPLES, PERCENTILE_NAME, type LatencyUs, type ProgramWork } from '@verbslab/protocol';

const SHOWN = ['p50', 'p99', 'p999'] as const;

function peersText({ peers, peerCount }: ProgramWork): string {
  const [first] = peers;
  if (first === undefined) return 'with a peer that is not known';
  const address = addressOfGid(first);
  return peerCount === 1 ? `with ${address}` : `with ${formatCount(peerCount)} peers (${address} and others)`;
}

function rateText({ bytes, messages, seconds }: ProgramWork): string {
  if (seconds === null || seconds === 0 || messages < 2)
    return 'Average rate: not known, since it takes two completions that were polled.';
  const gbps = formatNumber((bytes * 8) / seconds / 1e9);
  return `Average ${gbps} Gb/s over the ${formatTime(seconds * 1e9)} from the first to the last completion.`;
}

function latencyText(latency: LatencyUs | null, sampled: boolean): string {
  if (latency?.n === undefined) return 'Latency of work requests: not known.';
  const known = SHOWN.flatMap((which) => {
    const us = latency[which];
    return us === null ? [] : [`${PERCENTILE_NAME[which]} ${formatTime(us * 1000)}`];
  });
  const missing = SHOWN.filter((which) => latency[which] === null).map((which) => PERCENTILE_NAME[which]);
  const parts = [...known, ...(missing.length > 0 ? [`${missing.join(', ')} ${NOT_ENOUGH_SAMPLES}`] : [])];
  const n = `n = ${formatCount(latency.n)}${sampled ? ', a sample' : ''}`;
  return `Latency from post to completion: ${parts.join(', ')} (${n}).`;
}

/** In a few sentences: what the program moved, how fast, with whom. */
export function workText(work: ProgramWork): string {
  if (work.processes === 0) return 'The program opened no RDMA device.';
  const device = work.device ?? 'a device that is not known';
  const of = work.processes === 1 ? device : `${device}, by ${formatCount(work.processes)} processes`;
  if (work.messages === 0) return `No work request completed on ${of}.`;
  const moved = `${formatBytes(work.bytes)} sent and received in ${plural(work.messages, 'completed work request')}`;
  return `${moved} on ${of}, ${peersText(work)}. ${rateText(work)} ${latencyText(work.latencyUs, work.sampled)}`;
}
