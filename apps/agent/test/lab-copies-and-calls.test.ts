import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const copiesAndCalls = findLab('copies-and-calls');
const SHORT = { messages: 100, counted: 40, repeat: 1 };

describe('copies and system calls', () => {
  it('says why nothing is counted where the kernel refuses it', async () => {
    const lab = tampered(copiesAndCalls, {
      result: (op, result, endpoint) =>
        op === 'calls.start' && endpoint === 'server'
          ? { ...result, refused: 'ptrace: Operation not permitted' }
          : result,
    });
    const run = await finishLab(lab, { params: { ...SHORT, links: 'udp' } });
    expect(failedChecks(run)).toEqual([]);
    expect(run.results.figures['tcp-calls']?.value).toBeNull();
    expect(run.results.tables.calls).toBeUndefined();
    expect(run.answer).not.toContain('system calls');
  });

  it('notices messages that are missing, and calls that sockets cannot do without', async () => {
    const lab = tampered(copiesAndCalls, {
      result: (op, result, endpoint) => {
        if (op === 'loop.wait' && 'messages' in result && endpoint === 'client')
          return { ...result, messages: result.messages - 1 };
        if (op === 'calls.stop' && 'calls' in result)
          return { ...result, calls: result.calls.filter(({ call }) => call !== 'recvfrom') };
        return result;
      },
    });
    const run = await finishLab(lab, { params: { ...SHORT, links: 'udp' } });
    expect(failedChecks(run)).toEqual(['same', 'sockets']);
  });

  it('notices socket calls around the kernel, and bytes that did not arrive', async () => {
    let sent = 0;
    const lab = tampered(copiesAndCalls, {
      result: (op, result, endpoint) => {
        // The device of the server as if it sent each message with a call.
        if (op === 'calls.stop' && 'calls' in result && endpoint === 'server')
          return {
            ...result,
            calls: [
              ...result.calls,
              { part: 'device' as const, call: 'sendmsg', count: (sent += SHORT.counted), empty: 0 },
            ],
          };
        if (op === 'hashMemory' && 'sha256' in result && endpoint === 'server')
          return { ...result, sha256: 'another' };
        return result;
      },
    });
    const run = await finishLab(lab, { params: SHORT });
    expect(failedChecks(run)).toEqual(['same', 'around']);
  });
});
