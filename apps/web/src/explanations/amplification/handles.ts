/** What can be pressed in a ladder. */
import { answerWords, packetWords } from './ladder-words';
import type { Ladder } from './ladder';

export interface Handle {
  name: string;
  label: string;
  psn: number;
  from: number;
  to: number;
  lost: boolean;
}

/**
 * Handles of the packets and answers, in the order of sending. `nameOfPacket`, `nameOfAnswer`: null where a press does
 * nothing.
 */
export function handlesOf(
  { packets, answers }: Ladder,
  nameOfPacket: (index: number) => string | null,
  nameOfAnswer: (index: number) => string | null,
): Handle[] {
  const end = (sent: number, arrived: number | null): number => arrived ?? sent;
  return [
    ...packets.flatMap((one, i): Handle[] => {
      const name = nameOfPacket(i);
      const { psn, sent, arrived } = one;
      const lost = arrived === null;
      return name === null
        ? []
        : [{ name, label: packetWords(one), psn, from: sent, to: end(sent, arrived), lost }];
    }),
    ...answers.flatMap((one, i): Handle[] => {
      const name = nameOfAnswer(i);
      const { psn, sent, arrived } = one;
      const lost = arrived === null;
      return name === null
        ? []
        : [{ name, label: answerWords(one), psn, from: sent, to: end(sent, arrived), lost }];
    }),
  ].sort((a, b) => a.from - b.from);
}
