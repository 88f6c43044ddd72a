import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_LIST } from '@verbslab/protocol/export-formats';
import { describe, expect, it } from 'vitest';
import { exportFormat } from '../src/server/export.js';
import { newHome, Recorder, signIn, testAgent } from './helpers/agent.js';
import { verbslab, type Printed } from './helpers/cli.js';

const NOTE = 'The peer was **slow**. <script>alert(1)</script>';

async function noted() {
  const home = newHome();
  const { agent } = await testAgent({ home });
  const recorder = await Recorder.connect(agent);
  const id = await recorder.start('quick');
  await recorder.untilMessage('run.complete');
  const runs = (...args: string[]): Promise<Printed> => verbslab(home, ['runs', ...args]);
  expect(await runs('note', '1', NOTE)).toMatchObject({ code: 0 });
  expect(await runs('tag', '1', '+rnr')).toMatchObject({ code: 0 });
  return { home, agent, id, runs };
}

describe('verbslab runs report', () => {
  it('writes HTML and Markdown with the notes and the machine of the run', async () => {
    const { runs } = await noted();
    const html = await runs('report', '1');
    expect(html.code).toBe(0);
    expect(html.out).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html.out).toContain('The peer was <strong>slow</strong>. &lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html.out).toContain('#rnr');
    expect(html.out).not.toContain('<script');
    const md = await runs('report', '1', '--format', 'md');
    expect(md.out).toContain('The peer was **slow**. &lt;script&gt;alert(1)&lt;/script&gt;');
    expect(md.out).toMatch(/^Tags: rnr$/m);
    expect(md.out).toMatch(/^\| run \| .+ \| test0 \| simulated \|/m);
  });

  it('writes a file, and says as JSON which', async () => {
    const { home, id, runs } = await noted();
    const file = join(home, 'report.html');
    const { code, out } = await runs('report', '1', '--out', file, '--json');
    expect(code).toBe(0);
    const bytes = readFileSync(file).length;
    expect(JSON.parse(out)).toEqual({ run: 1, id, format: 'html', file, bytes });
  });

  it('says what is wrong, and writes nothing then', async () => {
    const { home, runs } = await noted();
    const file = join(home, 'report.html');
    expect(await runs('report', '9', '--out', file)).toMatchObject({ code: 1, out: '' });
    expect((await runs('report', '1', '--format', 'pdf')).err).toContain('html, md');
    expect(existsSync(file)).toBe(false);
  });
});

describe('GET /api/runs/:id/export/html', () => {
  it('is a download that no page of the agent can be taken for', async () => {
    const { agent, id } = await noted();
    const headers = { cookie: await signIn(agent) };
    const answer = await fetch(`${agent.url}/api/runs/${id}/export/html`, { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="verbslab-${id}.html"`);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.text()).toContain('default-src &#39;none&#39;');
  });
});

describe('the registry of formats', () => {
  it('has what writes each format that lists show', () => {
    for (const { id, ending } of FORMAT_LIST) expect(exportFormat(id)).toMatchObject({ id, ending });
  });
});
