// A simulated capture of each seed, and what its diagnosis states wrongly, seen whole and in part.
import { Random } from './random.js';
import { Simulation, tapped, type Truth, type Why } from './simulation.js';
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
const NEVER = [
  'reordered',
  'qp-reused',
  'malformed',
  'ack-not-executed',
  'read-response-late',
  'mtu-mixed',
  'nak-remote-access',
  'rnr',
];

/** Statements that are not so. */
function falseCauses(diagnosis: Diagnosis, capture: readonly Truth[]): string[] {
  const wrong: string[] = [];
  for (const { id, packets, text } of diagnosis.findings) {
    if (NEVER.includes(id)) wrong.push(`${text} ${packets.join()}`);
    // A retransmission of which only one packet behind the first was captured looks like a copy, and the finding says so.
    if (id === 'duplicated')
      for (const number of packets) {
        const { head, why } = capture[number - 1]!;
        if (head || why === 'new') wrong.push(`packet ${number} (in truth: ${why}): ${text}`);
      }
    const means = MEANS[id];
    if (!means) continue;
    // Where the first of a run was lost before the capture, the next one stands for it.
    for (const number of packets) {
      const { head, why } = capture[number - 1]!;
      if (head && !means.includes(why)) wrong.push(`packet ${number} (in truth: ${why}): ${text}`);
    }
  }
  return wrong;
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
export function simulated(seed: number): {
  ways: [name: string, capture: (Captured & Truth)[], snap?: number][];
  lossBefore: boolean;
} {
  const random = new Random(seed >>> 0);
  const loss = () => random.pick([0, 0, 5, 20, 50]);
  const path = { before: loss(), behind: loss() };
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
export function falseStatements(seed: number): string[] {
  const { ways, lossBefore } = simulated(seed);
  return ways.flatMap(([name, capture, snap]) => {
    if (capture.length === 0) return [];
    const diagnosis = diagnose(capture, snap);
    const wrong = falseCauses(diagnosis, capture);
    if (name === 'whole') {
      const [good, right] = [goodBytes(diagnosis), payload(capture)];
      if (good !== right) wrong.push(`${good} bytes of payload instead of ${right}`);
      const again = capture.filter(({ by, why }) => by === 'a' && why !== 'new').length;
      const { retransmissions } = diagnosis.counts;
      if (!lossBefore && retransmissions !== again)
        wrong.push(`${retransmissions} packets sent again instead of ${again}`);
    }
    return wrong.map((text) => `seed ${seed >>> 0}, ${name}: ${text}`);
  });
}
