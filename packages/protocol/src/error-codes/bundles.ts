// Errors of runs that arrive as a file.
import type { ErrorTable } from './entry.js';

const AGAIN = 'Copy the file again, or export the run again on the host that has it.';

export const bundles = {
  NO_BUNDLE: {
    http: 415,
    usage: true,
    message: 'This file is not a run bundle: {detail}.',
    cure: 'Choose a .vlrun file, which `verbslab runs export --format bundle` and the Export menu of a run write.',
  },
  BUNDLE_NEWER: {
    http: 415,
    message:
      'The bundle has format {format}, and this Verbs Lab ({version}) reads formats up to {known}. It needs Verbs Lab {needs} or newer.',
    cure: 'Install Verbs Lab {needs} or newer on this host, then import the file again.',
  },
  BUNDLE_CUT: {
    http: 400,
    message: 'The bundle is incomplete: the file ends {where}.',
    cure: AGAIN,
  },
  BUNDLE_CHANGED: {
    http: 400,
    message: 'The bundle was changed or damaged after its export: {detail}.',
    cure: AGAIN,
  },
  BUNDLE_INVALID: {
    http: 400,
    message: 'The bundle cannot be read: {detail}.',
    cure: AGAIN,
  },
  BUNDLE_TOO_LARGE: {
    http: 413,
    message: 'The bundle is too large: {what}, and the limit is {limit}.',
    cure: 'Start the agent with a larger --run-limit, then import the file again.',
  },
  ALREADY_HERE: {
    http: 409,
    message: 'This run is already here, as run {number}.',
    cure: 'Open run {number}, or import the file again for a second copy (`verbslab runs import --again`).',
  },
  IMPORT_BUSY: {
    http: 409,
    message: 'Another run is being imported.',
    cure: 'Wait until that import has ended, then try again.',
  },
  IMPORT_STALLED: {
    http: 408,
    message: 'The import was stopped: {detail}.',
    cure: 'Try again. On a slow connection, copy the file to the agent’s host and use `verbslab runs import` there.',
  },
} as const satisfies ErrorTable;
