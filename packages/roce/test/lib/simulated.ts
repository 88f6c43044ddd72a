// A simulated capture of each seed, and what its diagnosis states wrongly, seen whole and in part.
import { Random } from './random.js';
import { Simulation, tapped, type Path, type Truth, type Why } from './simulation.js';
import { diagnose, goodBytes, opcodeOf, psnOf, type Captured } from './traffic.js';
import type { Diagnosis } from '../../src/index.js';

/** The causes that a finding may stand for. A lost ACK ends in a timeout. */
const MEANS: Record<string, Why[]> = {
  'retransmission-nak': ['nak'],
  'retransmission-timeout': ['timeout'],
  'retransmission-read': ['read'],
  'retransmission-lost-ack': ['timeout'],
};
/** What the path of the simulation never does. */
const NEVER = ['qp-reused', 'malformed', 'ack-not-executed', 'mtu-mixed', 'nak-remote-access', 'rnr'];

/** What a finding that names this packet says wrongly of it; undefined where it may be so. */
function wrongly(id: string, { head, why, odd }: Truth): string | undefined {
  // A retransmission of which only one packet behind the first was captured looks like a copy, and the finding says so.
  if (id === 'duplicated')
    return odd === undefined && (head || why === 'new') ? `no copy, but ${why}` : undefined;
  if (id === 'reordered' || id === 'read-response-late')
    return odd === undefined ? `not late, but ${why}` : undefined;
  const means = MEANS[id];
  if (!means) return undefined;
  if (odd === 'copy' || why === 'new') return odd === 'copy' ? 'a copy' : 'the first time';
  // Where the first of a run was lost before the capture, the next one stands for it.
  return head && !means.includes(why) ? why : undefined;
}

/** Statements that are not so. */
function falseCauses(diagnosis: Diagnosis, capture: readonly Truth[]): string[] {
  return diagnosis.findings.flatMap(({ id, packets, text }) => {
    if (NEVER.includes(id)) return [`${text} ${packets.join()}`];
    return packets.flatMap((number) => {
      const truth = wrongly(id, capture[number - 1]!);
      return truth === undefined ? [] : [`packet ${number} (in truth ${truth}): ${id}: ${text}`];
    });
  });
}

const payloadOf = (one: Truth): number => {
  const opcode = opcodeOf(one);
  return opcode <= 0x0a || (opcode >= 0x0d && opcode <= 0x10) ? 256 : 0;
};

/** Payload of each PSN once. */
function payload(capture: readonly Truth[]): number {
  const seen = new Set<string>();
  let sum = 0;
  for (const one of capture) {
    const key = `${one.by} ${one.data[33]} ${one.data[34]} ${one.data[35]} ${psnOf(one)}`;
    if (!seen.has(key)) sum += payloadOf(one);
    if (payloadOf(one) > 0) seen.add(key);
  }
  return sum;
}

/** What the tap and both ends capture of the connections that a seed makes. */
export function simulated(
  seed: number,
  more: Partial<Path> = {},
): {
  ways: [name: string, capture: (Captured & Truth)[], snap?: number][];
  lossBefore: boolean;
} {
  const random = new Random(seed >>> 0);
  const loss = () => random.pick([0, 0, 5, 20, 50]);
  const path = { before: loss(), behind: loss(), ...more };
  const all = Array.from({ length: random.pick([1, 1, 2, 3]) }, (_, k) => {
    const base = random.pick([0xfffff0, 5, random.below(1 << 24)]) + k * 1_000_000;
    return new Simulation(random, path, base, [0x11 + k, 0x22 + k], 40 + random.below(60)).wire;
  }).flat();
  const whole = tapped(all);
  const ends = all
    .flatMap((one) => [
      { ...one, t: one.atA, interfaceId: 0 },
      { ...one, t: one.atB, interfaceId: 1 },
    ])
    .filter(({ t }) => t >= 0)
    .sort((x, y) => x.t - y.t);
  return {
    ways: [
      ['whole', whole],
      ['from the middle', whole.slice(random.below(whole.length))],
      ['requests only', whole.filter(({ by }) => by === 'a')],
      ['answers only', whole.filter(({ by }) => by === 'b')],
      ['cut', whole, 28 + random.below(40)],
      ['both ends', ends],
    ],
    lossBefore: path.before > 0,
  };
}

/** Each false statement about the captures of a seed, with the seed and the name of the capture. */
export function falseStatements(seed: number, more: Partial<Path> = {}): string[] {
  const { ways, lossBefore } = simulated(seed, more);
  return ways.flatMap(([name, capture, snap]) => {
    if (capture.length === 0) return [];
    const diagnosis = diagnose(capture, snap);
    const wrong = falseCauses(diagnosis, capture);
    if (name === 'whole') {
      const [good, right] = [goodBytes(diagnosis), payload(capture)];
      if (good !== right) wrong.push(`${good} bytes of payload instead of ${right}`);
      const again = capture.filter(({ by, why }) => by === 'a' && why !== 'new').length;
      const { retransmissions } = diagnosis.counts;
      if (!lossBefore && !more.copied && !more.late && retransmissions !== again)
        wrong.push(`${retransmissions} packets sent again instead of ${again}`);
    }
    return wrong.map((text) => `seed ${seed >>> 0}, ${name}: ${text}`);
  });
}
