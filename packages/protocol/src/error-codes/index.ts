// The table of error codes for native code, agent and browser.
import { access } from './access.js';
import { bundles } from './bundles.js';
import { failures } from './failures.js';
import { joins } from './joins.js';
import { lambdas } from './lambdas.js';
import { machines } from './machines.js';
import { messages } from './messages.js';
import { peers } from './peers.js';
import { requests } from './requests.js';
import { storage } from './storage.js';
import { workbench } from './workbench.js';
import type { ErrorEntry } from './entry.js';

/** Parts of the table, by area. No code is in two of them. */
export const ERROR_AREAS = {
  access,
  messages,
  requests,
  joins,
  bundles,
  peers,
  machines,
  storage,
  lambdas,
  workbench,
  failures,
} as const;

const table = {
  ...access,
  ...messages,
  ...requests,
  ...joins,
  ...bundles,
  ...peers,
  ...machines,
  ...storage,
  ...lambdas,
  ...workbench,
  ...failures,
};

export type ErrorCode = keyof typeof table;

export const ERRORS: Readonly<Record<ErrorCode, ErrorEntry>> = table;

/** The entry of a code; undefined for a code that only another version knows. */
export const errorEntry = (code: string): ErrorEntry | undefined =>
  Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode] : undefined;

export const ERROR_CODES = Object.keys(table) as [ErrorCode, ...ErrorCode[]];
