import { qpnText } from '@verbslab/protocol';
import { noun } from '@verbslab/labs';
import { connectionFilter, type DiagnosedConnection, type Diagnosis } from '@verbslab/roce';
import { bytes, count, text } from '../format/number';
import { FilterLink, PacketLink } from './packet-link';

/** Most connections in the table. */
const LISTED = 50;

const MATCHED: Record<DiagnosedConnection['matched'], string> = {
  known: 'known',
  cm: 'CM messages',
  psn: 'PSNs',
  datagram: 'QPs',
  no: 'not matched',
};

const endText = ({ ip, qpn }: DiagnosedConnection['ends'][0]): string =>
  qpn === undefined ? ip : `${ip} QP ${qpnText(qpn)}`;

function Row({ connection }: { connection: DiagnosedConnection }) {
  const { ends, from, transport, mtu, matched, firstPacket } = connection;
  const sum = (of: 'packets' | 'goodBytes' | 'retransmissions') =>
    from.reduce((all, way) => all + (way?.[of] ?? 0), 0);
  return (
    <tr className="border-t align-top">
      <td className="py-1 pr-4">
        <FilterLink filter={connectionFilter(ends)}>
          {endText(ends[0])} {from[1] ? '⇄' : '→'} {endText(ends[1])}
        </FilterLink>
      </td>
      <td className="pr-4">{transport}</td>
      <td className="pr-4">{MATCHED[matched]}</td>
      <td className="num pr-4 text-right">{mtu === null ? '' : count(mtu)}</td>
      <td className="num pr-4 text-right">{count(sum('packets'))}</td>
      <td className="num pr-4 text-right">{text(bytes(sum('goodBytes')))}</td>
      <td className="num pr-4 text-right">{count(sum('retransmissions'))}</td>
      <td className="text-right">
        <PacketLink number={firstPacket} />
      </td>
    </tr>
  );
}

/** Table of connections. The name of a connection lists its packets. */
export function Connections({ diagnosis: { connections, notFollowed } }: { diagnosis: Diagnosis }) {
  if (connections.length === 0) return null;
  const more = connections.length - LISTED;
  return (
    <details className="mt-1" open={connections.length <= 3}>
      <summary className="inline-flex min-h-8 items-center font-semibold pointer-coarse:min-h-11">
        {count(connections.length)} {noun(connections.length, 'connection')}: choose one to list its packets
      </summary>
      <div className="thin-scroll overflow-x-auto">
        <table className="w-full min-w-[48rem] text-12">
          <thead className="text-left text-ink-3">
            <tr>
              <th className="font-normal">Connection</th>
              <th className="font-normal">Transport</th>
              <th className="font-normal">Matched by</th>
              <th className="pr-4 text-right font-normal">Path MTU, B</th>
              <th className="pr-4 text-right font-normal">Packets</th>
              <th className="pr-4 text-right font-normal">Payload, once</th>
              <th className="pr-4 text-right font-normal">Retransmitted</th>
              <th className="text-right font-normal">First packet</th>
            </tr>
          </thead>
          <tbody>
            {connections.slice(0, LISTED).map((one) => (
              <Row key={one.id} connection={one} />
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 ? (
        <p className="text-ink-2">
          {count(more)} more: <code className="num">verbslab decode --diagnose --json</code> lists all.
        </p>
      ) : null}
      {notFollowed > 0 ? (
        <p className="text-ink-2">
          {count(notFollowed)} packets belong to more connections than are followed (32,768 flows).
        </p>
      ) : null}
    </details>
  );
}
