/** No secret in an argument, in the output of an agent or in its log. Needs the build that `npm test` makes first. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addressOf } from '../src/client/find.js';
import { homeAt } from '../src/config/home.js';
import { readState } from '../src/config/instance.js';
import { readPeerToken, readToken } from '../src/config/token.js';
import { encodeInvitation } from '../src/config/join-string.js';
import { StaticSite } from '../src/server/static.js';
import { newHome } from './helpers/agent.js';

vi.setConfig({ testTimeout: 60_000 });

const program = fileURLToPath(new URL('../bin/verbslab.js', import.meta.url));

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

function start(home: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, NO_COLOR: '1', VERBSLAB_HOME: home, ...env },
    stdio: 'pipe',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function run(home: string, args: string[], input = '', env?: Record<string, string>): Promise<Ended> {
  const child = start(home, args, env);
  let [out, err] = ['', ''];
  child.stdout!.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.stdin!.on('error', () => undefined);
  child.stdin!.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

/** An agent, and all that it has printed and logged so far. */
async function agent(
  home: string,
  args: string[],
  env?: Record<string, string>,
): Promise<{ child: ChildProcess; said: () => string; line: string }> {
  const child = start(home, args, env);
  let said = '';
  child.stdout!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return { child, said: () => said, line };
}

describe('an agent', () => {
  it('says neither token nor join string, and `peers invite` does', async () => {
    const home = newHome();
    const { child, said } = await agent(home, ['agent', '--port', '0', '--log-level', 'trace']);
    const { out } = await run(home, ['peers', 'invite']);
    expect(out).toMatch(/^vlab1_\S+\n$/);
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(said()).toContain('http://127.0.0.1:');
    expect(said()).not.toContain(readToken(homeAt(home).token));
    expect(said()).not.toContain('vlab1_');
  });
});

/** A folder with an xdg-open that keeps its arguments and what stood in the file that it got. */
function fakeBrowser(): { path: string; saw(): Promise<{ args: string; page: string }> } {
  const folder = join(newHome(), 'bin');
  mkdirSync(folder);
  const script = join(folder, 'xdg-open');
  writeFileSync(
    script,
    `#!/bin/sh\ntr '\\0' ' ' < /proc/$$/cmdline > ${folder}/args\ncat "$1" > ${folder}/page 2>&1\nmv ${folder}/args ${folder}/done\n`,
  );
  chmodSync(script, 0o755);
  return {
    path: `${folder}:${process.env.PATH}`,
    async saw() {
      await vi.waitFor(() => expect(existsSync(join(folder, 'done'))).toBe(true), { timeout: 60_000 });
      return {
        args: readFileSync(join(folder, 'done'), 'utf8'),
        page: readFileSync(join(folder, 'page'), 'utf8'),
      };
    },
  };
}

describe.skipIf(!new StaticSite().present)('the browser', () => {
  it('is opened by a file of this user, with a code that works once; `open` makes more', async () => {
    const home = newHome();
    const browser = fakeBrowser();
    const env = { DISPLAY: ':0', PATH: browser.path };
    const up = await agent(home, ['up', '--port', '0', '--log-level', 'silent'], env);
    const { args, page } = await browser.saw();
    const token = readToken(homeAt(home).token);
    const link = /url=(http:\/\/127\.0\.0\.1:\d+\/\?code=[\w-]{32})"/.exec(page)![1]!;
    const code = new URL(link).searchParams.get('code')!;
    for (const secret of [token, code]) expect(args).not.toContain(secret);
    expect(args).not.toContain('http');
    expect(statSync(homeAt(home).redirect).mode & 0o777).toBe(0o600);
    for (const text of [page, up.line]) expect(text).not.toContain(token);
    expect(page).toContain('<meta name="referrer" content="no-referrer">');

    expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
    const again = await fetch(link, { headers: { accept: 'text/html' } });
    expect(again.status).toBe(401);
    expect(await again.text()).toContain('<code>npx verbslab open</code>');
    expect((await fetch(up.line, { redirect: 'manual' })).status).toBe(303);
    const { out } = await run(home, ['open', '--no-open']);
    expect((await fetch(out.trim(), { redirect: 'manual' })).status).toBe(303);

    up.child.kill('SIGTERM');
    await once(up.child, 'close');
    expect(existsSync(homeAt(home).redirect)).toBe(false);
  });

  it('gets no link where no agent runs', async () => {
    const { code, err } = await run(newHome(), ['open']);
    expect(code).toBe(1);
    expect(err).toMatch(/no agent runs on this data directory\.\n {2}.*verbslab up/);
  });
});

describe('verbslab peers add', () => {
  it('reads the join string from standard input, and refuses it as an argument', async () => {
    const [theirs, mine] = [newHome(), newHome()];
    await agent(theirs, ['agent', '--port', '0', '--log-level', 'silent'], { UROCE_ADDR: '127.0.0.81' });
    const at = homeAt(theirs);
    const invitation = encodeInvitation({ ...addressOf(readState(at)!, at), token: readPeerToken(at) });
    const env = { UROCE_ADDR: '127.0.0.82' };
    const refused = await run(mine, ['peers', 'add', invitation], '', env);
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(
      /can read the arguments of a command\.\n.*verbslab peers add -.*--file.*token/,
    );
    expect(refused.err).not.toContain(invitation);
    const added = await run(mine, ['peers', 'add', '-', '--name', 'b', '--json'], `${invitation}\n`, env);
    expect([added.code, added.err]).toEqual([0, '']);
    expect(JSON.parse(added.out)).toMatchObject({ name: 'b', state: 'up' });
  });
});
