import { describe, expect, it } from 'vitest';
import {
  AppError,
  callFailed,
  completionFailed,
  ERROR_AREAS,
  ERROR_CODES,
  errorInfo,
  ERRORS,
  lookupErrno,
  lookupWcStatus,
  toErrorInfo,
  WC_STATUS,
  zErrorInfo,
} from '../src/index.js';

describe('the table of errors', () => {
  it('has a sentence, a cure and an HTTP status for each code', () => {
    for (const code of ERROR_CODES) {
      const { http, message, cure } = ERRORS[code];
      expect(http).toBeGreaterThanOrEqual(400);
      expect(http).toBeLessThan(600);
      expect([code, message.length > 5, cure.length > 5]).toEqual([code, true, true]);
    }
  });

  it('has each code in one area', () => {
    expect(Object.values(ERROR_AREAS).flatMap((area) => Object.keys(area))).toEqual(ERROR_CODES);
  });

  it('fills in parameters and leaves no braces', () => {
    for (const code of ERROR_CODES) {
      const { message, cure } = errorInfo(code, {});
      expect(message + cure).not.toMatch(/[{}]/);
    }
    expect(errorInfo('PORT_TAKEN', { port: 7480, host: '127.0.0.1' }).message).toBe(
      'Port 7480 on 127.0.0.1 is in use by another program.',
    );
  });

  it('distinguishes wrong requests from failures', () => {
    expect(new AppError('UNKNOWN_LAB', { lab: 'x', known: 'bulk' }).exitCode).toBe(2);
    expect(new AppError('PORT_TAKEN', { port: 1, host: 'h' }).exitCode).toBe(1);
  });

  it('survives the way over a socket', () => {
    const error = new AppError('UNKNOWN_RUN', { run: 'abc' }, { detail: 'more' });
    const traveled = zErrorInfo.parse(JSON.parse(JSON.stringify(error.info)));
    const rebuilt = AppError.from(traveled);
    expect(rebuilt.info).toEqual(error.info);
    expect(rebuilt.message).toBe(error.message);
  });

  it('explains errno values by number and by name', () => {
    expect(lookupErrno(98)?.name).toBe('EADDRINUSE');
    expect(lookupErrno(-12)).toBe(lookupErrno('ENOMEM'));
    expect(callFailed('VERBS', 'ibv_reg_mr', 12).message).toContain('ibv_reg_mr failed');
    expect(callFailed('SYSTEM', 'open', 4711).message).toContain('errno 4711');
  });

  it('explains completion statuses by their number', () => {
    WC_STATUS.forEach((entry, index) => expect(entry.status).toBe(index));
    expect(WC_STATUS.map((entry) => entry.name)).toHaveLength(24);
    expect(lookupWcStatus(10).name).toBe('REM_ACCESS_ERR');
    expect(lookupWcStatus(200).name).toBe('STATUS_200');
    expect(completionFailed('RDMA_WRITE', 12).info.message).toContain('RETRY_EXC_ERR (12)');
  });

  it('turns anything thrown into the traveling form', () => {
    expect(toErrorInfo(new AppError('CANCELLED')).code).toBe('CANCELLED');
    expect(toErrorInfo(new TypeError('oops'))).toMatchObject({ code: 'INTERNAL' });
    expect(toErrorInfo('text').message).toContain('text');
    expect(toErrorInfo(null).code).toBe('INTERNAL');
    const foreign = Object.assign(new Error('x'), { info: errorInfo('NO_CAPTURE') });
    expect(toErrorInfo(foreign).code).toBe('NO_CAPTURE');
  });
});
