// Random losses with known causes: whatever the capture lacks, the diagnosis never states a false cause, and it counts right.
import { expect, it } from 'vitest';
import { newSeed, Random } from './lib/random.js';
import { Simulation, tapped, type Truth, type Why } from './lib/simulation.js';
import { diagnose, goodBytes, opcodeOf, psnOf, type Captured } from './lib/traffic.js';
import type { Diagnosis } from '../src/index.js';

const CAPTURES = Number(process.env['VERBSLAB_CAPTURES'] ?? 200);

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
  'duplicated',
  'qp-reused',
  'malformed',
  'ack-not-executed',
  'read-response-late',
  'mtu-mixed',
  'nak-remote-access',
  'rnr',
];

function expectNoFalse(diagnosis: Diagnosis, capture: readonly Truth[], about: string): void {
  for (const { id, packets, text } of diagnosis.findings) {
    expect(NEVER, `${about}: ${text} ${packets.join()}`).not.toContain(id);
    const means = MEANS[id];
    if (!means) continue;
    // Where the first of a run was lost before the capture, the next one stands for it.
    for (const number of packets.filter((n) => capture[n - 1]!.head))
      expect(means, `${about}, packet ${number}: ${text}`).toContain(capture[number - 1]!.why);
  }
}

const payloadOf = (one: Truth): number => {
  const opcode = opcodeOf(one);
  return opcode <= 0x0a || (opcode >= 0x0d && opcode <= 0x10) ? 256 : 0;
};

/** Payload of each PSN once. */
function truth(capture: readonly Truth[]): number {
  const seen = new Set<string>();
  let sum = 0;
  for (const one of capture) {
    const key = `${one.by} ${one.data[33]} ${one.data[34]} ${one.data[35]} ${psnOf(one)}`;
    if (!seen.has(key)) sum += payloadOf(one);
    if (payloadOf(one) > 0) seen.add(key);
  }
  return sum;
}

it('never states a false cause', { timeout: 60_000 + CAPTURES * 2000 }, () => {
  // With every change the same captures; a night (VERBSLAB_CAPTURES) looks for new ones, and VERBSLAB_SEED replays one.
  const { VERBSLAB_CAPTURES: many, VERBSLAB_SEED: given } = process.env;
  const seed = many === undefined && given === undefined ? 1 : newSeed();
  for (let i = 0; i < CAPTURES; i++) {
    const random = new Random((seed + i) >>> 0);
    const about = `seed ${(seed + i) >>> 0}`;
    const loss = () => random.pick([0, 0, 5, 20, 50]);
    const path = { before: loss(), behind: loss() };
    const all = Array.from({ length: random.pick([1, 1, 2, 3]) }, (_, k) => {
      const base = random.pick([0xfffff0, 5, random.below(1 << 24)]) + k * 1_000_000;
      return new Simulation(random, path, base, [0x11 + k, 0x22 + k], 40 + random.below(60)).wire;
    });
    const whole = tapped(all.flat());
    const ways: [string, Truth[], number?][] = [
      ['whole', whole],
      ['from the middle', whole.slice(random.below(whole.length))],
      ['requests only', whole.filter(({ by }) => by === 'a')],
      ['answers only', whole.filter(({ by }) => by === 'b')],
      ['cut', whole, 28 + random.below(40)],
    ];
    for (const [name, capture, snap] of ways) {
      if (capture.length === 0) continue;
      const diagnosis = diagnose(capture, snap);
      expectNoFalse(diagnosis, capture, `${about}, ${name}`);
      if (name === 'whole') {
        expect(goodBytes(diagnosis), `${about}: payload`).toBe(truth(capture));
        const again = capture.filter(({ by, why }) => by === 'a' && why !== 'new').length;
        if (path.before === 0) expect(diagnosis.counts.retransmissions, `${about}: sent again`).toBe(again);
        const unexplained = diagnosis.findings.filter(({ id }) => id === 'retransmission-unexplained');
        if (process.env['VERBSLAB_TRACE'] && unexplained.length > 0)
          console.log(
            about,
            unexplained[0]!.text,
            unexplained[0]!.packets,
            unexplained[0]!.packets.map((n) => capture[n - 1]!.why),
          );
      }
    }
    const both: (Captured & Truth)[] = all
      .flat()
      .flatMap((one) => [
        { ...one, t: one.atA, interfaceId: 0 },
        { ...one, t: one.atB, interfaceId: 1 },
      ])
      .filter(({ t }) => t >= 0)
      .sort((x, y) => x.t - y.t);
    expectNoFalse(diagnose(both), both, `${about}, both ends`);
  }
});
