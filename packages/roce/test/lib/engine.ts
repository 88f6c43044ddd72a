// Captures of the real engine in a simulated network with known truth, and the false statements of their diagnoses.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { falseCauses, naks, payload, type Truth, type Way, type Why } from './judge.js';
import { Random } from './random.js';
import { diagnose, goodBytes } from './traffic.js';
import type { Diagnosis } from '../../src/index.js';

/** The target `sim_captures`. native/tests/sim/recorder.h describes its output. */
const PROGRAM = fileURLToPath(new URL('../../../../native/build/tests/sim/sim_captures', import.meta.url));

/** A line of the program's output. */
interface Written {
  seed: number;
  description: string;
  sent: [node: 0 | 1, payload: number, why: Why, head: boolean, packet: number][];
  passed: [place: 0 | 1 | 2, t: number, sent: number, packet: number][];
  lengths: number[];
}

/** A packet at a place, and its index among the packets sent. */
interface Sighting extends Truth {
  sent: number;
}

export interface Carried {
  seed: number;
  description: string;
  /** Packets at the first node, in the middle, and at the second node. */
  places: [Sighting[], Sighting[], Sighting[]];
}

const PLACES = ['at A', 'in the middle', 'at B'] as const;

/** Packets that passed a place, with what the network had done to each by then. */
function at(place: number, { passed, sent }: Written, packets: readonly Uint8Array[]): Sighting[] {
  const seen = new Set<number>();
  const latest = new Map<string, number>();
  return passed
    .filter(([where]) => where === place)
    .map(([, t, index, packet]) => {
      const [node, bytes, why, head, whole] = sent[index]!;
      const data = packets[packet]!;
      const flow = `${node} ${data[33]} ${data[34]} ${data[35]}`;
      const before = latest.get(flow) ?? -1;
      const copy = seen.has(index);
      seen.add(index);
      latest.set(flow, Math.max(before, index));
      const odd = packet !== whole ? 'damaged' : copy ? 'copy' : index < before ? 'late' : undefined;
      return {
        t,
        by: node === 0 ? ('a' as const) : ('b' as const),
        data,
        why,
        head,
        payload: bytes,
        sent: index,
        ...(odd === undefined ? {} : { odd }),
      };
    });
}

/** Runs the engine for `count` seeds from the first on, and yields the captures of each. */
export function* carried(seed: number, count: number): Generator<Carried> {
  const { status, stdout, stderr } = spawnSync(PROGRAM, [String(seed), String(count)], {
    maxBuffer: 1 << 30,
  });
  if (status !== 0) throw new Error(`sim_captures ended with ${status}: ${String(stderr)}`);
  for (let offset = 0; offset < stdout.length;) {
    const end = stdout.indexOf(0x0a, offset);
    const written = JSON.parse(stdout.toString('utf8', offset, end)) as Written;
    offset = end + 1;
    const packets = written.lengths.map((length) => stdout.subarray(offset, (offset += length)));
    yield {
      seed: written.seed,
      description: written.description,
      places: [at(0, written, packets), at(1, written, packets), at(2, written, packets)],
    };
  }
}

function ways({ seed, places }: Carried): Way<Sighting>[] {
  const random = new Random(seed);
  const part = (): [name: string, Sighting[]] => {
    const place = random.below(3) as 0 | 1 | 2;
    return [PLACES[place], places[place]];
  };
  const [[begun, from], [one, way], [cut, whole]] = [part(), part(), part()];
  const by = random.pick(['a', 'b'] as const);
  const ends = [0 as const, 2 as const]
    .flatMap((place, interfaceId) => places[place].map((each) => ({ ...each, interfaceId })))
    .sort((x, y) => x.t - y.t);
  return [
    ...places.map((all, place): Way<Sighting> => [PLACES[place]!, all]),
    [`${begun}, from a packet on`, from.slice(random.below(from.length))],
    [`${one}, only from ${by}`, way.filter((each) => each.by === by)],
    // Damage looks the same as a cut packet.
    ...(whole.some(({ odd }) => odd === 'damaged')
      ? []
      : [[`${cut}, cut`, whole, 28 + random.below(60)] as Way<Sighting>]),
    ['at both ends', ends],
  ];
}

/** Packets that a host sent again, as the diagnosis counts them. */
const resentBy = ({ connections }: Diagnosis, host: string): number =>
  connections.reduce(
    (sum, { ends, from }) =>
      sum + ends.reduce((n, end, i) => n + (end.ip === host ? (from[i]?.retransmissions ?? 0) : 0), 0),
    0,
  );

/** Figures of a whole capture that differ from the truth. */
function falseFigures(diagnosis: Diagnosis, capture: readonly Sighting[], place: number): string[] {
  const wrong: string[] = [];
  const compare = (what: string, found: number, right: number): void => {
    if (found !== right) wrong.push(`${found} ${what} instead of ${right}`);
  };
  compare('bytes of payload', goodBytes(diagnosis), payload(capture));
  if (capture.some(({ odd }) => odd === 'copy')) return wrong;
  const right = naks(capture);
  compare('NAKs', diagnosis.counts.naks, right.naks);
  compare('RNR NAKs', diagnosis.counts.rnrNaks, right.rnrNaks);
  // A host captures its own packets before the network can lose, delay or damage them.
  const [by, host] = place === 0 ? ['a', '10.0.0.1'] : ['b', '10.0.0.2'];
  const again = capture.filter((each) => each.by === by && each.why !== 'new').length;
  if (place !== 1) compare(`packets sent again by ${host}`, resentBy(diagnosis, host), again);
  return wrong;
}

/** Returns each false statement about the captures of a seed, with the seed and the place of capture. */
export function falseStatements(one: Carried): string[] {
  return ways(one).flatMap(([name, capture, snap]) => {
    if (capture.length === 0) return [];
    const diagnosis = diagnose(capture, snap);
    const wrong = falseCauses(diagnosis, capture);
    const place = PLACES.indexOf(name as (typeof PLACES)[number]);
    if (place >= 0) wrong.push(...falseFigures(diagnosis, capture, place));
    return wrong.map((text) => `seed ${one.seed} (${one.description}), ${name}: ${text}`);
  });
}
