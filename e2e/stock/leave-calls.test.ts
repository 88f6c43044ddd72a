/** `verbslab exec --leave-call`: one call of libc that the device does not stand in front of. */
import { basename, dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { able, Programs } from './compile.js';
import { cmMatrix, matrix } from './matrix.js';
import { cmPair, exported, installed, library, pair, start } from './run.js';

const programs = new Programs();
afterAll(() => {
  programs.remove();
});

/** Calls that a library of the device has in front of libc's. */
const IN_FRONT = exported(join(dirname(library), 'liburoce-paths.so'))
  .map(({ name }) => name)
  .filter((name) => !name.startsWith('uroce_'));
const SIGNALS = ['sigaction', 'signal', 'pthread_sigmask', 'pthread_exit', '_exit', 'execve', 'execlp'];

const ALL = [...IN_FRONT, ...SIGNALS];

const leaving = (...calls: string[]) => ({
  exec: calls.flatMap((call) => ['--leave-call', call]),
  timeoutMs: 120_000,
});

describe.skipIf(!able)('a call that is left to libc', () => {
  const ownersIn = (output: string): [string, string][] =>
    output
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string])
      .map(([name, file]) => [name, basename(file)]);

  it.each(['getcwd', 'open', 'dlopen', 'sendmsg', 'sigaction', '_exit'])(
    'is %s alone, and all others stay',
    async (call) => {
      const { code, output } = await start(programs.compile('owner', [], []), ALL, leaving(call)).finished;
      expect(code, output).toBe(0);
      const ours = ownersIn(output).filter(([, file]) => file.startsWith('liburoce'));
      expect(ours.map(([name]) => name)).toEqual(ALL.filter((name) => name !== call));
      expect(ownersIn(output).find(([name]) => name === call)![1]).toMatch(/^libc\.so/);
    },
  );

  it('is refused if the device has none of that name', async () => {
    const { code, output } = await start('true', [], leaving('opne')).finished;
    expect(code).toBe(2);
    expect(output).toMatch(/does not stand in front of “opne”/);
    expect(output).toContain('getcwd');
  });
});

/** All calls at once and four programs; by night (`npm run nightly -- calls`) each call alone, too, and all programs. */
const night = process.env['VERBSLAB_CALLS'] === 'all';
const LEFT = [ALL, ...(night ? ALL.map((call) => [call]) : [])];
const tried = (program: string): boolean =>
  installed(program) && (night || /^(ibv_rc_pingpong|ib_send_bw|rping|ucmatose)$/.test(program));
/** The first of those with the same program. */
const firsts = <T>(lines: readonly T[], programOf: (line: T) => string): T[] =>
  lines.filter((line, at) => lines.findIndex((other) => programOf(other) === programOf(line)) === at);
const wordsOf = (command: string) => command.split(' ');

describe.each(LEFT.map((calls) => ({ calls, name: calls.length > 1 ? 'all of them' : calls[0]! })))(
  'stock programs with $name left to libc',
  ({ calls }) => {
    it.each(firsts(matrix, ({ program }) => program).filter(({ program }) => tried(program)))(
      '$program',
      async ({ program, args, prints }) => {
        const { server, client } = await pair(program, args, leaving(...calls));
        expect([server.code, client.code], server.output + client.output).toEqual([0, 0]);
        expect(client.output).toMatch(prints);
      },
    );

    it.each(
      firsts(cmMatrix, ({ server }) => wordsOf(server)[0]!).filter(({ server }) =>
        tried(wordsOf(server)[0]!),
      ),
    )('$server', async ({ server: serving, client: asking, ready, clientPrints }) => {
      const options = { ...leaving(...calls), ...(ready ? { ready } : {}) };
      const { server, client } = await cmPair(wordsOf(serving), wordsOf(asking), options);
      expect([server.code, client.code], server.output + client.output).toEqual([0, 0]);
      if (clientPrints) expect(client.output).toMatch(clientPrints);
    });
  },
);
