import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { AppError, lookupErrno } from '@verbslab/protocol';
import {
  decodePacket,
  readCapture,
  type Capture,
  type CaptureRecord,
  type DecodedPacket,
} from '@verbslab/roce';
import { Command, InvalidArgumentError } from 'commander';
import { bad, bold, muted, print, table } from './terminal.js';

/** A capture is read whole; larger ones belong in Wireshark. */
const MAX_FILE = 1 << 30;

interface DecodeOptions {
  json?: boolean;
  packet?: number;
}

function load(path: string): Capture {
  let bytes: Uint8Array;
  try {
    const fd = openSync(path, 'r');
    try {
      const stat = fstatSync(fd);
      if (stat.isDirectory()) throw new Error('it is a folder');
      if (stat.size > MAX_FILE) throw new Error('it is larger than 1 GiB; cut it with editcap first');
      // Plain bytes: a Buffer would turn itself into a list of numbers in JSON.
      const file = readFileSync(fd);
      bytes = new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const detail = (code === undefined ? undefined : lookupErrno(code)?.meaning) ?? message;
    throw new AppError('UNREADABLE_FILE', { path, detail }, { cause: error });
  }
  const capture = readCapture(bytes);
  if (capture.format === 'unknown') {
    throw new AppError('UNREADABLE_FILE', {
      path,
      detail: capture.error?.message ?? 'it is no capture file',
    });
  }
  return capture;
}

const seconds = (ns: bigint): string => {
  const digits = ns.toString().padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`;
};

/** bigint as decimal text and bytes as hex: JSON has neither. */
function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return value;
}

function toJson(record: CaptureRecord, number: number, first: bigint, comments?: string[]): unknown {
  const { summary, layers, icrc, error } = decodePacket(record.data, record.linkType);
  return {
    number,
    time: seconds(record.timeNs),
    relative: seconds(record.timeNs - first),
    length: record.originalLength,
    captured: record.data.length,
    ...(record.direction ? { direction: record.direction } : {}),
    ...(comments?.length ? { comments } : {}),
    summary,
    layers: layers.map((layer) => ({
      name: layer.name,
      fields: Object.fromEntries(layer.fields.map((field) => [field.name, field.value])),
    })),
    ...(icrc ? { icrc } : {}),
    ...(error ? { error } : {}),
  };
}

/** One object; packets one a line, so that a large capture needs no memory of its own size. */
function printAllJson(capture: Capture): void {
  const first = capture.records[0]?.timeNs ?? 0n;
  const { format, interfaces, application, error } = capture;
  const head = JSON.stringify({ format, application, interfaces, error }, plain);
  process.stdout.write(`${head.slice(0, -1)},"packets":[`);
  capture.records.forEach((record, index) => {
    const text = JSON.stringify(toJson(record, index + 1, first, record.comments), plain);
    process.stdout.write(`${index === 0 ? '' : ','}\n${text}`);
  });
  process.stdout.write('\n]}\n');
}

function icrcText({ icrc }: DecodedPacket): string {
  if (!icrc) return '';
  if (icrc.status === 'bad') return bad('bad');
  return icrc.status === 'unchecked' ? muted('?') : 'ok';
}

function printList(capture: Capture): void {
  const first = capture.records[0]?.timeNs ?? 0n;
  const counts = { roce: 0, bad: 0, malformed: 0 };
  const rows = capture.records.map((record, index) => {
    const packet = decodePacket(record.data, record.linkType);
    const { summary } = packet;
    if (packet.icrc) counts.roce++;
    if (packet.icrc?.status === 'bad') counts.bad++;
    if (packet.error) counts.malformed++;
    return [
      String(index + 1),
      seconds(record.timeNs - first),
      summary.src,
      summary.dst,
      summary.protocol,
      String(record.originalLength),
      icrcText(packet),
      summary.info,
    ];
  });
  const head = ['no', 'time s', 'source', 'destination', 'protocol', 'length B', 'ICRC', 'info'].map(muted);
  print(table([head, ...rows], [0, 1, 5]));
  print(
    muted(
      `\n${rows.length} packets, ${counts.roce} RoCEv2, ${counts.bad} with a wrong ICRC, ${counts.malformed} malformed`,
    ),
  );
  if (capture.error)
    print(bad(`The file is damaged at byte ${capture.error.offset}: ${capture.error.message}`));
}

function printPacket(capture: Capture, number: number): void {
  const record = capture.records[number - 1];
  if (!record) {
    throw new AppError('LIMIT', { what: 'Packet number', value: number, limit: capture.records.length });
  }
  const packet = decodePacket(record.data, record.linkType);
  print(`${bold(`Packet ${number}`)}  ${packet.summary.info}`);
  for (const comment of record.comments ?? []) print(`  ${comment}`);
  for (const layer of packet.layers) {
    print(
      `\n${bold(layer.title)}  ${muted(`${layer.name}, bytes ${layer.offset} to ${layer.offset + layer.length - 1}`)}`,
    );
    const rows = layer.fields.map((field) => [`  ${field.label}`, field.text, muted(field.name)]);
    if (rows.length > 0) print(table(rows));
  }
  if (packet.error) print(bad(`\nMalformed at byte ${packet.error.offset}: ${packet.error.message}`));
}

export function decodeCommand(): Command {
  return new Command('decode')
    .description(
      'say what the packets of a pcap or pcapng file are, with every RoCE header and the ICRC checked',
    )
    .argument('<file>', 'capture file')
    .option('--json', 'print one JSON object with every field, named as in Wireshark')
    .option('-n, --packet <number>', 'show one packet field by field', (text) => {
      if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a number from 1.');
      return Number(text);
    })
    .addHelpText(
      'after',
      `
tshark does not check the ICRC; this does. "?" means that it cannot be checked (a packet cut short).

Examples:
  verbslab decode capture.pcapng
  verbslab decode capture.pcapng --packet 7
  verbslab decode capture.pcapng --json | jq '.packets[] | select(.summary.kind == "nak")'`,
    )
    .action((file: string, { json, packet }: DecodeOptions) => {
      // A reader that stops early (head) is no error.
      process.stdout.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'EPIPE') process.exit(0);
        throw error;
      });
      const capture = load(file);
      if (packet !== undefined) printPacket(capture, packet);
      else if (json) printAllJson(capture);
      else printList(capture);
      if (capture.error) process.exitCode = 1;
    });
}
