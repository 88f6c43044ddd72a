import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@verbslab/protocol';
import {
  compileFilter,
  decodePacket,
  FilterError,
  packetRow,
  type CaptureRecord,
  type Filter,
  type IcrcCheck,
} from '@verbslab/roce';
import { Command, InvalidArgumentError, Option } from 'commander';
import { diagnose } from './decode-diagnose.js';
import { load, type CaptureFile as File } from './decode-file.js';
import { bad, bold, forTerminal, muted, print, table } from './terminal.js';

/** Written at a time. */
const PIECE_CHARS = 64 * 1024;
/** Rows that are laid out as one table, and kept until it is printed. */
const ROWS = 1_000;

interface DecodeOptions {
  json?: boolean;
  packet?: number;
  filter?: string;
  diagnose?: boolean;
}

/** A record and its place in the file, from 0. */
type Numbered = [index: number, record: CaptureRecord];

function filterOf(text: string): Filter {
  try {
    return compileFilter(text);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw new AppError(
      'BAD_FILTER',
      { at: error.at + 1, detail: error.what, hint: error.cure },
      { cause: error },
    );
  }
}

/** The packets that pass the filter; all of them without one. */
function* passing({ firstNs, records }: File, filter: Filter | undefined): Generator<Numbered> {
  let index = 0;
  for (const record of records()) {
    const t = Number(record.timeNs - firstNs);
    if (filter === undefined || filter.matches({ ...record, index, t })) yield [index, record];
    index++;
  }
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
function* allJson(file: File, filter: Filter | undefined): Generator<string> {
  const { head, firstNs } = file;
  const { format, interfaces, application, error } = head;
  const text = JSON.stringify({ format, application, interfaces, error }, plain);
  let piece = `${text.slice(0, -1)},"packets":[`;
  let separator = '';
  for (const [index, record] of passing(file, filter)) {
    const packet = JSON.stringify(toJson(record, index + 1, firstNs, record.comments), plain);
    piece += `${separator}\n${packet}`;
    separator = ',';
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}\n]}\n`;
}

function* escaped(pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces) yield forTerminal(piece);
}

function icrcText(status: IcrcCheck['status'] | undefined): string {
  if (status === undefined) return '';
  if (status === 'bad') return bad('bad');
  return status === 'unchecked' ? muted('?') : 'ok';
}

function* list(file: File, filter: Filter | undefined): Generator<string> {
  const { head, packets, firstNs } = file;
  const counts = { listed: 0, roce: 0, bad: 0, malformed: 0, cut: 0 };
  const widths: number[] = [];
  let rows = [['no', 'time s', 'source', 'destination', 'protocol', 'length B', 'ICRC', 'info'].map(muted)];
  for (const [index, record] of passing(file, filter)) {
    const row = packetRow(record, index, firstNs);
    counts.listed++;
    if (row.icrc) counts.roce++;
    if (row.icrc === 'bad') counts.bad++;
    if (row.cut) counts.cut++;
    else if (row.error) counts.malformed++;
    rows.push([
      String(index + 1),
      seconds(record.timeNs - firstNs),
      row.src,
      row.dst,
      row.protocol,
      String(record.originalLength),
      icrcText(row.icrc),
      row.info,
    ]);
    if (rows.length < ROWS) continue;
    yield `${table(rows, [0, 1, 5], widths)}\n`;
    rows = [];
  }
  if (rows.length > 0) yield `${table(rows, [0, 1, 5], widths)}\n`;
  const { listed, roce, bad: wrong, malformed, cut } = counts;
  const all =
    filter === undefined ? `${packets} packets` : `${listed} of ${packets} packets match the filter`;
  const unchecked = cut > 0 ? `, ${cut} cut short, so their ICRC is not checked` : '';
  yield `${muted(`\n${all}, ${roce} RoCEv2, ${wrong} with a wrong ICRC, ${malformed} malformed${unchecked}`)}\n`;
  if (head.error) yield `${bad(`The file is damaged at byte ${head.error.offset}: ${head.error.message}`)}\n`;
}

function printPacket({ packets, records }: File, number: number): void {
  let record: CaptureRecord | undefined;
  let at = 0;
  for (record of records()) if (++at === number) break;
  if (!record || at < number) {
    throw new AppError('LIMIT', { what: 'No such packet', value: number, limit: packets });
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
  if (packet.summary.cut)
    print(muted(`\nThe capture holds ${record.data.length} of ${record.originalLength} bytes.`));
  else if (packet.error) print(bad(`\nMalformed at byte ${packet.error.offset}: ${packet.error.message}`));
}

export function decodeCommand(): Command {
  return new Command('decode')
    .description('decode the packets of a pcap or pcapng file: every RoCE header, with the ICRC checked')
    .argument('<file>', 'capture file')
    .option('--json', 'print one JSON object with every field, named as in Wireshark')
    .option('-n, --packet <number>', 'show one packet field by field', (text) => {
      if (!/^[1-9]\d*$/.test(text))
        throw new InvalidArgumentError('It must be a whole number of at least 1.');
      return Number(text);
    })
    .addOption(
      new Option(
        '-Y, --filter <expression>',
        'list only the packets that match a display filter (Wireshark syntax)',
      ).conflicts('packet'),
    )
    .addOption(
      new Option(
        '--diagnose',
        'say what went wrong and why: losses, retransmissions, NAKs, timeouts, with packet numbers',
      ).conflicts(['packet', 'filter']),
    )
    .addHelpText(
      'after',
      `
tshark does not check the ICRC; this does. "?" means that it cannot be checked (a packet cut short).

Examples:
  verbslab decode capture.pcapng
  verbslab decode capture.pcapng --diagnose       what went wrong, and what to do (docs/diagnosis.md)
  verbslab decode capture.pcapng --packet 7
  verbslab decode capture.pcapng --filter 'infiniband.bth.opcode == 17 && ip.src == 10.0.0.1'
  verbslab decode capture.pcapng -Y 'infiniband.aeth.syndrome.opcode in {1, 3}'    RNR NAKs and NAKs
  verbslab decode capture.pcapng --json | jq '.packets[] | select(.summary.kind == "nak")'`,
    )
    .action(async (file: string, options: DecodeOptions) => {
      const { json, packet, filter: text } = options;
      // A reader that stops early (head) is no error.
      process.stdout.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'EPIPE') process.exit(0);
        throw error;
      });
      const filter = text === undefined ? undefined : filterOf(text);
      const capture = load(file);
      if (options.diagnose) diagnose(capture, file, json === true);
      else if (packet !== undefined) printPacket(capture, packet);
      else
        await pipeline(
          Readable.from(escaped(json ? allJson(capture, filter) : list(capture, filter))),
          process.stdout,
          {
            end: false,
          },
        );
      if (capture.head.error) process.exitCode = 1;
    });
}
