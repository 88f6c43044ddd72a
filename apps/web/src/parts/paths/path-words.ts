/** Words of the picture of the paths. */
import { LINK_TEXT } from '@verbslab/protocol';
import { inGbps, sig3 } from '../../format/number';
import { shareOf, type BytePath, type BytePaths, type Owner, type Way } from '../../model/paths/byte-path';

/** The parts that carry the bytes, in order. */
export const STOPS: Readonly<Record<Way, string>> = {
  rings: 'memory, device, shared memory, device, memory',
  nic: 'memory, NIC, wire, NIC, memory',
  device: 'memory, device, device, memory',
  sockets: 'memory, device, UDP socket in the kernel, UDP socket, device, memory',
  driver: 'memory, driver in the kernel, driver in the kernel, memory',
  tcp: 'memory, copy, TCP in the kernel, TCP in the kernel, copy, memory',
};

export const WAY_TEXT: Readonly<Record<Way, string>> = {
  rings: LINK_TEXT.shm,
  nic: 'The NIC reads and writes the memory. The kernel is not on the path.',
  device: 'The device reads and writes the memory. The run did not record how it sends the packets.',
  sockets: LINK_TEXT.udp,
  driver: 'A driver in the kernel does the NIC’s work: it reads and writes the memory and sends the packets.',
  tcp: 'The kernel copies the bytes out of the program’s memory, runs TCP, and copies them into memory at the other end.',
};

export const percent = (share: number): string => `${sig3(share * 100)} %`;

export const rateWords = ({ goodputGbps }: BytePath): string =>
  goodputGbps === null ? 'not measured yet' : `${inGbps(goodputGbps)} Gb/s`;

const OWNERS: readonly (readonly [Owner, string])[] = [
  ['app', 'application'],
  ['nic', 'NIC work'],
  ['kernel', 'kernel'],
];

/** Shares of the CPU time of both ends; empty where none was measured. */
export function cpuWords({ cpu }: BytePath): string {
  const parts = OWNERS.flatMap(([owner, name]) => {
    const share = shareOf(owner, cpu);
    return share === null ? [] : [`${name} ${percent(share)}`];
  });
  return parts.length === 0 ? '' : `CPU time of both ends: ${parts.join(', ')}.`;
}

/** A path in a sentence. `hidden`: its figures are not told. */
export function pathSentence(path: BytePath, { from }: BytePaths, hidden: boolean): string {
  const rate = hidden
    ? 'not measured yet'
    : `${rateWords(path)}, from ${from} to ${from === 'client' ? 'server' : 'client'}`;
  return [`${path.name}: ${rate}. ${WAY_TEXT[path.way]}`, hidden ? '' : cpuWords(path)].join(' ').trim();
}
