import type { IndexedCapture } from '@verbslab/roce';
import type { Failure } from '../ui/states';

/** Why a capture has nothing to list; null where it has packets that are read. */
export function unreadable(
  name: string,
  { head, diagnosis }: Pick<IndexedCapture, 'head' | 'diagnosis'>,
): Failure | null {
  const { packets, findings, unchecked } = diagnosis;
  const readable = packets - (findings.find(({ id }) => id === 'link-type')?.total ?? 0);
  if (readable > 0) return null;
  if (head.format === 'unknown' || (packets === 0 && head.error))
    return {
      what: `${name} holds no packets that can be read.`,
      why: head.error ? `At byte ${head.error.offset}: ${head.error.message}` : undefined,
      cure: 'Choose a pcap or pcapng file, such as Verbs Lab, tcpdump and Wireshark write.',
    };
  return {
    what: `${name}: ${unchecked?.text ?? 'nothing could be read.'}`,
    why: unchecked?.why,
    cure:
      packets === 0
        ? 'Capture again while the traffic runs.'
        : 'Capture on an Ethernet interface, or on "any".',
  };
}
