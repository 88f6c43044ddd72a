import { cmMessageName, rejectReasonText } from '../cm/index.js';
import { CmAttribute, sidrStatusText } from '../headers/cm-attributes.js';
import { NAK_NAMES, RNR_TIMER_US } from '../headers/aeth.js';
import { EtherType, etherTypeName } from '../headers/ethernet.js';
import { ecnText, IpProtocol, protocolName } from '../headers/ip.js';
import { allOpcodes } from '../base/opcodes.js';

export type ValueNames = ReadonlyMap<number, string>;

const map = (values: readonly number[], name: (v: number) => string): ValueNames =>
  new Map(values.map((v) => [v, name(v)]));
/** The text without the number that a detail pane adds. */
const plain = (text: string): string => text.replace(/ \(\d+\)$/, '');
const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

const ecn = (): ValueNames => map(upTo(4), (v) => plain(ecnText(v)));
const protocols = (): ValueNames => map(Object.values(IpProtocol), protocolName);
const etherTypes = (): ValueNames => map(Object.values(EtherType), etherTypeName);

const NAMES: Readonly<Record<string, () => ValueNames>> = {
  'infiniband.bth.opcode': () => new Map(allOpcodes().map((o) => [o.opcode, o.name])),
  'infiniband.bth.p_key': () => new Map([[0xffff, 'default partition']]),
  'infiniband.bth.destqp': () => new Map([[1, 'QP1, connection management']]),
  'infiniband.aeth.syndrome.opcode': () =>
    new Map([
      [0, 'ACK'],
      [1, 'RNR NAK'],
      [3, 'NAK'],
    ]),
  'infiniband.aeth.syndrome.error_code': () =>
    new Map(Object.entries(NAK_NAMES).map(([v, name]) => [Number(v), name])),
  'infiniband.aeth.syndrome.timer': () => map(upTo(32), (v) => `${RNR_TIMER_US[v]!} µs`),
  'infiniband.mad.attributeid': () => map(Object.values(CmAttribute), (v) => cmMessageName(v)!),
  'infiniband.cm.rej.reason': () => map(upTo(34).slice(1), (v) => plain(rejectReasonText(v))),
  'infiniband.cm.sidr_rep.status': () => map(upTo(6), (v) => plain(sidrStatusText(v))),
  'ip.dsfield.ecn': ecn,
  'ipv6.tclass.ecn': ecn,
  'ip.proto': protocols,
  'ipv6.nxt': protocols,
  'eth.type': etherTypes,
  'vlan.etype': etherTypes,
  'sll.etype': etherTypes,
  'udp.dstport': () => new Map([[4791, 'RoCEv2']]),
  'udp.port': () => new Map([[4791, 'RoCEv2']]),
};

export function valueNames(field: string): ValueNames | undefined {
  return Object.hasOwn(NAMES, field) ? NAMES[field]!() : undefined;
}
