/** The programs on the pages of the labs: each is built and run by the command on its page. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { labCode, LABS, type CodeLanguage } from '@verbslab/labs';
import { afterAll, describe, it } from 'vitest';
import { able } from './compile.js';
import type { Outcome } from './run.js';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'verbslab-code-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A time or a rate that is not zero. */
const TIME = '(?!0\\.0+\\b)\\d+\\.\\d+';

/** Expected output of a lab's program, the same in every language. */
const PRINTS: Record<string, RegExp> = {
  'minimal-flow': exactly(
    'WRITE completed: wr_id 1',
    'server has the bytes: yes',
    'READ completed: wr_id 2, 10000 bytes',
    'client reads the same: yes',
    'completions at the server: 0',
  ),
  'write-read': exactly(
    '16 WRITEs and a READ, completions: wr_id 4 8 12 16 100',
    'the READ saw the value of WRITE 16',
    'completions at the server: 0',
  ),
  'write-imm': exactly(
    'server: RECV 7, immediate 42, 8 bytes: new data',
    'without a RECV: status 13', // IBV_WC_RNR_RETRY_EXC_ERR
  ),
  'ud-grh': exactly(
    'byte_len 45 = 40 of GRH + 5 of payload',
    'payload at offset 40: Hello',
    "sender's QPN is in the completion: yes",
    'answer: Welcome',
  ),
  'qp-states': exactly(
    'a new queue pair                     state RESET',
    'RESET to INIT without a port EINVAL  state RESET',
    'RESET to INIT                ok      state INIT',
    'INIT to RTS, past RTR        EINVAL  state INIT',
    'INIT to RTR without a QPN    EINVAL  state INIT',
    'INIT to RTR                  ok      state RTR',
    'RTR to RTS without a timeout EINVAL  state RTR',
    'RTR to RTS                   ok      state RTS',
    'RTS to ERR                   ok      state ERR',
    'ERR to RESET                 ok      state RESET',
  ),
  'signal-every': exactly('1024 WRITEs, one in every 16 signaled: 64 completions'),
  'queue-per-thread': exactly(
    'own queues: 4 threads, 4096 completions, 0 polled by another thread',
    'shared queues: 4 threads, 4096 completions',
  ),
  inline: exactly('the server holds: first', 'max_inline_data + 1 bytes: EINVAL'),
  'registration-cost': lines(
    / +bytes .*/,
    ...[4096, 16384, 65536, 262144, 1048576, 4194304].map(
      (n) => new RegExp(` +${String(n)} +${TIME} +${TIME}`),
    ),
  ),
  'mr-cache': exactly(
    '3 buffers, room for 3: 3 registrations, 9 hits',
    '4 buffers, room for 3: 12 registrations, 0 hits',
  ),
  'cq-overrun': exactly(
    'event: CQ error',
    'event: local work queue catastrophic error',
    'the QP is in ERR: yes',
  ),
  'polling-events': exactly(
    'armed: 1 event, message 1',
    'not armed again: 0 events, message 2 is in the CQ',
    'the CQ is empty: yes',
    'armed too late: 0 events, a poll finds message 3',
    'in the right order: message 4',
  ),
  'memory-windows': exactly(
    'type 2, inside: status 0, the server has granted',
    'bound again: another rkey yes, status 0',
    'the rkey from before LOCAL_INV: status 10', // IBV_WC_REM_ACCESS_ERR
    'type 1, inside: status 0',
    '1 byte past its end: status 10',
  ),
  'connection-manager': exactly(
    'RDMA_CM_EVENT_ADDR_RESOLVED',
    'RDMA_CM_EVENT_ROUTE_RESOLVED',
    'RDMA_CM_EVENT_CONNECT_REQUEST',
    'RDMA_CM_EVENT_ESTABLISHED',
    'RDMA_CM_EVENT_ESTABLISHED',
    'written and read back: yes',
    'RDMA_CM_EVENT_DISCONNECTED',
    'RDMA_CM_EVENT_DISCONNECTED',
    'RDMA_CM_EVENT_ADDR_RESOLVED',
    'RDMA_CM_EVENT_ROUTE_RESOLVED',
    'RDMA_CM_EVENT_CONNECT_REQUEST',
    'RDMA_CM_EVENT_REJECTED',
    'reason 28: Server busy.',
  ),
  'cm-messages': lines(
    /service ID 0x000000000106[0-9a-f]{4}, port \d+/,
    /the server got 56 bytes of private data: find me in the ConnectRequest/,
    /the request names the client's QPN: yes/,
    /the client got 196 bytes of private data: find me in the ConnectReply/,
  ),
  'cm-reject': exactly(
    '57 bytes of private data: EINVAL',
    'the backlog is full: reason 28',
    'the program rejects: reason 28, Server busy.',
    'no listener: reason 8',
  ),
  'connection-storm': lines(
    new RegExp(`1 at once: 64 established, 64 ended, ${TIME} per second`),
    new RegExp(`16 at once: 64 established, 64 ended, ${TIME} per second`),
  ),
  'write-stages': lines(
    ...['  64', '8192'].map((size) => {
      const both = `p50 ${TIME} us, p90 ${TIME} us`;
      return new RegExp(`${size} B: ibv_post_send ${both}; until polled ${both}`);
    }),
    /the server has the bytes: yes/,
  ),
  'cm-timewait': lines(
    /DISCONNECTED at both ends/,
    /the same id: EINVAL/,
    /a new id and QP: ESTABLISHED, another QPN: yes/,
    new RegExp(`TIMEWAIT_EXIT at both ends after ${TIME} s`),
  ),
  'three-contracts': exactly(
    'memory: sent first, second; the server has second, second',
    'messages: status 9 at the client, 1 at the server',
    'delivery: two posts succeeded; status 12, then 5',
    'delivery: connected again; the server has again',
  ),
  'which-verb': exactly(
    'SEND: server has "from the client", completions there: 1',
    'WRITE: server has "from the client", completions there: 0',
    'WRITE_WITH_IMM: server has "from the client", completions there: 1, tag 17',
    'READ: client has "from the server", completions at the server: 0',
    'FETCH_ADD: server has 42, client got 41, completions at the server: 0',
  ),
  'send-recv': exactly(
    'RECV 1: 3 bytes "one"',
    'RECV 2: 10 bytes "two longer"',
    'RECV 3: 0 bytes ""',
    '12 messages through 4 RECVs with credits: 12 arrived',
    '1 byte too long: status 9 at the client, 1 at the server', // IBV_WC_REM_INV_REQ_ERR, IBV_WC_LOC_LEN_ERR
  ),
  atomics: exactly(
    'FETCH_ADD: client 1 got 0',
    'FETCH_ADD: client 2 got 1',
    'the counter is 2',
    'READ, then WRITE: two increments, the counter is 3',
    'CMP_SWAP: client 1 swapped, client 2 refused, again swapped, the counter is 5',
    'an address that is not a multiple of 8: status 9',
  ),
  srq: exactly(
    '2 RECVs left, the limit is 2',
    '1 RECV left, limit reached: yes',
    'the limit is 0',
    'RECV 0: "one" of client 1',
    'RECV 1: "two" of client 2',
    'RECV 2: "three" of client 1',
  ),
  multicast: exactly(
    'member 1: to the group',
    'member 2: to the group',
    'member 2: to the rest',
    'member 1 after detaching: to one',
    'outsider: to one',
  ),
  'unreliable-connection': exactly(
    'UC: 3 SENDs succeeded; the server got 1, 3',
    'RC: completions of message 2 before its RECV: 0; the server got 1, 2',
  ),
  'notify-target': exactly(
    'poll the memory:       data complete: yes, completions at the server: 0',
    'poll a counter:        data complete: yes, completions at the server: 0',
    'SEND afterward:        data complete: yes, completions at the server: 1',
    'WRITE with immediate:  data complete: yes, completions at the server: 1',
  ),
  'device-facts': lines(
    /device uroce0/,
    /queue pairs: [1-9]\d*, with up to [1-9]\d* work requests each/,
    /completion queues: [1-9]\d*, with up to [1-9]\d* entries each/,
    /memory regions: [1-9]\d*/,
    /atomics: yes/,
    /port 1: active, 4096 bytes of payload per packet/,
    /GID 0: ::1, RoCE v2, lo/,
    /GID 1: ::ffff:127\.0\.0\.1, RoCE v2, lo/,
    /a send queue of max_qp_wr \+ 1: EINVAL/,
  ),
  'post-lists': lines(
    ...[1, 4, 16].map(
      (n) => new RegExp(` ?${String(n)} WRITEs per ibv_post_send: +${TIME} us of CPU time per WRITE`),
    ),
    /a list of 4 whose third is invalid: EINVAL, bad_wr is number 3/,
    ...[1, 2, 3, 4].map((n) => new RegExp(`completed: number ${String(n)}`)),
  ),
  outstanding: lines(
    /in flight .*/,
    ...[1, 4, 16, 64].map((n) => new RegExp(` +${String(n)} +${TIME} +${TIME}`)),
    /without polling, the send queue took 64 requests, then: ENOMEM/,
  ),
  segmentation: exactly(
    'RDMA_WRITE of 4096 B: WRITE First, WRITE Middle, WRITE Middle, WRITE Last',
    'RDMA_READ of 4096 B: READ response First, READ response Middle, READ response Middle, READ response Last',
    'SEND of 4096 B: SEND First, SEND Middle, SEND Middle, SEND Last',
    ...[1000, 0].flatMap((size) => [
      `RDMA_WRITE of ${String(size)} B: WRITE Only`,
      `RDMA_READ of ${String(size)} B: READ response Only`,
      `SEND of ${String(size)} B: SEND Only`,
    ]),
  ),
  acknowledgments: lines(
    /1 in flight: 64 WRITEs, as many ACKs, last MSN 64, PSN 0: yes/,
    /64 in flight: 64 WRITEs, (?:as many|fewer) ACKs, last MSN 128, PSN 0: no/,
  ),
  'hw-counters': exactly(
    'duplicate_request 1',
    'out_of_sequence 3, out_of_seq_request 1, packet_seq_err 1',
    'WC_RNR_RETRY_EXC_ERR',
    'send_rnr_err 3, rcvd_rnr_err 3, retry_rnr_exceeded_err 1',
  ),
  encapsulations: exactly(
    'Internet Protocol Version 4: 20 B',
    'User Datagram Protocol: 8 B',
    'Base Transport Header: 12 B',
    'RDMA Extended Transport Header: 16 B',
    'Payload: 32 B',
    'Invariant CRC: 4 B',
    'IP packet: 92 B, its ICRC is ok',
  ),
  'loss-cost': lines(
    ...['0 % loss: +0', '1 % loss: +[1-9]\\d*', '5 % loss: +[1-9]\\d*'].map(
      (lost) => new RegExp(`${lost} packets lost, +\\d+\\.\\d{3} Gb/s, the bytes arrived: yes`),
    ),
  ),
  'averages-hide-spikes': lines(
    new RegExp(`mean ${TIME} us`),
    new RegExp(`p50 ${TIME} us, p99 ${TIME} us, p99.9 ${TIME} us, max ${TIME} us`),
    /[1-9]\d* packets delayed, as many WRITEs slow or more: yes/,
  ),
  'delay-and-window': lines(
    ...[0, 500].flatMap((delay) =>
      [1, 4, 16, 64].map(
        (window) =>
          new RegExp(
            ` *${String(delay)} us added, +${String(window)} in flight: +${TIME} Gb/s, window / round trip: +${TIME} Gb/s`,
          ),
      ),
    ),
  ),
  'loss-amplification': lines(
    ...[1, 4, 16, 64].map(
      (window) => new RegExp(`${String(window)} in flight, 1 lost: \\d+ sent again, at most a window: yes`),
    ),
  ),
  'retry-timers': lines(
    ...['8.4', '16.8', '33.6'].map(
      (least, i) =>
        new RegExp(
          `timeout ${String(10 + i)}, retry_cnt 1: status 12 after ${TIME} ms, at least ${least} ms: yes`,
        ),
    ),
    ...['10.2', '20.5', '41.0'].map(
      (least, i) =>
        new RegExp(`rnr_retry ${String(2 ** i)}: status 13 after ${TIME} ms, at least ${least} ms: yes`),
    ),
  ),
  'register-or-copy': lines(
    / +bytes .*/,
    ...[4096, 16384, 65536, 262144, 1048576].map(
      (n) => new RegExp(` *${String(n)} +${TIME} +${TIME} +[1-9]\\d*`),
    ),
  ),
  gigabyte: lines(
    /per GB +user, s +kernel, s +context switches +arrived/,
    // The kernel may count no user time in so short a transfer.
    new RegExp(`TCP +\\d+\\.\\d+ +${TIME} +\\d+ +yes`),
    new RegExp(`WRITE +${TIME} +\\d+\\.\\d+ +\\d+ +yes`),
  ),
  latency: lines(
    ...['SEND', 'WRITE', 'UDP'].map(
      (way) => new RegExp(`${way} +p50 +${TIME} us +p99 +${TIME} us   of 2000 round trips`),
    ),
  ),
  'all-to-all': exactly(
    'round 0: each host sends 2 blocks, 1 on',
    'round 1: each host sends 2 blocks, 2 on',
    'host 0 got "1 to 0" "2 to 0" "3 to 0"',
    'host 1 got "0 to 1" "2 to 1" "3 to 1"',
    'host 2 got "0 to 2" "1 to 2" "3 to 2"',
    'host 3 got "0 to 3" "1 to 3" "2 to 3"',
  ),
  'parameter-server': exactly(
    'worker 0, step 1: pulled version 0, applied to version 0, first parameter now 0.5000',
    'worker 1, step 1: pulled version 0, applied to version 1, first parameter now 1.0000',
    'worker 0, step 2: pulled version 1, applied to version 2, first parameter now 1.2500',
    'worker 1, step 2: pulled version 2, applied to version 3, first parameter now 1.2500',
  ),
  'embedding-cache': exactly(
    '4 hits, 4 READs',
    "the trainer's requests have completed: the reader uses version 0",
    'the reader has answered for row 3: it uses version 1',
  ),
  'feature-store': exactly(
    'row, then watermark: 0 rows taken that were not complete',
    'watermark, then row: 4 rows taken that were not complete',
  ),
  rendezvous: exactly(
    'eager: 16 bytes, 2 copies, "a short message"',
    'RTS: 76 bytes wait',
    'CTS: 76 bytes may come',
    'immediate 1: 76 bytes, no copy, "a long message, which would not fit into the buffer of an eager RECV at all"',
  ),
  'inference-ring': exactly(
    'with credits',
    ...['11 22', '33 44', '55 66'].map((sums, i) => `batch ${i + 1}, 0 bytes in the notification: ${sums}`),
    'without credits',
    'batch 1, 0 bytes in the notification: lost(found 5) lost(found 6)',
    'batch 2, 0 bytes in the notification: 33 44',
    'batch 3, 0 bytes in the notification: 55 66',
  ),
  'checkpoint-staging': exactly('data, then record: 1 1 1 2', 'record, then data: torn torn torn 3'),
  'ring-all-reduce': exactly(
    '6 messages of 8 bytes from each host',
    ...[0, 1, 2, 3].map((host) => `host ${String(host)}: 10 20 30 40 50 60 70 80`),
  ),
  clinic: exactly(
    'client: status 10, remote access error',
    "server's memory is unchanged: yes",
    'server: local access violation work queue error, for its own QP: yes',
    'next request: status 5, Work Request Flushed Error',
  ),
};

function exactly(...expected: string[]): RegExp {
  return lines(...expected.map((line) => new RegExp(line.replace(/[+.()]/g, '\\$&'))));
}

function lines(...expected: RegExp[]): RegExp {
  return new RegExp(`^${expected.map(({ source }) => source).join('\n')}\n$`);
}

const pyverbs = spawnSync('/usr/bin/python3', ['-c', 'import pyverbs']).status === 0;
if (!pyverbs) console.warn('pyverbs is not installed: the programs in Python are skipped');
const POSSIBLE: Record<CodeLanguage, boolean> = { C: able, Python: pyverbs, TypeScript: true };

/**
 * Runs a command line of a page. Its binary goes to a folder of the test, and compiler warnings are errors. The
 * programs that npx would find are on the path: npx itself takes longer than most of them.
 */
function shell(command: string): Promise<Outcome> {
  const line = command.replaceAll('/tmp/', `${folder}/`).replaceAll('npx ', '').replace('cc ', 'cc -Werror ');
  const child = spawn('timeout', ['600', 'sh', '-c', line], {
    cwd: root,
    // A home without an agent, so that no history records these runs.
    env: {
      ...process.env,
      PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
      VERBSLAB_HOME: join(folder, 'home'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (code, signal) =>
      done({ code, signal, output: code === 0 ? output : output + errors }),
    );
  });
}

const labs = LABS.map(({ description }) => description.id).filter((id) => labCode(id).length > 0);

describe.concurrent('the programs of the labs', () => {
  it('have a line here for each lab that has one', ({ expect }) => {
    expect(labs.sort()).toEqual(Object.keys(PRINTS).sort());
  });

  for (const id of labs) {
    for (const { language, command } of labCode(id))
      it.skipIf(!POSSIBLE[language])(`${id} in ${language}`, async ({ expect }) => {
        const { code, output } = await shell(command);
        expect(code, output).toBe(0);
        expect(output).toMatch(PRINTS[id] ?? /(?!)/);
      });
  }
});
