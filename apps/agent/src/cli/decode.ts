import { noun } from '@verbslab/labs';
import { AppError } from '@verbslab/protocol';
import {
  compileFilter,
  decodePacket,
  Diagnoser,
  FilterError,
  locate,
  packetRow,
  Reassembler,
  unitOf,
  type CaptureRecord,
  type Field,
  type Filter,
  type IcrcCheck,
  type Whole,
} from '@verbslab/roce';
import { Command, InvalidArgumentError, Option } from 'commander';
import { diagnose } from './decode-diagnose.js';
import { load, nameOf, type CaptureFile as File } from './decode-file.js';
import { bad, bold, forTerminal, muted, print, printPieces, table } from './terminal.js';

/** Characters written at a time. */
const PIECE_CHARS = 64 * 1024;
/** Rows laid out as one table, and kept until the table is printed. */
const ROWS = 1_000;
const MAX_PORTS = 16;

interface DecodeOptions {
  json?: boolean;
  packet?: number;
  filter?: string;
  diagnose?: boolean;
  port?: number[];
}

/** A packet of the file. */
interface Numbered {
  /** Counts from 1. */
  number: number;
  record: CaptureRecord;
  /** The packet that this fragment completes, if any. */
  whole: Whole | null;
}

/** The packets to print, and how to read them. */
interface Choice {
  filter: Filter | undefined;
  /** UDP ports that carry RoCEv2 besides 4791. */
  ports: readonly number[];
}

function portsOf(text: string): number[] {
  const ports = text.split(',').map(Number);
  if (ports.length > MAX_PORTS || !ports.every((n) => Number.isInteger(n) && n >= 1 && n <= 65_535))
    throw new InvalidArgumentError(
      `It must be up to ${MAX_PORTS} numbers from 1 to 65535, separated by commas.`,
    );
  return ports;
}

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
function* passing({ firstNs, records }: File, { filter, ports }: Choice): Generator<Numbered> {
  const reassembler = new Reassembler(ports);
  const diagnoser = filter?.needs.marks ? new Diagnoser({ ports }) : undefined;
  let index = 0;
  let previousT: number | undefined;
  for (const record of records()) {
    const t = Number(record.timeNs - firstNs);
    const { data, linkType, originalLength: original } = record;
    const number = index + 1;
    const frame = locate(data, linkType, ports);
    const whole = frame.fragment ? reassembler.add(data, frame, { t, number, original }) : null;
    const packet = whole ? { ...record, data: whole.data, linkType: whole.linkType } : record;
    const marks = diagnoser?.packet({ ...record, t, whole }).marks;
    if (filter === undefined || filter.matches({ ...packet, index, t, previousT, ports, marks }))
      yield { number, record, whole };
    index++;
    previousT = t;
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

/** Wireshark's values: some lengths are in bytes where the header has words. */
const wireshark = ({ name, value }: Field): unknown =>
  typeof value === 'number' ? value * unitOf(name) : value;

function toJson({ number, record, whole }: Numbered, first: bigint, ports: readonly number[]): unknown {
  const { comments } = record;
  const { data, linkType } = whole ?? record;
  const { summary, layers, icrc, error } = decodePacket(data, linkType, { ports });
  return {
    number,
    time: seconds(record.timeNs),
    relative: seconds(record.timeNs - first),
    length: record.originalLength,
    captured: record.data.length,
    ...(record.direction ? { direction: record.direction } : {}),
    ...(comments?.length ? { comments } : {}),
    ...(whole ? { fragments: whole.fragments } : {}),
    summary,
    layers: layers.map((layer) => ({
      name: layer.name,
      fields: Object.fromEntries(layer.fields.map((field) => [field.name, wireshark(field)])),
    })),
    ...(icrc ? { icrc } : {}),
    ...(error ? { error } : {}),
  };
}

/** A single JSON object. Packets are written one per line, so that a large capture needs no memory of its own size. */
function* allJson(file: File, choice: Choice): Generator<string> {
  const { head, firstNs } = file;
  const { format, interfaces, application, error } = head;
  const text = JSON.stringify({ format, application, interfaces, error }, plain);
  let piece = `${text.slice(0, -1)},"packets":[`;
  let separator = '';
  for (const one of passing(file, choice)) {
    const packet = JSON.stringify(toJson(one, firstNs, choice.ports), plain);
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

function* list(file: File, choice: Choice): Generator<string> {
  const { head, packets, firstNs } = file;
  const counts = { listed: 0, roce: 0, bad: 0, malformed: 0, cut: 0 };
  const widths: number[] = [];
  let rows = [['no', 'time s', 'source', 'destination', 'protocol', 'length B', 'ICRC', 'info'].map(muted)];
  for (const { number, record, whole } of passing(file, choice)) {
    const row = packetRow({ ...record, whole }, number - 1, firstNs, { ports: choice.ports });
    counts.listed++;
    if (row.icrc) counts.roce++;
    if (row.icrc === 'bad') counts.bad++;
    if (row.cut) counts.cut++;
    else if (row.error) counts.malformed++;
    rows.push([
      String(number),
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
  const inFile = `${packets} ${noun(packets, 'packet')}`;
  const all = choice.filter === undefined ? inFile : `${listed} of ${inFile} match the filter`;
  const unchecked = cut > 0 ? `, ${cut} cut short, so their ICRC is not checked` : '';
  yield `${muted(`\n${all}, ${roce} RoCEv2, ${wrong} with a wrong ICRC, ${malformed} malformed${unchecked}`)}\n`;
  if (head.error) yield `${bad(`The file is damaged at byte ${head.error.offset}: ${head.error.message}`)}\n`;
}

function printPacket(file: File, number: number, choice: Choice): void {
  let found: Numbered | undefined;
  for (const one of passing(file, choice))
    if (one.number === number) {
      found = one;
      break;
    }
  if (!found) throw new AppError('LIMIT', { what: 'No such packet', value: number, limit: file.packets });
  const { record, whole } = found;
  const { data, linkType } = whole ?? record;
  const packet = decodePacket(data, linkType, { ports: choice.ports });
  print(`${bold(`Packet ${number}`)}  ${packet.summary.info}`);
  if (whole)
    print(
      `  ${whole.fragments} IP fragments, put together; bytes count from the beginning of the whole packet`,
    );
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
    .argument('<file>', 'capture file, plain or compressed with gzip; - reads standard input')
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
      ).conflicts('packet'),
    )
    .option('--port <numbers>', 'UDP ports that carry RoCE besides 4791, separated by commas', portsOf)
    .addHelpText(
      'after',
      `
tshark does not check the ICRC; this does. "?" means that it cannot be checked (a packet cut short).

Examples:
  verbslab decode capture.pcapng
  verbslab decode capture.pcapng --diagnose       what went wrong, and what to do (docs/diagnosis.md)
  verbslab decode capture.pcapng --diagnose -Y 'ip.addr == 10.0.0.1'       the same of some packets
  tcpdump -i eth0 -w - | verbslab decode -
  verbslab decode capture.pcap.gz --port 4792
  verbslab decode capture.pcapng --packet 7
  verbslab decode capture.pcapng --filter 'infiniband.bth.opcode == 17 && ip.src == 10.0.0.1'
  verbslab decode capture.pcapng -Y 'infiniband.aeth.syndrome.opcode in {1, 3}'    RNR NAKs and NAKs
  verbslab decode capture.pcapng --json | jq '.packets[] | select(.summary.kind == "nak")'`,
    )
    .action(async (file: string, options: DecodeOptions) => {
      const { json, packet, filter: text } = options;
      const filter = text === undefined ? undefined : filterOf(text);
      const ports = options.port ?? [];
      const choice = { filter, ports };
      const capture = await load(file);
      if (options.diagnose) {
        const chosen = filter ? passing(capture, choice) : undefined;
        diagnose(nameOf(file), { capture, chosen, ports, filter: text }, json === true);
      } else if (packet !== undefined) printPacket(capture, packet, choice);
      else await printPieces(escaped(json ? allJson(capture, choice) : list(capture, choice)));
      if (capture.head.error) process.exitCode = 1;
    });
}
