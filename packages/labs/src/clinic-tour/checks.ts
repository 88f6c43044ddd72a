import { CASES } from '../failures/cases/index.js';
import { statusText } from '../failures/evidence.js';
import { hexByte } from '../failures/syndromes.js';
import type { Expected } from '../failures/case.js';

function expectation({ status, refused, code, clientEvent, serverEvent, nak }: Expected): string {
  const event = clientEvent ?? serverEvent;
  return [
    refused ? refused.errno : `status ${statusText(status)}`,
    ...(code === undefined ? [] : [`answer ${code}`]),
    ...(nak === undefined ? [] : [`NAK ${hexByte(nak)}`]),
    ...(event === undefined ? [] : [`event ${event}`]),
  ].join(', ');
}

/** Checks: one per case, by its id, and one for all fixes. */
export const CHECKS = [
  ...CASES.map(({ id, name, expected }) => ({ id, text: `${name}: ${expectation(expected)}.` })),
  { id: 'fixes', text: 'Without its mistake, every program works.' },
];
