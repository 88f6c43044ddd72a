/** Rows C5, A13, D7 and E4 of what the labs must show. */
import { expect } from 'vitest';
import type { Facts } from './found.js';

/** Failures that the embedded device cannot show: it registers beyond the limit unless it is strict. */
const WITHOUT = ['memory-limit'];

/** A shipped function that was not run. */
const answered = (immediate: number, code: string): object => ({
  status: '0 SUCCESS',
  errno: 'none',
  nak: 'none',
  seen: `The WRITE arrived. The server’s program answered with immediate ${immediate}, ${code}.`,
});

/** Required cells in the row of a failure, by its name. */
const ROWS: Record<string, object> = {
  // F1 and F4 of C5, and a wrong SGE.
  'Memory that is not registered': {
    status: '4 LOC_PROT_ERR',
    packets: 0,
    seen: 'The client’s QP is in ERR.',
  },
  'An SGE that reaches beyond its region': { status: '4 LOC_PROT_ERR', packets: 0 },
  'More SGEs than the QP allows': { errno: 'EINVAL', packets: 0 },
  'A post to a QP not in RTS': { errno: 'EINVAL', packets: 0 },
  // F2 and F7.
  'A wrong rkey': {
    status: '10 REM_ACCESS_ERR',
    serverEvent: 'QP_ACCESS_ERR',
    clientEvent: 'none',
    nak: '0x62',
    packets: 1,
    counters: 'server naks_sent +1',
  },
  'The rkey of another region': { status: '10 REM_ACCESS_ERR', nak: '0x62', serverEvent: 'QP_ACCESS_ERR' },
  'A WRITE beyond the remote region': { status: '10 REM_ACCESS_ERR', nak: '0x62' },
  'A missing access right': { status: '10 REM_ACCESS_ERR', nak: '0x62' },
  'More requests than the send queue holds': {
    errno: 'ENOMEM',
    seen: '16 posts were accepted. When the server was ready, 16 of them completed with status 0.',
  },
  // The slots of the requests are in use until completions are polled.
  'No request is signaled': {
    errno: 'ENOMEM',
    seen: 'The send queue of 16 took 16 requests; the program polled 0 completions.',
  },
  'The CQ is never polled': {
    errno: 'ENOMEM',
    seen: 'The send queue of 16 took 16 requests; the program polled 0 completions.',
  },
  // F5.
  'A CQ smaller than what is signaled': { clientEvent: expect.stringContaining('CQ_ERR') as string },
  // F8: the first try and rnr_retry 3 more; 7 is forever.
  'A SEND without a RECV, limited rnr_retry': {
    status: '13 RNR_RETRY_EXC_ERR',
    nak: '4 × RNR',
    packets: 4,
  },
  'A SEND without a RECV, with rnr_retry 7': {
    status: 'none',
    seen: expect.stringMatching(/No completion came in .* completed with status 0\.$/) as string,
  },
  // F10: the embedded device works on addresses, so the bytes are in the new pages.
  'Memory that is unmapped while it is registered': {
    status: '0 SUCCESS',
    seen: 'The bytes are in the new pages: this device works on addresses. A NIC writes into the old ones.',
  },
  // The traps of D7.
  'timeout 0': { status: 'none' },
  'min_rnr_timer 0': { status: '0 SUCCESS' },
  'max_rd_atomic 0': { status: '2 LOC_QP_OP_ERR' },
  'A wrong GID index': { errno: 'EINVAL', packets: 0 },
  'A wrong Q_Key': { status: '0 SUCCESS', counters: 'server qkey_violations +1' },
  'Different path MTUs': { status: '9 REM_INV_REQ_ERR', nak: '0x61' },
  'PSNs that do not match': { status: '12 RETRY_EXC_ERR', nak: '0x60' },
  // B1: fatal after retry_cnt. A WRITE before the peer was killed; then the first try and retry_cnt 3 more, without an
  // answer.
  'The peer’s process was killed': { status: '12 RETRY_EXC_ERR', nak: 'none', packets: 5 },
  // E4.
  'A RECV that is posted too late': { status: '0 SUCCESS' },
  'A buffer overwritten while the peer reads it': { status: '0 SUCCESS' },
  // Remote execution: the verbs succeed, and the server’s program says why it did not run the function.
  'A shipped function without a signature': answered(1, 'LAMBDA_UNSIGNED'),
  'A shipped function changed after it was signed': answered(2, 'LAMBDA_ALTERED'),
  'A shipped function signed with an untrusted key': answered(3, 'LAMBDA_UNKNOWN_SIGNER'),
  'A shipped function that is no WebAssembly module': answered(4, 'LAMBDA_NOT_MODULE'),
  'A shipped function that imports another function': answered(5, 'LAMBDA_IMPORTS'),
  'A shipped function that declares too much memory': answered(6, 'LAMBDA_MEMORY'),
  'A shipped function that never ends': answered(7, 'LAMBDA_TIME'),
  'A shipped function that reads beyond its memory': answered(8, 'LAMBDA_TRAP'),
  'A shipped function that claims too much output': answered(9, 'LAMBDA_RESULT'),
};

const tour: Facts = {
  without: () => WITHOUT,
  holds: ({ figures, outcomes, rows }) => {
    const failures = rows('failures');
    const names = failures.map(({ failure }) => failure);
    expect([...names].sort()).toEqual(Object.keys(ROWS).sort());
    expect(Object.fromEntries(failures.map((row) => [row.failure, row]))).toMatchObject(ROWS);
    expect(rows('fixes').map(({ failure, works }) => [failure, works])).toEqual(
      names.map((name) => [name, true]),
    );
    // Minimum durations, by definition of the timers.
    expect(figures.rnrZeroTime).toBeGreaterThanOrEqual(655.36);
    expect(figures.goneTime).toBeGreaterThanOrEqual(4 * 4.096e-3 * 2 ** 12);
    expect(figures).toMatchObject({ cases: 34, silent: 7, refused: 6 });
    expect(outcomes).toEqual({ 'same-status': 'psn', qkey: 'success' });
  },
};

const clinic: Facts = {
  params: { case: 'psn-mismatch' },
  holds: ({ outcomes, rows }) => {
    expect(outcomes).toEqual({ diagnosis: 'psn-mismatch' });
    expect(rows('symptoms')).toMatchObject([
      { status: '12 RETRY_EXC_ERR', nak: '0x60', works: false },
      { status: '0 SUCCESS', nak: 'none', works: true },
    ]);
    expect(rows('counters')).toContainEqual({
      side: 'client',
      counter: 'retry_exceeded_err',
      broken: 1,
      fixed: 0,
    });
  },
};

const retryTimers: Facts = {
  params: { timeout: 8, repeat: 2 },
  holds: ({ figures, rows }) => {
    expect(rows('ack').map(({ timeout, again, status }) => [timeout, again, status])).toEqual(
      [4, 6, 8].map((timeout) => [timeout, 3, '12 RETRY_EXC_ERR']),
    );
    expect(rows('rnr').map(({ retry, again, status }) => [retry, again, status])).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((retry) => [retry, retry, '13 RNR_RETRY_EXC_ERR']),
    );
    expect(figures.ackLeast).toBeCloseTo(4 * 1.048576, 6);
    expect(figures.rnrLeast).toBeCloseTo(6 * 1.28, 6);
  },
};

export const FAILURES: Record<string, Facts> = { 'clinic-tour': tour, clinic, 'retry-timers': retryTimers };
