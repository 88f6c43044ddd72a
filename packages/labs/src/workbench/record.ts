/** Observations of a device about a program, read from the stream of its run. */
import {
  decodeCompletions,
  decodeHeader,
  decodePackets,
  lookupWcStatus,
  wcOpcodeName,
  type PacketRecord,
  type RunEvent,
  type RunEventOf,
} from '@verbslab/protocol';
import { readMessages, type Message } from './messages.js';
import type { Recorded } from './task.js';

export interface QpSeen {
  qpn: number;
  type: string;
  /** States in their order, from RESET. */
  states: string[];
  /** Attributes of its transitions, by their ibv_qp_attr names. */
  set: Record<string, unknown>;
}

export interface RegionSeen {
  /** lkey, which is the rkey too on the embedded device. */
  key: number;
  /** Address of the first byte, as a peer names it. */
  from: bigint;
  length: number;
  access: string[];
}

export interface CompletionSeen {
  qpn: number;
  /** Low 32 bits of wr_id. */
  wrId: number;
  status: string;
  /** Name in `ibv_wc_opcode`; empty where the request failed. */
  opcode: string;
  byteLen: number;
  /** Null if the completion has none. Host order. */
  imm: number | null;
  /** ns since the run was created. */
  t: number;
}

export interface RunRecording {
  /** True if the program opened the device, by itself or through the connection manager. */
  opened: boolean;
  /** Addresses of the device as text, in the order of its GID table. */
  gids: readonly string[];
  qps: readonly QpSeen[];
  regions: readonly RegionSeen[];
  /** `made` and `gone` of all objects, by time. */
  objects: readonly RunEventOf<'object'>[];
  requests: readonly RunEventOf<'wr'>[];
  completions: readonly CompletionSeen[];
  messages: readonly Message[];
  /** RNR NAKs that a receiver sent. */
  rnrNaks: number;
  failedCalls: readonly RunEventOf<'verb'>[];
  findings: readonly RunEventOf<'finding'>[];
}

/** Flag in `meta` of a completion. */
const WC_WITH_IMM = 2;

export function readRecord(items: Iterable<Recorded>): RunRecording {
  const events: RunEvent[] = [];
  const completions: CompletionSeen[] = [];
  const packets: PacketRecord[] = [];
  for (const item of items) {
    if (!(item instanceof Uint8Array)) {
      events.push(item);
      continue;
    }
    const { kind } = decodeHeader(item);
    if (kind === 'completions') completions.push(...completionsOf(item));
    // Both ends are this program, so each packet is recorded twice: as sent and as received.
    if (kind === 'packets') packets.push(...decodePackets(item).filter((one) => one.direction === 'sent'));
  }
  const ofKind = <K extends RunEvent['kind']>(kind: K): RunEventOf<K>[] =>
    events.filter((event): event is RunEventOf<K> => event.kind === kind).sort((a, b) => a.t - b.t);

  const objects = ofKind('object');
  const qps = qpsOf(objects, ofKind('qp'));
  // The QP at the other end is the one that has this one as its destination.
  const peerOf = (qpn: number): number | undefined => qps.find(({ set }) => set['dest_qp_num'] === qpn)?.qpn;
  const { messages, rnrNaks } = readMessages(
    packets.sort((a, b) => a.t - b.t),
    peerOf,
  );
  return {
    opened: objects.length > 0,
    gids: ofKind('endpoint').flatMap(({ gids }) => gids ?? []),
    qps,
    regions: regionsOf(objects),
    objects,
    requests: ofKind('wr').sort((a, b) => a.posted - b.posted),
    completions: completions.sort((a, b) => a.t - b.t),
    messages,
    rnrNaks,
    failedCalls: ofKind('verb').filter(({ error }) => error !== undefined),
    findings: ofKind('finding'),
  };
}

function completionsOf(frame: Uint8Array): CompletionSeen[] {
  const { t } = decodeHeader(frame);
  const columns = decodeCompletions(frame);
  return Array.from(columns.meta, (meta, i) => {
    const status = (meta >>> 8) & 0xff;
    const flags = meta >>> 16;
    return {
      qpn: columns.qpn[i]!,
      wrId: columns.wrId[i]!,
      status: lookupWcStatus(status).name,
      opcode: status === 0 ? wcOpcodeName(meta & 0xff) : '',
      byteLen: columns.byteLen[i]!,
      imm: (flags & WC_WITH_IMM) !== 0 ? columns.imm[i]! : null,
      t: t + columns.dt[i]!,
    };
  });
}

function qpsOf(objects: readonly RunEventOf<'object'>[], transitions: readonly RunEventOf<'qp'>[]): QpSeen[] {
  const made = objects.filter(({ object, phase }) => object === 'QP' && phase === 'made');
  return made.map(({ number, attrs }) => {
    const own = transitions.filter(({ qpn }) => qpn === number);
    return {
      qpn: number,
      type: typeof attrs['type'] === 'string' ? attrs['type'] : '',
      states: ['RESET', ...own.map(({ to }) => to)],
      set: Object.assign({}, ...own.map((one) => one.attrs)) as Record<string, unknown>,
    };
  });
}

function regionsOf(objects: readonly RunEventOf<'object'>[]): RegionSeen[] {
  return objects.flatMap(({ object, phase, number, attrs }) => {
    const { addr, iova = addr, length, access } = attrs;
    if (object !== 'MR' || phase !== 'made') return [];
    if (typeof iova !== 'string' || typeof length !== 'number' || !Array.isArray(access)) return [];
    const rights = access.filter((one): one is string => typeof one === 'string');
    return [{ key: number, from: BigInt(iova), length, access: rights }];
  });
}
