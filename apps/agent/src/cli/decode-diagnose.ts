import { qpnText } from '@verbslab/protocol';
import { noun } from '@verbslab/labs';
import { Diagnoser, NO_CURE, type DiagnosedConnection, type Diagnosis, type Finding } from '@verbslab/roce';
import type { CaptureFile } from './decode-file.js';
import { bad, bold, good, muted, print, printJson, StatusLine, table } from './terminal.js';

/** Packets between two updates of the progress. */
const STRIDE = 65_536;
/** Connections that the table lists. */
const LISTED = 50;

function run({ records, head, packets, firstNs }: CaptureFile): Diagnosis {
  const diagnoser = new Diagnoser();
  const status = new StatusLine();
  let done = 0;
  for (const { data, linkType, originalLength, timeNs, direction, interfaceId } of records()) {
    const t = Number(timeNs - firstNs);
    diagnoser.packet({ data, linkType, originalLength, t, direction, interfaceId });
    if (++done % STRIDE === 0)
      status.show(`${Math.floor((100 * done) / packets)} % of ${packets} packets diagnosed`);
  }
  status.clear();
  return diagnoser.finish(head.error);
}

const plural = (n: number, one: string): string => `${n} ${noun(n, one)}`;

const SEVERITY = {
  error: bad('error'),
  warning: bold('warning'),
  note: muted('note'),
};

function packetsOf({ packets, total }: Finding): string {
  if (packets.length === 0) return '';
  const more = total > packets.length ? ` … (${total} in all)` : '';
  return `  ${muted(packets.length === 1 ? 'packet' : 'packets')} ${packets.join(', ')}${more}`;
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
export function diagnose(capture: CaptureFile, path: string, json: boolean): void {
  const diagnosis = run(capture);
  const { format, application } = capture.head;
  if (json) {
    printJson({ file: path, format, ...(application === undefined ? {} : { application }), ...diagnosis });
    return;
  }
  const { packets, rocePackets, findings, connections, error, durationNs } = diagnosis;
  print(
    `${bold(path)}  ${format}, ${packets} packets, ${rocePackets} of them RoCE, over ${(durationNs / 1e9).toFixed(6)} s`,
  );
  if (error)
    print(
      bad(
        `The file is damaged at byte ${error.offset}, after packet ${packets}: ${error.message}. What comes before it is diagnosed.`,
      ),
    );
  const of = (severity: Finding['severity']) => findings.filter((one) => one.severity === severity).length;
  const [errors, warnings] = [of('error'), of('warning')];
  if (errors + warnings === 0) {
    print(good('Nothing unusual found.'));
    print(`Checked: ${diagnosis.checked.join(', ')}.`);
  } else print([plural(errors, 'error'), plural(warnings, 'warning'), plural(of('note'), 'note')].join(', '));
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
        `\n${diagnosis.notFollowed} packets belong to more connections than are followed (32,768 flows).`,
      ),
    );
}
