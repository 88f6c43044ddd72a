/** What can be lost in the recorded message: a copy of a packet, or an answer. */

export type Loss = { packet: number; copy: 1 | 2 } | { answer: number };

const isAnswer = (loss: Loss): loss is { answer: number } => 'answer' in loss;

/** Name of a loss in the file and the address: `3`, `3.2` for the second copy, `a1` for the first answer. */
export const nameOfLoss = (loss: Loss): string =>
  isAnswer(loss) ? `a${loss.answer}` : loss.copy === 1 ? String(loss.packet) : `${loss.packet}.2`;

export const nameOf = (losses: readonly Loss[]): string => losses.map(nameOfLoss).join('+');

export function lossesOf(name: string): Loss[] {
  return name.split('+').flatMap((one): Loss[] => {
    const [, answer, packet, copy] = /^(?:a(\d+)|(\d+)(\.2)?)$/.exec(one) ?? [];
    if (answer !== undefined) return [{ answer: Number(answer) }];
    return packet === undefined ? [] : [{ packet: Number(packet), copy: copy ? 2 : 1 }];
  });
}

/**
 * Losses after a press on `pressed`. A lost one is given back, with what was lost because of it. A first copy replaces
 * all; a second copy or an answer comes behind the first loss.
 */
export function pressed(losses: readonly Loss[], press: Loss): Loss[] {
  const at = losses.findIndex((one) => nameOfLoss(one) === nameOfLoss(press));
  if (at >= 0) return losses.slice(0, at);
  if (!isAnswer(press) && press.copy === 1) return [press];
  const [first] = losses;
  return first && !isAnswer(first) ? [first, press] : [press];
}

/** Packets of the recorded message. */
export const PACKETS = 16;

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
const EACH = upTo(0, PACKETS);

/** Names of all recorded losses: none, one, and a second one behind a lost packet. */
export const ONCE: readonly string[] = ['', ...EACH.map(String), 'a1'];
export const TWICE: readonly string[] = [
  ...EACH.map((packet) => `${packet}+${packet}.2`),
  ...EACH.flatMap((packet) => [`${packet}+a1`, `${packet}+a2`]),
  ...EACH.flatMap((packet) => upTo(packet + 1, PACKETS).map((second) => `${packet}+${second}.2`)),
];
const RECORDED = new Set([...ONCE, ...TWICE]);

export const isRecorded = (name: string): boolean => RECORDED.has(name);
