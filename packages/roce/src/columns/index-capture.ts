import { eachRecord } from '../capture/read.js';
import type { ByteSource } from '../capture/reader.js';
import type { CaptureHead } from '../capture/types.js';
import { Diagnoser } from '../diagnosis/diagnoser.js';
import type { PacketSource } from '../diagnosis/facts.js';
import type { DiagnoseOptions } from '../diagnosis/diagnoser.js';
import type { Diagnosis } from '../diagnosis/types.js';
import type { Whole } from '../packet/reassembly.js';
import { ColumnsBuilder } from './packet-columns.js';
import type { PacketColumns } from './packet-columns.js';

/** Packets between two reports of progress. */
const STRIDE = 16_384;
/** Limit of packets whose comments are kept. */
const COMMENTED = 1 << 17;

/** Limit of bytes kept for packets that arrived in fragments. */
const MAX_WHOLE = 1 << 26;

/** A capture file that was read once: its packets as columns, and its diagnosis. */
export interface IndexedCapture {
  head: CaptureHead;
  columns: PacketColumns;
  addresses: readonly string[];
  /** Time of the first packet since the epoch. */
  firstNs: bigint;
  comments: ReadonlyMap<number, string[]>;
  /** Packets that came in IP fragments, by their last fragment. */
  wholes: ReadonlyMap<number, Whole>;
  /** UDP ports that carry RoCEv2 besides 4791. */
  ports?: readonly number[];
  diagnosis: Diagnosis;
}

/**
 * Reads and diagnoses a file of any size. Only a part of a `ByteSource` is in memory at a time. `progress` gets the
 * number of bytes of the file that are done.
 */
export function indexCapture(
  bytes: Uint8Array | ByteSource,
  progress: (done: number) => void = () => undefined,
  options: DiagnoseOptions = {},
): IndexedCapture {
  const diagnoser = new Diagnoser(options);
  const columns = new ColumnsBuilder(bytes.length);
  const comments = new Map<number, string[]>();
  let first: bigint | undefined;
  let count = 0;
  const wholes = new Map<number, Whole>();
  let wholeBytes = 0;
  const source: PacketSource = {
    data: new Uint8Array(0),
    linkType: 0,
    originalLength: 0,
    t: 0,
    direction: undefined,
    interfaceId: 0,
  };
  const head = eachRecord(bytes, (record) => {
    first ??= record.timeNs;
    source.data = record.packet;
    source.linkType = record.linkType;
    source.originalLength = record.original;
    source.t = record.sinceFirst();
    source.direction = record.direction;
    source.interfaceId = record.interfaceId;
    source.bitsPerSecond = record.bitsPerSecond;
    const facts = diagnoser.packet(source);
    const { whole } = facts;
    if (whole && (wholeBytes += whole.data.length) <= MAX_WHOLE) wholes.set(count, whole);
    columns.add(record, facts);
    if (record.comments && comments.size < COMMENTED) comments.set(count, record.comments);
    if (++count % STRIDE === 0) progress(record.fileOffset);
  });
  return {
    head,
    columns: columns.finish(),
    addresses: diagnoser.addresses,
    firstNs: first ?? 0n,
    comments,
    wholes,
    ...(options.ports ? { ports: options.ports } : {}),
    diagnosis: diagnoser.finish(head.error),
  };
}
