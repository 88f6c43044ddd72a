import type { CaptureError } from '../capture/types.js';
import { plural } from './findings/words.js';
import type { Totals } from './totals.js';
import type { Unchecked } from './types.js';

const HARDWARE =
  'The RoCE packets of a NIC pass by the kernel, so tcpdump on the host does not see them: capture at a mirror port of the switch, or let the NIC mirror them (mlx5: tcpdump -i mlx5_0 with libpcap 1.10 or later).';

/** Reason why a capture shows nothing of RoCE; undefined if there was something to check. */
export function uncheckedOf(totals: Totals, error: CaptureError | undefined): Unchecked | undefined {
  const { packets, roce, readable, notRoce } = totals;
  if (packets === 0)
    return error
      ? {
          text: 'The file is damaged before its first packet: nothing was diagnosed.',
          why: `${error.message}.`,
        }
      : {
          text: 'The file holds no packet: nothing was diagnosed.',
          why: 'The capture saw none. Check its interface and its filter.',
        };
  if (notRoce.unsupported.total === packets)
    return {
      text: `No packet of ${packets} could be read: ${[...notRoce.linkTypes.keys()].join(', ')} is not supported.`,
      why: 'The link type of an interface says what its packets begin with.',
    };
  if (roce === 0) {
    const why = [HARDWARE];
    if (notRoce.perftest)
      why.unshift(
        'TCP port 18515 is where programs of perftest exchange QP numbers; their data does not use TCP.',
      );
    if (notRoce.udpPorts.length > 0)
      why.push(
        'RoCE on another UDP port than 4791 is read if you name that port (--port; on the page: RoCE ports).',
      );
    return { text: `No RoCE packet in ${packets}: nothing was diagnosed.`, why: why.join(' ') };
  }
  if (readable > 0) return undefined;
  return totals.cut.total > 0
    ? {
        text: `The capture holds too little of its ${plural(roce, 'RoCE packet')}: nothing was diagnosed.`,
        why: 'Each was cut before the end of its base transport header. Capture at least 128 bytes of each packet (tcpdump -s 128).',
      }
    : undefined;
}
