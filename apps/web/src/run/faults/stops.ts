import { delayText, partText, rateText } from '@verbslab/protocol';

/** A slider with its stops; the first is 0, for “none”. */
export interface Dial {
  id: 'drop' | 'delayUs' | 'jitterUs' | 'reorder' | 'duplicate' | 'corrupt' | 'mark' | 'rateBps';
  title: string;
  meaning: string;
  stops: readonly number[];
  text: (stop: number) => string;
}

const PARTS = [0, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
const DELAYS = [0, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 10e3, 20e3, 40e3, 100e3, 200e3, 500e3];
const RATES = [0, 10e9, 5e9, 2e9, 1e9, 500e6, 200e6, 100e6, 50e6, 20e6, 10e6, 5e6, 2e6, 1e6];

const part = (stop: number): string => (stop === 0 ? 'none' : partText(stop));
const delay = (stop: number): string => (stop === 0 ? 'none' : delayText(stop));
const rate = (stop: number): string => (stop === 0 ? 'no limit' : rateText(stop));

export const DIALS: readonly Dial[] = [
  {
    id: 'drop',
    title: 'Loss',
    meaning: 'Share of the packets that never arrive.',
    stops: PARTS,
    text: part,
  },
  {
    id: 'delayUs',
    title: 'Delay',
    meaning: 'Each packet arrives so much later. At both ends, it adds to a round trip twice.',
    stops: DELAYS,
    text: delay,
  },
  {
    id: 'jitterUs',
    title: 'Jitter',
    meaning:
      'The delay of each packet is up to so much longer or shorter, so packets overtake each other. At most the delay.',
    stops: DELAYS,
    text: delay,
  },
  {
    id: 'reorder',
    title: 'Reordered',
    meaning: 'Share of the packets that change places with the next one.',
    stops: PARTS,
    text: part,
  },
  {
    id: 'duplicate',
    title: 'Duplicated',
    meaning: 'Share of the packets that arrive twice.',
    stops: PARTS,
    text: part,
  },
  {
    id: 'corrupt',
    title: 'Corrupted',
    meaning:
      'Share of the packets with one bit flipped. The receiver drops them, because the ICRC does not match.',
    stops: PARTS,
    text: part,
  },
  {
    id: 'mark',
    title: 'Marked (ECN)',
    meaning:
      'Share of the packets marked as a congested switch does (ECN 3). The receiver of an RC or UC packet answers with a CNP. The sender counts CNPs and does not slow down.',
    stops: PARTS,
    text: part,
  },
  {
    id: 'rateBps',
    title: 'Rate',
    meaning: 'Bits per second at most. Up to 1,000 packets wait for their turn; more are lost.',
    stops: RATES,
    text: rate,
  },
];
