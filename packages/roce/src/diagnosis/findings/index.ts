import type { Evidence } from '../diagnoser.js';
import type { Finding, Severity } from '../types.js';
import { clocks, cut, icrc, malformed, other, times, unknown } from './capture.js';
import type { FindingClass } from './class.js';
import { incast, marked, notified } from './congestion.js';
import {
  cmRepeated,
  cmUnanswered,
  lateDisconnect,
  messageZero,
  noDisconnect,
  notExecuted,
  refused,
  unanswered,
} from './endings.js';
import { datagrams, gaps, unreliable, unseen } from './gaps.js';
import { goodput, unmatched } from './goodput.js';
import { fragments, pauses, unsupported } from './link.js';
import { below, mixed, mtu } from './mtu.js';
import { naks } from './naks.js';
import { notReady } from './not-ready.js';
import { arrivals, doubtful, duplicated, reordered, reused } from './order.js';
import { lateResponses, missingResponses, repeatedResponses } from './responses.js';
import { retransmissions } from './retransmissions.js';

/** All classes; findings of the same severity keep this order. */
export const CLASSES: readonly FindingClass[] = [
  icrc,
  malformed,
  fragments,
  pauses,
  ...naks,
  refused,
  cmUnanswered,
  cmRepeated,
  notReady,
  ...retransmissions,
  ...gaps,
  unreliable,
  datagrams,
  unseen,
  notExecuted,
  missingResponses,
  lateResponses,
  repeatedResponses,
  reordered,
  duplicated,
  doubtful,
  unanswered,
  incast,
  marked,
  notified,
  mixed,
  below,
  goodput,
  mtu,
  lateDisconnect,
  noDisconnect,
  messageZero,
  reused,
  unmatched,
  arrivals,
  clocks,
  times,
  unknown,
  cut,
  unsupported,
  other,
];

export const CHECKED: string[] = CLASSES.map(({ checks }) => checks);

const ORDER: readonly Severity[] = ['error', 'warning', 'note'];

/** Findings of all classes, the most serious first. */
export function allFindings(evidence: Evidence): Finding[] {
  const all = CLASSES.flatMap((one) => one.find(evidence));
  return ORDER.flatMap((severity) => all.filter((one) => one.severity === severity));
}
