import { findLab } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { failedChecks, finishLab, tampered } from './helpers/lab-results.js';

const copiesAndCalls = findLab('copies-and-calls');
const SHORT = { messages: 100, counted: 40, repeat: 1 };
/** Six ways, each opened several times, beside other tests. */
const LONG_MS = 60_000;

describe('copies and system calls', () => {
  it(
    'are told for every way',
    async () => {
      const run = await finishLab(copiesAndCalls, { params: SHORT });
      expect(failedChecks(run)).toEqual([]);
      const { figures, tables } = run.results;
      for (const call of ['sendto', 'recvfrom'])
        expect(tables.calls?.find((row) => row.way === 'TCP' && row.call === call)).toMatchObject({
          part: 'Program',
          done: 1,
        });
      // The loop's own calls come by the clock: the slower the machine, the more of them fall on a message.
      expect(figures['tcp-calls']?.value).toBeGreaterThan(1.99);
      expect(tables.ways?.every(({ cpu, switches }) => Number(cpu) > 0 && Number(switches) >= 0)).toBe(true);
      expect(tables.copies?.map(({ way, copies }) => [way, copies])).toEqual([
        ['UDP sockets', 2],
        ['TCP', 2],
        ['SEND/RECV', 4],
        ['WRITE', 4],
        ['SEND/RECV, shared memory', 4],
        ['WRITE, shared memory', 4],
      ]);
    },
    LONG_MS,
  );

  it(
    'says why nothing is counted where the kernel refuses it',
    async () => {
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
    },
    LONG_MS,
  );

  it(
    'notices messages that are missing, and calls that sockets cannot do without',
    async () => {
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
    },
    LONG_MS,
  );

  it(
    'notices socket calls around the kernel, and bytes that did not arrive',
    async () => {
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
    },
    LONG_MS,
  );
});
