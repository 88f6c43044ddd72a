/** The ladder of a run's capture: packets made by the codec, lost and sent again as a go-back-N sender does. */
import { buildPacket, RC } from '@verbslab/roce';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { episodesOf, sentOf } from '../../src/explanations/amplification/episodes';
import { handlesOf } from '../../src/explanations/amplification/handles';
import { countOf } from '../../src/explanations/amplification/ladder';
import { LadderPart } from '../../src/explanations/amplification/ladder-part';
import { around, capturedLadder } from '../../src/explanations/amplification/run-ladder';
import { writesOf } from '../../src/explanations/amplification/writes';

type Captured = Parameters<typeof capturedLadder>[0][number];

const FIRST = 2 ** 24 - 3;
const NAK = 0x60;

const packet = (
  direction: Captured['direction'],
  t: number,
  opcode: number,
  step: number,
  syndrome?: number,
): Captured => {
  const bytes = buildPacket({
    ...{ src: '10.0.0.1', dst: '10.0.0.2' },
    bth: { opcode, destQp: 2, psn: (FIRST + step) % 2 ** 24 },
    // AETH of an answer, RETH of a WRITE.
    headers: [syndrome === undefined ? new Uint8Array(16) : Uint8Array.of(syndrome, 0, 0, 0)],
  });
  return { direction, t, bytes, origLen: 100 };
};
const write = (step: number, sent: number, arrived: number | null): Captured[] => [
  packet('sent', sent, RC.writeOnly, step),
  ...(arrived === null ? [] : [packet('received', arrived, RC.writeOnly, step)]),
];
const answer = (step: number, sent: number, arrived: number, syndrome = 0): Captured[] => [
  packet('sent', sent, RC.acknowledge, step, syndrome),
  packet('received', arrived, RC.acknowledge, step, syndrome),
];

// The fourth packet is lost, with PSNs that wrap before it.
const CAPTURE = [
  ...[0, 1, 2].flatMap((step) => write(step, 1000 + step, 1010 + step)),
  ...write(3, 1003, null),
  ...[4, 5].flatMap((step) => write(step, 1000 + step, 1010 + step)),
  ...answer(3, 1015, 1020, NAK),
  ...[3, 4, 5].flatMap((step) => write(step, 1030 + step, 1040 + step)),
  ...answer(5, 1046, 1050),
].sort((a, b) => a.t - b.t);

describe('the ladder of a capture', () => {
  const whole = capturedLadder(CAPTURE);
  const episodes = episodesOf(sentOf(writesOf(CAPTURE, 'sent'), writesOf(CAPTURE, 'received')));
  const ladder = around(whole, episodes[0]!);

  it('joins both ends, and counts PSNs from the lost packet', () => {
    expect(episodes).toHaveLength(1);
    expect(ladder.packets.map(({ psn, copy, fate }) => [psn, copy, fate])).toEqual([
      ...[
        [-3, 1, 'taken'],
        [-2, 1, 'taken'],
        [-1, 1, 'taken'],
        [0, 1, 'lost'],
      ],
      ...[
        [1, 1, 'gap'],
        [2, 1, 'gap'],
        [0, 2, 'taken'],
        [1, 2, 'taken'],
        [2, 2, 'taken'],
      ],
    ]);
    expect(ladder.goBacks).toEqual([{ at: 33, psn: 0, packets: 3, why: 'nak', waited: 13 }]);
    expect(ladder.answers).toEqual([
      { kind: 'nak', psn: 0, sent: 15, arrived: 20 },
      { kind: 'ack', psn: 2, sent: 46, arrived: 50 },
    ]);
    expect(countOf(ladder)).toMatchObject({
      needed: 6,
      again: 3,
      hadArrived: 2,
      selective: 1,
      bytesAgain: 300,
    });
  });

  it('is drawn with each packet, the NAK and a handle on what can be pressed', () => {
    const handles = handlesOf(
      ladder,
      (i) => (i === 3 ? '0' : null),
      () => null,
    );
    const html = renderToStaticMarkup(
      <LadderPart {...{ ladder, handles }} clean={null} hint="Press." onPress={() => undefined} />,
    );
    expect(html.match(/data-fate="taken"/g)).toHaveLength(6);
    expect(html.match(/data-fate="gap"/g)).toHaveLength(2);
    expect(html.match(/data-fate="lost"/g)).toHaveLength(1);
    expect(html.match(/data-copy="2"/g)).toHaveLength(3);
    expect(html).toContain('data-answer="nak"');
    expect(html.match(/data-handle/g)).toHaveLength(1);
    expect(html).toContain(
      'A NAK asks for packet 0. The requester sends it and all behind it: 3 packets again',
    );
  });
});
