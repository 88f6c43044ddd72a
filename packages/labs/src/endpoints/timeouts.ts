/** Timeouts of connections in labs whose processes may outnumber the cores. */
import type { ConnectOptions } from '@verbslab/protocol';

/** 4.096 µs × 2^17: 0.54 s. An end that is not scheduled for a while must not count as lost packets. */
export const PATIENT: ConnectOptions = { timeout: 17 };

/** Codes of 0.27 s and, without end, of 0.64 ms: an end may also be late with its RECVs. */
export const PATIENT_WITH_RECVS: ConnectOptions = { timeout: 16, minRnrTimer: 12, rnrRetry: 7 };
