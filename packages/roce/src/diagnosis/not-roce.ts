import { u16 } from '../base/bytes.js';
import type { Frame } from '../packet/frame.js';
import { etherTypeName } from '../headers/ethernet.js';
import { IpProtocol, protocolName } from '../headers/ip.js';
import { linkTypeText } from '../packet/locate.js';
import type { PacketFacts } from './facts.js';
import { Sample } from '../base/sample.js';

/** Limits of kinds and ports that are counted. Further ones are left out. */
const MAX_KINDS = 64;
const MAX_PORTS = 1024;
/** Default port on which perftest programs exchange their QP numbers. */
const PERFTEST_PORT = 18_515;

const most = <K>(counts: ReadonlyMap<K, number>): K[] =>
  [...counts].sort((a, b) => b[1] - a[1]).map(([key]) => key);

/** Counts of packets that are not RoCE or could not be read. */
export class NotRoce {
  readonly packets = new Sample();
  readonly unsupported = new Sample();
  readonly linkTypes = new Map<string, number>();
  /** Packets of each kind, such as `TCP`. */
  readonly kinds = new Map<string, number>();
  readonly #udpPorts = new Map<number, number>();
  /** True after a packet to or from the default port of perftest programs. */
  perftest = false;
  encrypted = false;

  see(p: PacketFacts, frame: Frame): void {
    if (!frame.supported) {
      this.unsupported.add(p.number);
      add(this.linkTypes, linkTypeText(frame.linkType), MAX_KINDS);
      return;
    }
    this.packets.add(p.number);
    add(this.kinds, this.#kind(p, frame), MAX_KINDS);
  }

  /** Counts IP fragments that belong to no RoCE packet. */
  fragments(n: number): void {
    if (n <= 0) return;
    this.packets.total += n;
    this.kinds.set('IP fragments', n);
  }

  /** The three UDP destination ports with the most packets. */
  get udpPorts(): number[] {
    return most(this.#udpPorts).slice(0, 3);
  }

  get mostKinds(): [string, number][] {
    return most(this.kinds).map((kind) => [kind, this.kinds.get(kind)!]);
  }

  #kind({ data }: PacketFacts, { ipKind, protocol, l4, end, etherType }: Frame): string {
    if (ipKind === 'none') return etherType === 0 ? 'unknown' : etherTypeName(etherType);
    if (ipKind === 'grh') return 'RoCEv1 without a BTH';
    if (protocol === IpProtocol.ESP) this.encrypted = true;
    if (protocol === IpProtocol.TCP && end - l4 >= 4)
      this.perftest ||= u16(data, l4) === PERFTEST_PORT || u16(data, l4 + 2) === PERFTEST_PORT;
    else if (protocol === IpProtocol.UDP && end - l4 >= 4) add(this.#udpPorts, u16(data, l4 + 2), MAX_PORTS);
    return protocolName(protocol);
  }
}

function add<K>(counts: Map<K, number>, key: K, limit: number): void {
  const before = counts.get(key);
  if (before !== undefined || counts.size < limit) counts.set(key, (before ?? 0) + 1);
}
