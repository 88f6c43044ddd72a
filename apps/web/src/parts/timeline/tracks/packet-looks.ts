import { PsnPointKind } from '@verbslab/roce';
import type { Arrows, Marks } from '../model/track';

const LANE_PX = 48;
export const PSN_PX = 120;

export const ladderHeight = (lanes: number): number => LANE_PX * Math.max(1, lanes - 1) + 24;

export type ArrowClass = 'request' | 'response' | 'other' | 'retransmission' | 'refusal' | 'broken';

type ArrowLook = Pick<Arrows, 'name' | 'color' | 'exceptional' | 'dashed' | 'mark'>;

/** Looks of arrows. Later ones are drawn above earlier ones. */
export const ARROWS: Readonly<Record<ArrowClass, ArrowLook>> = {
  request: { name: 'requests and READ responses', color: 'rdma', exceptional: false, dashed: false },
  response: { name: 'ACKs', color: 'line-strong', exceptional: false, dashed: true },
  other: { name: 'CM and other packets', color: 'ink-2', exceptional: false, dashed: false },
  retransmission: { name: 'retransmitted', color: 'retx', exceptional: true, dashed: true, mark: 'cross' },
  refusal: { name: 'NAKs and RNR NAKs', color: 'nak', exceptional: true, dashed: false, mark: 'triangle' },
  broken: { name: 'malformed or wrong ICRC', color: 'error', exceptional: true, dashed: false },
};

export type PointClass =
  | 'ack'
  | 'request'
  | 'readResponse'
  | 'retransmission'
  | 'responseAgain'
  | 'nak'
  | 'rnr';

type PointLook = Pick<Marks, 'name' | 'color' | 'shape' | 'exceptional'> & { kind: number };

/** Looks of points. Later ones are drawn above earlier ones. */
export const POINTS: Readonly<Record<PointClass, PointLook>> = {
  ack: { kind: PsnPointKind.ACK, name: 'acknowledged up to here', color: 'line-strong', shape: 'tick' },
  request: { kind: PsnPointKind.REQUEST, name: 'requests', color: 'rdma', shape: 'dot' },
  readResponse: {
    kind: PsnPointKind.READ_RESPONSE,
    name: 'READ responses',
    color: 'shm',
    shape: 'dot',
  },
  retransmission: {
    kind: PsnPointKind.RETRANSMISSION,
    name: 'retransmitted',
    color: 'retx',
    shape: 'cross',
    exceptional: true,
  },
  responseAgain: {
    kind: PsnPointKind.DUPLICATE_RESPONSE,
    name: 'READ responses, repeated',
    color: 'retx',
    shape: 'cross',
    exceptional: true,
  },
  nak: { kind: PsnPointKind.NAK, name: 'NAK', color: 'nak', shape: 'triangle', exceptional: true },
  rnr: { kind: PsnPointKind.RNR, name: 'RNR NAK', color: 'nak', shape: 'diamond', exceptional: true },
};
