import type { Evidence } from '../diagnoser.js';
import type { Finding, Severity } from '../types.js';
import { cut, icrc, malformed, other, times } from './capture.js';
import type { FindingClass } from './class.js';
import { marked, notified } from './congestion.js';
import { cmRepeated, cmUnanswered, noDisconnect, refused, unanswered } from './endings.js';
import { gaps, unseen } from './gaps.js';
import { goodput, unmatched } from './goodput.js';
import { below, mixed, mtu } from './mtu.js';
import { naks } from './naks.js';
import { notReady } from './not-ready.js';
import { arrivals, duplicated, reordered } from './order.js';
import { missingResponses, repeatedResponses } from './responses.js';
import { retransmissions } from './retransmissions.js';

/** All classes; findings of the same severity keep this order. */
export const CLASSES: readonly FindingClass[] = [
  icrc,
  malformed,
  ...naks,
  refused,
  cmUnanswered,
  cmRepeated,
  notReady,
  ...retransmissions,
  ...gaps,
  unseen,
  missingResponses,
  repeatedResponses,
  reordered,
  duplicated,
  unanswered,
  marked,
  notified,
  mixed,
  below,
  goodput,
  mtu,
  noDisconnect,
  unmatched,
  arrivals,
  times,
  cut,
  other,
];

export const CHECKED: string[] = CLASSES.map(({ checks }) => checks);

const ORDER: readonly Severity[] = ['error', 'warning', 'note'];

/** Findings of all classes, the most serious first. */
export function allFindings(evidence: Evidence): Finding[] {
  const all = CLASSES.flatMap((one) => one.find(evidence));
  return ORDER.flatMap((severity) => all.filter((one) => one.severity === severity));
}
