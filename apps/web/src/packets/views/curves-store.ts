import { create } from 'zustand';

export interface CurveChoice {
  /** Display filter of its packets; empty for all. */
  filter: string;
  on: boolean;
}

export type IoUnit = 'packets' | 'bytes';

interface Curves {
  curves: readonly CurveChoice[];
  unit: IoUnit;
}

/** Curves of the I/O graph. They stay while the reader visits other pages. */
export const useCurves = create<Curves>(() => ({
  curves: [
    { filter: '', on: true },
    { filter: 'vl.retransmission', on: true },
    { filter: 'vl.nak', on: true },
    { filter: 'infiniband.bth.opcode == 17', on: false },
  ],
  unit: 'packets',
}));

export function changeCurve(at: number, to: Partial<CurveChoice>): void {
  useCurves.setState(({ curves }) => ({
    curves: curves.map((one, i) => (i === at ? { ...one, ...to } : one)),
  }));
}

/** Looks of the curves by their places: retransmissions and NAKs have their colors as everywhere. */
export const CURVE_LOOKS: readonly { line: string; dash: string | undefined }[] = [
  { line: 'var(--rdma)', dash: undefined },
  { line: 'var(--retx)', dash: undefined },
  { line: 'var(--nak)', dash: '5 2' },
  { line: 'var(--ink-2)', dash: '2 2' },
];
