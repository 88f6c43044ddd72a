/**
 * Programs of the workbench, run by an agent: programs that solve their task, and programs that try forbidden actions.
 * The launcher’s own tests (native/tests/confine) have more of these.
 */
import { existsSync } from 'node:fs';
import { findTask } from '@verbslab/labs/workbench';
import {
  MAX_SOURCE_BYTES,
  workbenchOf,
  type AppError,
  type RunEvent,
  type RunRecord,
  type WorkbenchLanguage,
} from '@verbslab/protocol';
import { confinePath } from '@verbslab/native';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { missingFor } from '../src/workbench/requirements.js';
import { gaps } from '../src/workbench/confinement.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';

const missing = missingFor('c');
if (missing.length > 0) console.warn(`not installed, so C is not tested: ${missing.join(', ')}`);

/** Small limits, so that a program reaches them soon. */
const LIMITS = { seconds: 3, memoryMiB: 256, filesMiB: 8 };

const connect = async (allowPrograms = true): Promise<Recorder> => {
  const { agent } = await testAgent({ home: newHome(), allowPrograms, programLimits: LIMITS });
  return Recorder.connect(agent);
};

async function run(
  recorder: Recorder,
  language: WorkbenchLanguage,
  source: string,
  task = 'send',
): Promise<{ run: RunRecord; events: RunEvent[] }> {
  const asked = { task, language, source };
  const { run: begun } = await recorder.client.request('workbench.start', asked);
  await recorder.client.request('run.subscribe', { runId: begun.id, fromSeq: 1 });
  await recorder.untilMessage('run.complete', (message) => message.runId === begun.id);
  const ended = await recorder.client.request('run.get', { runId: begun.id });
  const events = recorder.messages.flatMap((message) =>
    message.type === 'run.events' && message.runId === begun.id ? (message.events as RunEvent[]) : [],
  );
  return { run: ended.run, events };
}

const refusal = (recorder: Recorder, language: WorkbenchLanguage, source: string): Promise<AppError> =>
  recorder.client.request('workbench.start', { task: 'send', language, source }).then(
    () => expect.fail('it was started'),
    (error: unknown) => error as AppError,
  );

/** Lines in the log of a run about system calls that the launcher refused. */
const tried = (events: readonly RunEvent[]): string[] =>
  events.flatMap((event) =>
    event.kind === 'log' && event.text.includes('tried to call') ? [event.text] : [],
  );

/** The source of a C program that does one thing. */
const c = (body: string): string => `
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void) {
  char bytes[4096] = "x";
  (void)bytes;
  ${body}
  return 0;
}
`;

/** Source of a program that gets around the types and calls a module of Node’s. */
const node = (module: string, call: string): string =>
  `const own = (globalThis as any).process; own.getBuiltinModule('${module}').${call}; export {};`;

describe('the workbench', () => {
  it('runs nothing unless the owner has allowed it, and says how', async () => {
    const recorder = await connect(false);
    const list = await recorder.client.request('workbench.list', {});
    expect(list).toMatchObject({ allowed: false, command: 'npm start -- --allow-programs', limits: LIMITS });
    const { code, info } = await refusal(recorder, 'c', 'int main(void) { return 0; }');
    expect(code).toBe('PROGRAMS_OFF');
    expect(info.cure).toContain('npm start -- --allow-programs');
  });

  it('says what is wrong with a program that is too long, and which compiler is missing', async () => {
    const recorder = await connect();
    const long = await refusal(recorder, 'c', '/'.repeat(MAX_SOURCE_BYTES + 1));
    expect([long.code, long.message]).toEqual(['SOURCE_SIZE', 'The program has 65537 bytes (limit 65536).']);
    vi.stubEnv('PATH', '/nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    const bare = await refusal(recorder, 'c', 'int main(void) { return 0; }');
    expect([bare.code, bare.message]).toEqual([
      'WORKBENCH_MISSING',
      'gcc is not installed on the agent’s host.',
    ]);
    expect(bare.info.cure).toContain('apt-get install -y gcc');
  });

  it('stops a program that is cancelled, and keeps what it printed', async () => {
    const { agent } = await testAgent({ home: newHome(), allowPrograms: true });
    const recorder = await Recorder.connect(agent);
    const { client } = recorder;
    const source = `import { openDevice } from '@verbslab/verbs';
const device = openDevice();
console.log('waiting');
await new Promise(() => setInterval(() => device.closed, 1000));`;
    const asked = { task: 'send', language: 'typescript', source } as const;
    const { run: begun } = await client.request('workbench.start', asked);
    await client.request('run.subscribe', { runId: begun.id, fromSeq: 1 });
    const printed = (): boolean =>
      recorder.events.some((event) => event.kind === 'output' && event.text.includes('waiting'));
    const pid = (): number | undefined =>
      recorder.events.flatMap((event) => (event.kind === 'endpoint' ? [event.pid] : []))[0];
    await recorder.until(() => printed() && pid() !== undefined);
    await client.request('run.cancel', { runId: begun.id });
    await recorder.untilMessage('run.complete', ({ runId }) => runId === begun.id);
    const { run: ended } = await client.request('run.get', { runId: begun.id });
    expect([ended.state, ended.error?.code]).toEqual(['cancelled', 'CANCELLED']);
    await expect.poll(() => existsSync(`/proc/${pid()}`)).toBe(false);
    const later = await Recorder.connect(agent);
    await later.client.request('run.subscribe', { runId: begun.id, fromSeq: 1 });
    await later.untilMessage('run.complete');
    expect(later.events.some((event) => event.kind === 'output' && event.text.includes('waiting'))).toBe(
      true,
    );
  });

  it('compiles one program at a time, also when two are sent at once', async () => {
    const { agent } = await testAgent({ home: newHome(), allowPrograms: true });
    const recorders = [await Recorder.connect(agent), await Recorder.connect(agent)];
    // Neither ends in a run that the other could wait for.
    const errors = await Promise.all(
      recorders.map((one) => refusal(one, 'typescript', 'const a: number = "x";')),
    );
    expect(errors.map(({ code }) => code).toSorted()).toEqual(['COMPILE_FAILED', 'RUN_BUSY']);
  });

  it('finds nothing of this host that it cannot confine', () => {
    expect(existsSync(confinePath)).toBe(true);
    expect(gaps()).toEqual([]);
  });
});

describe.each(['typescript', 'c'] as const)('a solution in %s', (language) => {
  it.skipIf(language === 'c' && missing.length > 0)(
    'passes all points, and its run has task and source',
    async () => {
      const recorder = await connect();
      const task = findTask('send')!;
      const source = task.solution[language];
      const { run: ended, events } = await run(recorder, language, source);
      expect(ended).toMatchObject({ state: 'done', error: null });
      expect(ended.title).toContain(task.title);
      expect(workbenchOf(ended)).toEqual({ task: 'send', language });
      expect(events.find(({ kind }) => kind === 'file')).toMatchObject({ text: source });
      const checks = ended.result?.checks ?? [];
      expect(checks.map(({ id }) => id)).toEqual(task.points.map(({ id }) => id));
      expect(checks.filter(({ ok }) => !ok)).toEqual([]);
      expect(tried(events)).toEqual([]);
    },
  );
});

/** A WRITE with a key of no region, whose memory is never deregistered. */
const MISUSED: Record<WorkbenchLanguage, { changed: [string, string][]; registers: string; posts: string }> =
  {
    typescript: {
      changed: [
        ['rkey },', 'rkey: (rkey ^ 0x5a5a00) >>> 0 },'],
        ['await using source', 'const source'],
      ],
      registers: 'const source',
      posts: 'client.postSend(',
    },
    c: {
      changed: [['= target_mr->rkey', '= target_mr->rkey ^ 0x5a5a00']],
      registers: 'source_mr = ibv_reg_mr',
      posts: 'ibv_post_send(link.client',
    },
  };

describe.each(['typescript', 'c'] as const)('misuse in %s', (language) => {
  it.skipIf(language === 'c' && missing.length > 0)('is found with its line', async () => {
    const { changed, registers, posts } = MISUSED[language];
    const source = changed.reduce(
      (text, [from, to]) => text.replace(from, to),
      findTask('write')!.solution[language],
    );
    const { events } = await run(await connect(), language, source, 'write');
    const lineOf = (words: string): number =>
      source.split('\n').findIndex((text) => text.includes(words)) + 1;
    const placesOf = (id: string, object: RegExp): string[] =>
      events.flatMap((event) =>
        event.kind === 'finding' && event.id === id && object.test(event.object)
          ? [`${event.place?.file?.split('/').at(-1)}:${event.place?.line}`]
          : [],
      );
    const file = language === 'c' ? 'main.c' : 'main.ts';
    expect(placesOf('object-leaked', /^MR/)).toContain(`${file}:${lineOf(registers)}`);
    expect(placesOf('request-failed', /^QP/)).toEqual([`${file}:${lineOf(posts)}`]);
  });
});

describe.skipIf(missing.length > 0)('a program in C', () => {
  it('is stopped at what it may not, and the run says why', async () => {
    const recorder = await connect();
    const bad: [string, string, RegExp][] = [
      ['for (volatile int n = 0;; n = n + 1);', 'PROGRAM_STOPPED_TIME', /time/],
      ['for (;;) memset(malloc(1 << 20), 1, 1 << 20);', 'PROGRAM_STOPPED_MEMORY', /256 MiB/],
      [
        'int memfd_create(const char *, unsigned); for (;;) close(memfd_create("x", 0));',
        'PROGRAM_STOPPED_MEMORY_FILES',
        /64 files in memory/,
      ],
      [
        'int fd = open("big", O_CREAT | O_WRONLY, 0600); for (;;) if (write(fd, bytes, sizeof bytes) < 0) pause();',
        'PROGRAM_STOPPED_FILES_SIZE',
        /8 MiB/,
      ],
      ['if (fork() == 0) for (;;);', 'PROGRAM_STOPPED_FORK', /clone|fork/],
      ['socket(AF_INET, SOCK_STREAM, 0);', 'PROGRAM_STOPPED_SOCKET', /SOCK_STREAM/],
      ['fopen("/etc/passwd", "r");', 'PROGRAM_STOPPED_PATH', /\/etc\/passwd/],
    ];
    for (const [body, code, message] of bad) {
      const { run: ended } = await run(recorder, 'c', c(body));
      expect([body, ended.state, ended.error?.code]).toEqual([body, 'failed', code]);
      expect(ended.error?.message).toMatch(message);
      expect(ended.result?.checks.length).toBeGreaterThan(0);
    }
  });

  it('is not blamed for objects that were alive when it was stopped', async () => {
    const open = 'ibv_alloc_pd(ibv_open_device(ibv_get_device_list(NULL)[0]));';
    const source = `#include <infiniband/verbs.h>\n${c(`${open} for (volatile int n = 0;; n = n + 1);`)}`;
    const { run: ended } = await run(await connect(), 'c', source);
    expect(ended.error?.code).toBe('PROGRAM_STOPPED_TIME');
    expect(ended.result?.checks.find(({ id }) => id === 'leaks')).toEqual({
      ...{ id: 'leaks', ok: true, applies: false },
      detail: 'The program was stopped. When the program ended, these were not yet destroyed: 1 PD.',
    });
  });

  it('that tries a system call that no program needs goes on, and the log names it', async () => {
    const attacks = 'syscall(SYS_shmat, 0, 0, 0); syscall(SYS_mq_unlink, "x"); syscall(SYS_shmat, 1, 0, 0);';
    const source = `#include <sys/syscall.h>\n${c(attacks)}`;
    const { run: ended, events } = await run(await connect(), 'c', source);
    expect([ended.state, ended.error]).toEqual(['done', null]);
    expect(tried(events)).toEqual([
      expect.stringMatching(/^The program tried to call mq_unlink, shmat, which the workbench refuses/),
    ]);
  });

  it('that does not compile is not run, and each message has its line', async () => {
    const recorder = await connect();
    const error = await refusal(recorder, 'c', 'int main(void) {\n  return missing;\n}\n');
    expect(error.code).toBe('COMPILE_FAILED');
    expect(error.message).toMatch(/line 2: .*missing/);
    expect(error.info.detail).toMatch(/^main\.c:2:10: error:/m);
    const peeking = await refusal(recorder, 'c', '#include "/etc/passwd"\nint main(void) { return 0; }\n');
    expect(peeking.info.detail).toMatch(/Permission denied/);
    expect(peeking.info.detail).not.toMatch(/root:/);
  });
});

describe('a program in TypeScript', () => {
  it('is stopped at what it may not, and the run says why', async () => {
    const recorder = await connect();
    const bad: [string, string, RegExp][] = [
      ['for (;;);\nexport {};', 'PROGRAM_STOPPED_TIME', /time/],
      [
        'const kept: unknown[] = [];\nfor (;;) kept.push(Buffer.alloc(1 << 20, 1));\nexport {};',
        'PROGRAM_STOPPED_MEMORY',
        /256 MiB/,
      ],
      [node('fs', "writeFileSync('big', 'x'.repeat(32 << 20))"), 'PROGRAM_STOPPED_FILES_SIZE', /8 MiB/],
      [node('child_process', "spawnSync('/bin/true')"), 'PROGRAM_STOPPED_FORK', /fork|clone/],
      [node('fs', "readFileSync('/etc/passwd')"), 'PROGRAM_STOPPED_PATH', /\/etc\/passwd/],
      [node('net', "connect(1, '192.0.2.1')"), 'PROGRAM_STOPPED_SOCKET', /SOCK_STREAM/],
    ];
    for (const [source, code, message] of bad) {
      const { run: ended } = await run(recorder, 'typescript', source);
      expect([source, ended.state, ended.error?.code]).toEqual([source, 'failed', code]);
      expect(ended.error?.message).toMatch(message);
    }
  });

  it('that imports or names what it may not, or has a type error, is not run', async () => {
    const recorder = await connect();
    const fetching = await refusal(
      recorder,
      'typescript',
      "const a = 1;\nawait fetch('http://x');\nexport {};",
    );
    expect(fetching.code).toBe('PROGRAM_IMPORT');
    expect(fetching.message).toMatch(/^Line 2 .*fetch/);
    const importing = await refusal(
      recorder,
      'typescript',
      "import { connect } from 'node:net';\nconnect(1);",
    );
    expect(importing.code).toBe('PROGRAM_IMPORT');
    expect(importing.message).toContain('node:net');
    const mistaken = await refusal(
      recorder,
      'typescript',
      "import { openDevice } from '@verbslab/verbs';\nopenDevice().nothing();",
    );
    expect(mistaken.code).toBe('COMPILE_FAILED');
    expect(mistaken.info.detail).toMatch(/^main\.ts:2:14: error: .*nothing/m);
  });
});
