import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newHome, Recorder, signIn, testAgent } from './helpers/agent.js';
import { verbslab, type Printed } from './helpers/cli.js';

async function ended() {
  const home = newHome();
  const { agent } = await testAgent({ home });
  const recorder = await Recorder.connect(agent);
  const id = await recorder.start('quick');
  await recorder.untilMessage('run.complete');
  const command = (...args: string[]): Promise<Printed> => verbslab(home, ['runs', 'export', ...args]);
  return { home, agent, id, recorder, command };
}

describe('verbslab runs export', () => {
  it('writes every event of the run to stdout, as clients saw them', async () => {
    const { recorder, command } = await ended();
    const { code, out } = await command('1', '--format', 'jsonl');
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(recorder.events);
  });

  it('writes a file that appears when it is whole', async () => {
    const { home, id, command } = await ended();
    const file = join(home, 'run.trace.json');
    const { code, out } = await command(id, '--format', 'trace', '--out', file);
    expect([code, out]).toEqual([0, '']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ otherData: { run: id, lab: 'quick' } });
    expect(readdirSync(home).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('writes a capture as it is', async () => {
    const { home, id, command } = await ended();
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
    writeFileSync(join(home, 'captures', `${id}.pcapng`), bytes);
    const file = join(home, 'run.pcapng');
    expect(await command('1', '--format', 'pcapng', '--out', file)).toMatchObject({ code: 0 });
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it('says what cannot be exported, why, and what to do, and leaves no file', async () => {
    const { home, command } = await ended();
    const file = join(home, 'run.pcapng');
    expect(await command('1', '--format', 'pcapng', '--out', file)).toMatchObject({
      code: 1,
      err: expect.stringContaining('This run has no packet capture.') as string,
    });
    expect(existsSync(file)).toBe(false);
    expect((await command('9', '--format', 'csv')).err).toContain('There is no run “9”');
    expect((await command('1', '--format', 'csv', '--out', join(home, 'no', 'x.csv'))).err).toContain(
      'cannot be written',
    );
    const unknown = await command('1', '--format', 'xml');
    expect(unknown.code).toBe(2);
    expect(unknown.err).toContain('pcapng, csv, jsonl, trace');
  });
});

describe('GET /api/runs/:id/export/:format', () => {
  it('is for who is signed in, names the file, and knows no other formats', async () => {
    const { agent, id } = await ended();
    const of = (format: string): string => `${agent.url}/api/runs/${id}/export/${format}`;
    expect((await fetch(of('csv'))).status).toBe(401);
    const headers = { cookie: await signIn(agent) };
    const answer = await fetch(of('csv'), { headers });
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="verbslab-${id}.csv"`);
    expect(await answer.text()).toMatch(/^seq,source,.*\r\n$/);
    const capture = await fetch(of('pcapng'), { method: 'HEAD', headers });
    expect(capture.status).toBe(404);
    const unknown = await fetch(of('xml'), { headers });
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ error: { code: 'UNKNOWN_FORMAT' } });
  });
});
