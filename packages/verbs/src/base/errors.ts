import { constants } from 'node:os';
import { cureOf, errorInfo, lookupErrno, lookupWcStatus, type ErrorInfo } from '@verbslab/protocol';

/** Numbers of the errno names that this package raises itself. */
const ERRNO = { EINVAL: 22, ENODEV: 19, ENOMEM: 12, EBUSY: 16, ETIMEDOUT: 110, EBADF: 9 } as const;

/**
 * The error of every failing call of this package. The message says what is wrong, {@link hint} says what to do. Both
 * come from the error tables of packages/protocol.
 */
export class VerbsError extends Error {
  /** Always `VerbsError`. */
  override readonly name = 'VerbsError';

  constructor(
    /** Name of the errno (`ENOMEM`), or `WC_` and the name of a completion status (`WC_RETRY_EXC_ERR`). */
    readonly code: string,
    /** Number of the errno; 0 if a completion failed. */
    readonly errno: number,
    /** The C function or step that failed: `ibv_reg_mr`. */
    readonly call: string,
    /** Cure: what to do. */
    readonly hint: string,
    /** The error in the form for a browser. */
    readonly info: ErrorInfo,
    /** Status of the failed completion; `undefined` if no completion failed. */
    readonly wcStatus?: number,
    /** The provider's own code beside {@link wcStatus}. */
    readonly vendorError?: number,
  ) {
    super(info.message);
  }
}

function errnoName(errno: number): string {
  const known = lookupErrno(errno)?.name;
  if (known !== undefined) return known;
  const entry = Object.entries(constants.errno).find(([, value]) => value === errno);
  return entry?.[0] ?? `E${errno}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Meaning and cure of an error, if they are known better than from its errno. */
export interface Known {
  meaning: string;
  hint: string;
}

/** The error of a failed verbs or system call. `detail` names the object of the call: `4096 bytes`. */
export function callError(errno: number, call: string, detail = '', known?: Known): VerbsError {
  const code = errnoName(errno);
  const hint = known?.hint ?? cureOf(call, code) ?? 'The system log (dmesg) may say more.';
  const meaning = known?.meaning ?? lookupErrno(errno)?.meaning ?? 'the system gave no reason';
  const kind = /^(ibv|uroce|rdma)_/.test(call) ? 'VERBS' : 'SYSTEM';
  const named = detail === '' ? call : `${call} (${detail})`;
  return new VerbsError(code, errno, call, hint, errorInfo(kind, { call: named, meaning, name: code, hint }));
}

/** The error of a completion with a status other than SUCCESS. */
export function completionError(status: number, opcode: string, detail = '', vendorError = 0): VerbsError {
  const { name, meaning, cure } = lookupWcStatus(status);
  const what = detail === '' ? opcode : `${opcode} (${detail})`;
  const info = errorInfo('COMPLETION', { opcode: what, name, status, meaning, hint: cure });
  return new VerbsError(`WC_${name}`, 0, 'ibv_poll_cq', cure, info, status, vendorError);
}

/** Makes the errors that the addon throws. */
export function nativeError(
  errno: number,
  call: string,
  detail: string,
  wcStatus: number,
  vendorError: number,
): Error {
  return wcStatus === 0
    ? callError(errno, call, detail)
    : completionError(wcStatus, call, detail, vendorError);
}

/** The error of an invalid argument. No call was made. */
export function argumentError(call: string, param: string, detail: string, hint: string): VerbsError {
  return new VerbsError('EINVAL', ERRNO.EINVAL, call, hint, errorInfo('BAD_PARAM', { param, detail, hint }));
}

/** The error of an unknown device name. */
export function unknownDevice(device: string, known: readonly string[]): VerbsError {
  const list = known.length === 0 ? 'none was found' : known.join(', ');
  const info = errorInfo('UNKNOWN_DEVICE', { device, known: list });
  return new VerbsError('ENODEV', ERRNO.ENODEV, 'openDevice', info.cure, info);
}

/** The error of a timeout. */
export function timeoutError(call: string, ms: number): VerbsError {
  return callError(ERRNO.ETIMEDOUT, capital(call), `after ${ms} ms`);
}
