import { qpnText } from '@verbslab/protocol';
import { noun, plural } from '@verbslab/labs';
import {
  Diagnoser,
  NO_CURE,
  type CaptureRecord,
  type DiagnosedConnection,
  type Diagnosis,
  type Finding,
  type Whole,
} from '@verbslab/roce';
import type { CaptureFile } from './decode-file.js';
import { bad, bold, good, muted, print, printJson, StatusLine, table } from './terminal.js';

/** Packets between two updates of the progress. */
const STRIDE = 65_536;
/** Connections that the table lists. */
const LISTED = 50;

/** Packets of a file, numbered; a fragment that completes a packet with that packet. */
export type Chosen = Iterable<{ number: number; record: CaptureRecord; whole: Whole | null }>;

interface Diagnosing {
  capture: CaptureFile;
  /** Packets that pass a filter. Default: the whole file. */
  chosen?: Chosen | undefined;
  ports: readonly number[];
}

function run({ capture, chosen, ports }: Diagnosing): Diagnosis {
  const { records, head, packets, firstNs } = capture;
  const diagnoser = new Diagnoser({ ports });
  const status = new StatusLine();
  let done = 0;
  const see = (
    { data, linkType, originalLength, timeNs, direction, interfaceId }: CaptureRecord,
    more: { number?: number; whole?: Whole | null } = {},
  ) => {
    const t = Number(timeNs - firstNs);
    const { bitsPerSecond } = head.interfaces[interfaceId]!;
    diagnoser.packet({ data, linkType, originalLength, t, direction, interfaceId, bitsPerSecond, ...more });
    if (++done % STRIDE === 0)
      status.show(`${Math.floor((100 * done) / packets)} % of ${packets} packets diagnosed`);
  };
  if (chosen) for (const { record, ...more } of chosen) see(record, more);
  else for (const record of records()) see(record);
  status.clear();
  return diagnoser.finish(head.error);
}

const SEVERITY = {
  error: bad('error'),
  warning: bold('warning'),
  note: muted('note'),
};

function packetsOf({ packets, total }: Finding): string {
  if (packets.length === 0) return '';
  const more = total > packets.length ? ` … (${total} in all)` : '';
  return `  ${muted(noun(packets.length, 'packet'))} ${packets.join(', ')}${more}`;
}

function printFinding(found: Finding): void {
  print(`\n${SEVERITY[found.severity]}  ${found.text}  ${muted(found.id)}`);
  print(`  ${found.why}`);
  if (found.cure !== NO_CURE) print(`  ${bold('What to do:')} ${found.cure}`);
  const packets = packetsOf(found);
  if (packets !== '') print(packets);
}

const MATCHED: Record<DiagnosedConnection['matched'], string> = {
  known: 'known',
  cm: 'CM',
  psn: 'PSNs',
  datagram: 'QPs',
  no: 'not matched',
};

function rowsOf({ ends, transport, matched, mtu, from, firstPacket }: DiagnosedConnection): string[][] {
  const name = ({ ip, qpn }: DiagnosedConnection['ends'][0]): string =>
    `${ip} ${qpn === undefined ? '?' : qpnText(qpn)}`;
  return ([0, 1] as const).flatMap((k) => {
    const way = from[k];
    if (!way) return [];
    return [
      [
        name(ends[k]),
        name(ends[1 - k]!),
        transport,
        MATCHED[matched],
        mtu === null ? '' : String(mtu),
        String(way.packets),
        String(way.goodBytes),
        way.gbps === null ? '' : way.gbps.toFixed(3),
        way.headerShare === null ? '' : `${(100 * way.headerShare).toFixed(1)} %`,
        String(way.retransmissions),
        String(firstPacket),
      ],
    ];
  });
}

const HEADS = ['from', 'to', '', 'matched by', 'MTU', 'packets', 'payload B', 'Gb/s', 'headers', 'resent'];

/** Prints what a capture shows: findings by severity, then its connections. */
export function diagnose(
  path: string,
  what: Diagnosing & { filter?: string | undefined },
  json: boolean,
): void {
  const { capture, filter } = what;
  const diagnosis = run(what);
  const { format, application } = capture.head;
  if (json) {
    printJson({
      file: path,
      format,
      ...(application === undefined ? {} : { application }),
      ...(filter === undefined ? {} : { filter, packetsInFile: capture.packets }),
      ...diagnosis,
    });
    return;
  }
  const { packets, rocePackets, findings, error, durationNs } = diagnosis;
  print(
    `${bold(path)}  ${format}, ${plural(packets, 'packet')}, ${rocePackets} of them RoCE, over ${(durationNs / 1e9).toFixed(6)} s`,
  );
  if (filter !== undefined)
    print(
      `Only the packets that match the filter are diagnosed, ${packets} of ${capture.packets}: what it leaves out can look lost or unanswered.`,
    );
  if (error)
    print(
      bad(
        `The file is damaged at byte ${error.offset}, after packet ${capture.packets}: ${error.message}. What comes before it is diagnosed.`,
      ),
    );
  const of = (severity: Finding['severity']) => findings.filter((one) => one.severity === severity).length;
  const [errors, warnings] = [of('error'), of('warning')];
  const { unchecked } = diagnosis;
  if (unchecked) {
    print(bold(unchecked.text));
    print(unchecked.why);
  }
  if (errors + warnings === 0) {
    if (unchecked) return printRest(diagnosis);
    print(good('Nothing unusual found.'));
    print(`Checked: ${diagnosis.checked.join(', ')}.`);
  } else print([plural(errors, 'error'), plural(warnings, 'warning'), plural(of('note'), 'note')].join(', '));
  printRest(diagnosis);
}

function printRest(diagnosis: Diagnosis): void {
  const { findings, connections } = diagnosis;
  for (const found of findings) printFinding(found);
  if (connections.length > 0) {
    const listed = connections.slice(0, LISTED);
    print(`\n${bold('Connections')}`);
    print(table([[...HEADS, 'first packet'].map(muted), ...listed.flatMap(rowsOf)], [4, 5, 6, 7, 8, 9, 10]));
    if (connections.length > listed.length)
      print(muted(`${connections.length - listed.length} more connections: --json lists them all.`));
  }
  if (diagnosis.notFollowed > 0)
    print(
      muted(
        `\n${plural(diagnosis.notFollowed, 'packet')} ${diagnosis.notFollowed === 1 ? 'belongs' : 'belong'} to more connections than are followed (32,768 flows).`,
      ),
    );
}
