import { NAK_NAMES } from '../../headers/aeth.js';
import type { Severity } from '../types.js';
import { perWay } from './class.js';
import type { FindingClass } from './class.js';
import { plural } from './words.js';

interface Told {
  id: string;
  severity: Severity;
  means: string;
  cure: string;
}

const TOLD: Record<number, Told> = {
  0: {
    id: 'nak-sequence',
    severity: 'warning',
    means:
      'The responder got a PSN beyond the one that it expected, so an earlier packet was lost or overtaken before it got there. It asks for that PSN again; the connection goes on.',
    cure: 'Find where packets are dropped or overtake each other on the way to the responder.',
  },
  1: {
    id: 'nak-invalid-request',
    severity: 'error',
    means:
      'The responder refused the request itself: an opcode that its QP does not serve, a length that does not fit, or more READs and atomics at once than it accepts. Both QPs go to the error state.',
    cure: 'The completion of the request says IBV_WC_REM_INV_REQ_ERR. Compare qp_access_flags, max_dest_rd_atomic and the length of the posted receives at the responder with what the requester sends.',
  },
  2: {
    id: 'nak-remote-access',
    severity: 'error',
    means:
      'The rkey, the address range or the access rights of an RDMA WRITE, READ or atomic do not fit a memory region of the responder. Both QPs go to the error state.',
    cure: 'The completion of the request says IBV_WC_REM_ACCESS_ERR. Check that rkey, address and length are those that the peer announced, that its region is still registered, and that it allows this access. Select the packet before the NAK to see them.',
  },
  3: {
    id: 'nak-remote-operational',
    severity: 'error',
    means:
      'The responder could not carry out a valid request because of a failure of its own. Both QPs go to the error state.',
    cure: 'The completion of the request says IBV_WC_REM_OP_ERR. Look at the log and the completions of the responder.',
  },
  4: {
    id: 'nak-invalid-rd',
    severity: 'error',
    means: 'The responder refused a reliable datagram: its Q_Key or RD domain does not fit.',
    cure: 'Reliable datagrams are not part of RoCE. Check which program sends them.',
  },
};

const OTHER: Told = {
  id: 'nak-reserved',
  severity: 'error',
  means: 'The specification does not define this NAK code.',
  cure: 'Check the firmware or software of the responder.',
};

const found = (told: Told, codes: (code: number) => boolean, checks: string): FindingClass => ({
  id: told.id,
  checks,
  find: (evidence) =>
    perWay(told.id, evidence, ({ flow, to, from }) => {
      for (const [code, packets] of flow.requester.naks) {
        if (!codes(code)) continue;
        const name = NAK_NAMES[code] ?? `reserved code ${code}`;
        return {
          severity: told.severity,
          packets,
          text: `${to} answered ${from} with ${plural(packets.total, 'NAK')}: ${name}.`,
          why: told.means,
          cure: told.cure,
        };
      }
      return null;
    }),
});

export const naks: FindingClass[] = [
  ...Object.entries(TOLD).map(([code, told]) =>
    found(told, (c) => c === Number(code), `NAK: ${NAK_NAMES[Number(code)]!}`),
  ),
  found(OTHER, (c) => !(c in TOLD), 'NAK: reserved codes'),
];
