import { PsnPointKind } from '@verbslab/roce';
import type { Arrows, Marks } from '../model/track';

const LANE_PX = 48;
export const PSN_PX = 120;

export const ladderHeight = (lanes: number): number => LANE_PX * Math.max(1, lanes - 1) + 24;

export type ArrowClass = 'request' | 'response' | 'other' | 'retransmission' | 'refusal' | 'broken';

type ArrowLook = Pick<Arrows, 'name' | 'colour' | 'exceptional' | 'dashed' | 'mark'>;

/** Looks of arrows. Later ones are drawn above earlier ones. */
export const ARROWS: Readonly<Record<ArrowClass, ArrowLook>> = {
  request: { name: 'requests and READ responses', colour: 'rdma', exceptional: false, dashed: false },
  response: { name: 'ACKs', colour: 'line-strong', exceptional: false, dashed: true },
  other: { name: 'CM and other packets', colour: 'ink-2', exceptional: false, dashed: false },
  retransmission: { name: 'retransmitted', colour: 'retx', exceptional: true, dashed: true, mark: 'cross' },
  refusal: { name: 'NAKs and RNR NAKs', colour: 'nak', exceptional: true, dashed: false, mark: 'triangle' },
  broken: { name: 'malformed or wrong ICRC', colour: 'error', exceptional: true, dashed: false },
};

export type PointClass =
  | 'ack'
  | 'request'
  | 'readResponse'
  | 'retransmission'
  | 'responseAgain'
  | 'nak'
  | 'rnr';

type PointLook = Pick<Marks, 'name' | 'colour' | 'shape' | 'exceptional'> & { kind: number };

/** Looks of points. Later ones are drawn above earlier ones. */
export const POINTS: Readonly<Record<PointClass, PointLook>> = {
  ack: { kind: PsnPointKind.ACK, name: 'acknowledged up to here', colour: 'line-strong', shape: 'tick' },
  request: { kind: PsnPointKind.REQUEST, name: 'requests', colour: 'rdma', shape: 'dot' },
  readResponse: {
    kind: PsnPointKind.READ_RESPONSE,
    name: 'READ responses',
    colour: 'shm',
    shape: 'dot',
  },
  retransmission: {
    kind: PsnPointKind.RETRANSMISSION,
    name: 'retransmitted',
    colour: 'retx',
    shape: 'cross',
    exceptional: true,
  },
  responseAgain: {
    kind: PsnPointKind.DUPLICATE_RESPONSE,
    name: 'READ responses, repeated',
    colour: 'retx',
    shape: 'cross',
    exceptional: true,
  },
  nak: { kind: PsnPointKind.NAK, name: 'NAK', colour: 'nak', shape: 'triangle', exceptional: true },
  rnr: { kind: PsnPointKind.RNR, name: 'RNR NAK', colour: 'nak', shape: 'diamond', exceptional: true },
};
