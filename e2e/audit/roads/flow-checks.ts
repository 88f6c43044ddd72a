// The checks of the minimal flow: one WRITE and one READ.
import type { Claim } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf } from '../export.js';
import { sum } from '../figures.js';
import { carriesData, isNak, OPCODE, type WirePacket } from '../wire.js';
import { icrc, once, psnsInOrder } from './on-the-wire.js';

type Check = (claim: Claim, evidence: Evidence) => void;

const NAMES: Readonly<Record<number, string>> = {
  [OPCODE.writeFirst]: 'WRITE First',
  [OPCODE.writeMiddle]: 'WRITE Middle',
  [OPCODE.writeLast]: 'WRITE Last',
  [OPCODE.writeOnly]: 'WRITE Only',
  [OPCODE.responseFirst]: 'READ response First',
  [OPCODE.responseMiddle]: 'READ response Middle',
  [OPCODE.responseLast]: 'READ response Last',
  [OPCODE.responseOnly]: 'READ response Only',
};

interface FlowPackets {
  write: WirePacket[];
  acks: WirePacket[];
  request: WirePacket[];
  responses: WirePacket[];
  /** Retransmitted packets of the WRITE and of the READ, which are not in the lists above. */
  again: { write: number; read: number };
}

/** Packets of the WRITE and of the READ, sent and received by the client. */
export function flowPackets({ packets }: Evidence): FlowPackets {
  const request = packets.findIndex(({ opcode }) => opcode === OPCODE.readRequest);
  const before = packets.slice(0, request);
  const after = packets.slice(request);
  const [written, asked] = [before, after].map((part) => part.filter(({ sent }) => sent));
  const answered = after.filter(({ sent }) => !sent);
  const all = { write: once(written!), request: once(asked!), responses: once(answered) };
  return {
    ...all,
    acks: before.filter(({ sent }) => !sent),
    again: {
      write: written!.length - all.write.length,
      read: after.length - all.request.length - all.responses.length,
    },
  };
}

/** Names of packets in the order of the wire: `WRITE First, 2 WRITE Middle, WRITE Last`. */
function named(packets: readonly WirePacket[]): string {
  const counted = new Map<string, number>();
  for (const { opcode } of packets) {
    const name = NAMES[opcode] ?? `opcode ${opcode}`;
    counted.set(name, (counted.get(name) ?? 0) + 1);
  }
  return [...counted].map(([name, n]) => (n === 1 ? name : `${n} ${name}`)).join(', ');
}

const again = (n: number): string => (n === 0 ? '' : `; ${n} packet${n === 1 ? '' : 's'} retransmitted`);

const sameBytes: Check = (claim, evidence) => {
  const { n } = claim.match(/^All (?<n>[\d,]+) bytes match\.$/);
  claim.count(flowPackets(evidence).write[0]!.remote!.length, 'the DMA length in the RETH', n);
  claim.equal('equal', 'SHA-256 over /proc/PID/mem of both ends', evidence.memory ?? 'not read');
};

const payload = (packets: readonly WirePacket[]): number => sum(packets.map((packet) => packet.payload));

const polled = ({ data }: Evidence, role: string) =>
  itemsOf(data, 'completion').filter(({ endpoint }) => endpoint === role);

export const FLOW_CHECKS: Readonly<Record<string, Check>> = {
  'bytes-written': sameBytes,
  'bytes-read': sameBytes,
  'one-completion-each': (claim, evidence) => {
    const ids = polled(evidence, 'client').map(({ wc }) => wc.wrId);
    const posted = itemsOf(evidence.data, 'verb').filter(({ call }) => call === 'ibv_post_send').length;
    claim.equal(
      `${posted} signaled work requests produced ${ids.length} completions at the client (wr_id ${ids.join(', ')}).`,
      'the calls of ibv_post_send and the completions in the stream',
    );
  },
  'none-at-target': (claim, evidence) => {
    claim.equal(
      'The server’s completion queue stayed empty through WRITE and READ.',
      'what the audit knows of it',
    );
    claim.equal(0, 'the completions of the server in the stream', String(polled(evidence, 'server').length));
    const looks = itemsOf(evidence.data, 'verb').filter(
      ({ call, endpoint }) => call === 'ibv_poll_cq' && endpoint === 'server',
    );
    claim.holds(
      looks.length > 0 && looks.every(({ result }) => result === 0),
      'what its calls of ibv_poll_cq returned',
      JSON.stringify(looks.map(({ result }) => result)),
    );
  },
  'still-connected': (claim, { data }) => {
    claim.equal('Both QPs were in RTS after the READ.', 'what the audit knows of it');
    const states = itemsOf(data, 'verb')
      .filter(({ call }) => call === 'ibv_query_qp')
      .map(({ result }) => (result as { qp_state: string }).qp_state);
    claim.equal('RTS,RTS', 'what ibv_query_qp returned at both ends', states.join());
  },
  'quiet-setup': (claim, evidence) => {
    claim.equal('No packet was sent before the first work request.', 'what the audit knows of it');
    const first = Math.min(...itemsOf(evidence.data, 'wr').map(({ posted }) => posted));
    const left = Number(evidence.packets[0]!.timeNs - BigInt(evidence.data.run.createdAt) * 1_000_000n);
    claim.holds(
      left >= first,
      'the time of the first packet and of the first post',
      `${left} ns, ${first} ns`,
    );
  },
  'write-packets': (claim, evidence) => {
    const { write, acks, again: repeats } = flowPackets(evidence);
    claim.equal(
      `${named(write)}, answered by ${acks.length} ACK${acks.length === 1 ? '' : 's'}${again(repeats.write)}.`,
      'tshark',
    );
    psnsInOrder(claim, write);
    claim.equal(evidence.param('size'), 'the payload that tshark reads', String(payload(write)));
    claim.equal(
      write.at(-1)!.psn,
      'the PSN of the last packet, which the ACK names',
      String(acks.at(-1)!.psn),
    );
    claim.equal(0, 'the NAKs that tshark reads', String(acks.filter(isNak).length));
  },
  'read-packets': (claim, evidence) => {
    const { request, responses, again: repeats } = flowPackets(evidence);
    claim.equal(
      `${request.length} READ request${request.length === 1 ? '' : 's'}, answered by ${named(responses)}${again(repeats.read)}.`,
      'tshark',
    );
    psnsInOrder(claim, responses.filter(carriesData));
    claim.equal(request[0]!.psn, 'the PSN of the request', String(responses[0]!.psn));
    claim.equal(evidence.param('size'), 'the payload that tshark reads', String(payload(responses)));
  },
  icrc,
};
