import type { FoundConnection } from './connections.js';
import type { Order } from './copies.js';
import type { Flow } from './flow.js';

/** Packets of one direction that show at both places. Fewer may have been delayed by chance. */
const ENOUGH = 3;
/** Share of packets that must agree on the order. A retransmission may be taken for the first transmission. */
const MOST_OF_THEM = 0.7;

/** A connection that was captured at two places with different clocks. */
export interface ClocksApart {
  connection: FoundConnection;
  /** Difference of the clocks, about, ns. */
  ns: number;
}

/** Returns 1 if the first place has the packets first, -1 if the second has, 0 if that is not certain. */
function sense({ first, second }: Order): number {
  const all = first + second;
  if (all < ENOUGH) return 0;
  return first >= MOST_OF_THEM * all ? 1 : second >= MOST_OF_THEM * all ? -1 : 0;
}

/** The way bits of a place: 2 where packets leave, 1 where they arrive. */
const way = (place: number): number => place & 3;

/** True if packets seem to arrive before they leave, which proves that the clocks differ. */
function arrivesFirst(order: Order): boolean {
  const ways = sense(order) < 0 ? order.places.toReversed() : order.places;
  return sense(order) !== 0 && way(ways[0]!) === 1 && way(ways[1]!) === 2;
}

/** Median time between the places: a retransmission can be matched with the wrong packet. */
const usual = ({ apartNs }: Order): number =>
  apartNs.toSorted((x, y) => x - y)[Math.floor(apartNs.length / 2)]!;

/** Difference of the clocks by the packets in both directions, ns; 0 if nothing shows a difference. */
function apart(orders: readonly Order[]): number {
  const [a, b] = orders;
  // Packets that pass one place first on the way out pass it last on the way back.
  if (a && b && sense(a) !== 0 && sense(a) === sense(b)) return (usual(a) + usual(b)) / 2;
  const early = orders.filter(arrivesFirst);
  return early.length > 0 ? Math.max(...early.map(usual)) : 0;
}

/** Key of the two hosts, in either direction. */
const hostsOf = ({ src, dst }: Flow): string => `${Math.min(src, dst)} ${Math.max(src, dst)}`;

function add(to: Order, { first, second, apartNs }: Order): void {
  to.first += first;
  to.second += second;
  to.apartNs.push(...apartNs);
}

export function clocksApart(
  connections: readonly FoundConnection[],
  orders: ReadonlyMap<number, Order>,
): ClocksApart[] {
  if (orders.size === 0) return [];
  // Sums per direction over all flows: with wrong times some flows are not matched to each other.
  const sums = new Map<string, { hosts: string; ways: Map<boolean, Order> }>();
  for (const flow of connections.flatMap(({ flows }) => flows)) {
    const order = flow && orders.get(flow.id);
    if (!order) continue;
    const name = `${hostsOf(flow)} ${order.places.join(' ')}`;
    const { ways } = sums.get(name) ?? { ways: new Map<boolean, Order>() };
    sums.set(name, { hosts: hostsOf(flow), ways });
    const sum = ways.get(flow.src < flow.dst);
    if (sum) add(sum, order);
    else ways.set(flow.src < flow.dst, { ...order, apartNs: [...order.apartNs] });
  }
  const found = new Map<string, number>();
  for (const { hosts, ways } of sums.values())
    found.set(hosts, Math.max(found.get(hosts) ?? 0, apart([...ways.values()])));
  return connections
    .map((connection) => ({ connection, ns: found.get(hostsOf(connection.flows[0])) ?? 0 }))
    .filter(({ ns }) => ns > 0);
}
