/** What a ladder shows, in words. */
import { formatCount, formatTime, plural } from '@verbslab/labs';
import { countOf, endOf, type GoBack, type Ladder, type LadderAnswer, type LadderPacket } from './ladder';

const nth = (psn: number): string => `packet ${formatCount(psn)}`;

const WAS: Readonly<Record<LadderPacket['fate'], string>> = {
  taken: 'taken',
  gap: 'dropped by the responder: a packet before it is missing',
  duplicate: 'a duplicate: it had arrived before',
  lost: 'lost',
};

const fateWords = ({ copy, fate }: LadderPacket): string => `${copy > 1 ? 'sent again, ' : ''}${WAS[fate]}`;

export const packetWords = (packet: LadderPacket): string =>
  `Packet ${formatCount(packet.psn)}: ${fateWords(packet)}`;

export const answerName = ({ kind }: Pick<LadderAnswer, 'kind'>): string =>
  kind === 'nak' ? 'NAK, PSN sequence error' : 'ACK';

export const answerWords = (answer: LadderAnswer): string =>
  `${answerName(answer)}, ${nth(answer.psn)}: ${answer.arrived === null ? 'lost' : 'arrived'}`;

export const goBackWords = ({ why, waited }: GoBack): string =>
  why === 'nak' ? 'NAK, PSN sequence error' : `ACK timeout, ${formatTime(waited)}`;

/** What the loss of this ladder cost. `clean`: the time of the message without a loss; null if not recorded. */
export function ladderAnswer(ladder: Ladder, clean: number | null): string {
  const { needed, again, bytesAgain, selective } = countOf(ladder);
  if (again === 0)
    return `Nothing is lost: ${plural(needed, 'packet')} and one answer, ${formatTime(endOf(ladder))}.`;
  const cost = `${plural(again, 'packet')} again, ${formatCount(bytesAgain)} B. Selective repeat would send ${formatCount(selective)} (computed).`;
  const timeouts = ladder.goBacks.filter(({ why }) => why === 'timeout');
  const [longest] = timeouts.toSorted((a, b) => b.waited - a.waited);
  const naks = ladder.goBacks.flatMap(({ why, psn }) => (why === 'nak' ? [nth(psn)] : []));
  if (!longest)
    return `A NAK asks for ${naks.join(', another one for ')}. The requester sends it and all behind it: ${cost}`;
  const times =
    clean === null
      ? ''
      : `, ${formatCount(Math.round(longest.waited / clean))}× the time of the message without loss`;
  return `Only the ACK timeout shows this loss, after ${formatTime(longest.waited)}${times}. The requester sends ${cost}`;
}

/** Rows of the ladder's table, a row for each packet and answer, in the order of sending. */
export const ladderRows = ({ packets, answers }: Ladder): string[][] =>
  [
    ...packets.map((one) => ({ ...one, what: fateWords(one) })),
    ...answers.map((one) => ({ ...one, what: answerName(one) })),
  ]
    .sort((a, b) => a.sent - b.sent)
    .map(({ psn, sent, arrived, what }) => [
      formatCount(psn),
      formatTime(sent),
      arrived === null ? 'lost' : formatTime(arrived),
      what,
    ]);
