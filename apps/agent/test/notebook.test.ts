/** Notes and tags: kept in the database, seen by every client, never overwritten unseen, gone with their run. */
import { MAX_NOTES, MAX_NOTE_TEXT, MAX_TAGS, type ClientMessageOf, type RunNote } from '@verbslab/protocol';
import Database from 'better-sqlite3';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHome } from '../src/config/home.js';
import { newId } from '../src/store/new-id.js';
import { RunStore } from '../src/store/store.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { verbslab } from './helpers/cli.js';

type Written = Partial<Omit<ClientMessageOf<'note.write'>, 'type' | 'id'>>;

/** An agent with a run that is done, and two clients. */
async function bench() {
  const home = newHome();
  const { agent } = await testAgent({ home });
  const [one, other] = [await Recorder.connect(agent), await Recorder.connect(agent)];
  const runId = await one.start('quick');
  await one.untilMessage('run.complete');
  const write = async (written: Written = {}): Promise<RunNote> => {
    const body = { runId, noteId: newId(), version: 0, text: 'A note.', tags: [], moment: null, ...written };
    return (await one.client.request('note.write', body)).note;
  };
  return { home, agent, one, other, runId, write, client: one.client };
}

const refused = (code: string, message?: string) => ({
  info: { code, ...(message ? { message: expect.stringContaining(message) as string } : {}) },
});

describe('notes', () => {
  it('are kept as they were written, and reach every client', async () => {
    const { other, write, runId, client } = await bench();
    const moment = { t: 1500, selection: { packet: 7, wr: 30, qp: { endpoint: 'client', qpn: 17 } } };
    const note = await write({ text: '**Slow** here. <b>é</b>', tags: ['RNR', 'to show', 'rnr'], moment });
    expect(note).toMatchObject({ version: 1, runId, tags: ['rnr', 'to-show'], moment });
    await other.untilMessage('notebook.changed', (m) => m.note?.id === note.id);
    await other.untilMessage('run.changed', ({ run }) => run.noteCount === 1);
    expect((await client.request('notebook.get', { runId })).notes).toEqual([note]);
    expect((await client.request('run.list', {})).runs[0]).toMatchObject({ noteCount: 1 });
  });

  it('are not overwritten by a writer who has not read them', async () => {
    const { one, other, write, runId, client } = await bench();
    const first = await write();
    const mine = { runId, noteId: first.id, version: 1, text: 'Mine.', tags: [], moment: null };
    const theirs = await write({ noteId: first.id, version: 1, text: 'Theirs.' });
    expect(theirs.version).toBe(2);
    await expect(other.client.request('note.write', mine)).rejects.toMatchObject(refused('NOTE_CONFLICT'));
    await expect(
      other.client.request('note.delete', { runId, noteId: first.id, version: 1 }),
    ).rejects.toMatchObject(refused('NOTE_CONFLICT'));
    expect((await client.request('notebook.get', { runId })).notes).toEqual([theirs]);
    // The writer has read the other's version now.
    const kept = await write({ noteId: first.id, version: 2, text: 'Both.' });
    expect(kept).toMatchObject({ version: 3, createdAt: first.createdAt });
    await one.client.request('note.delete', { runId, noteId: first.id, version: 3 });
    await other.untilMessage('notebook.changed', (m) => m.note === null && m.noteId === first.id);
    await other.untilMessage('run.changed', ({ run }) => run.noteCount === undefined);
    await expect(write({ noteId: first.id, version: 3, text: 'Late.' })).rejects.toMatchObject(
      refused('UNKNOWN_NOTE'),
    );
  });

  it('are written once when a message comes twice', async () => {
    const { write, runId, client } = await bench();
    const body = { noteId: newId(), text: 'Sent twice.' };
    expect(await write(body)).toEqual(await write(body));
    expect((await client.request('notebook.get', { runId })).notes).toHaveLength(1);
  });

  it('have limits that say what they are', async () => {
    const { write, runId, client } = await bench();
    await expect(write({ text: 'x'.repeat(MAX_NOTE_TEXT + 1) })).rejects.toMatchObject(
      refused('LIMIT', `${MAX_NOTE_TEXT + 1} (limit ${MAX_NOTE_TEXT})`),
    );
    await expect(write({ tags: ['no/good?'] })).rejects.toMatchObject(refused('BAD_TAG', '“no/good?”'));
    const many = Array.from({ length: MAX_TAGS + 1 }, (_, i) => `t${i}`);
    await expect(write({ tags: many })).rejects.toMatchObject(refused('LIMIT', 'tags'));
    for (let i = 0; i < MAX_NOTES; i++) await write();
    await expect(write()).rejects.toMatchObject(refused('LIMIT', `${MAX_NOTES + 1} (limit ${MAX_NOTES})`));
    expect((await client.request('notebook.get', { runId })).notes).toHaveLength(MAX_NOTES);
  });

  it('belong to one run', async () => {
    const { one, write, client } = await bench();
    const { id } = await write();
    const runId = await one.start('quick');
    await expect(write({ noteId: id, version: 1, text: 'x', runId })).rejects.toMatchObject(
      refused('BAD_MESSAGE', 'another run'),
    );
    await expect(client.request('notebook.get', { runId: 'zzzzzzzzzz' })).rejects.toMatchObject(
      refused('UNKNOWN_RUN'),
    );
  });

  it('are found by words, by tag of the note and of the run, page by page', async () => {
    const { one, write, runId, client } = await bench();
    const slow = await write({ text: 'The peer was SLOW.', tags: ['rnr'] });
    const fast = await write({ text: 'The peer was fast.' });
    const second = await one.start('quick');
    await client.request('run.tag', { runId: second, add: ['Week 3'] });
    const last = await write({ runId: second, text: 'Another run.' });
    const list = async (query: Omit<ClientMessageOf<'notebook.list'>, 'type' | 'id'>) => {
      const { notes, more, total } = await client.request('notebook.list', query);
      return [notes.map(({ note }) => note.id), more, total];
    };
    expect(await list({})).toEqual([[last.id, fast.id, slow.id], false, 3]);
    expect(await list({ limit: 2 })).toEqual([[last.id, fast.id], true, 3]);
    expect(await list({ limit: 2, before: fast.id })).toEqual([[slow.id], false, 3]);
    expect(await list({ query: 'peer slow' })).toEqual([[slow.id], false, 1]);
    expect(await list({ query: 'peer nothing' })).toEqual([[], false, 0]);
    expect(await list({ tag: 'rnr' })).toEqual([[slow.id], false, 1]);
    expect(await list({ tag: 'week-3' })).toEqual([[last.id], false, 1]);
    expect((await client.request('notebook.list', {})).known).toEqual(['rnr', 'week-3']);
    const { runs } = await client.request('notebook.find', { words: ['PEER', 'none'] });
    expect(runs).toEqual({ PEER: [runId], none: [] });
  });

  it('go with their run, at once, and keep it from being cleared away as an old one', async () => {
    const home = openHome(newHome());
    const store = RunStore.open(home);
    onTestFinished(() => store.close());
    const run = { lab: 'x', title: 'X', mode: 'all', device: null, parameters: {} } as const;
    const runs = [1, 2, 3].map(() => {
      const created = store.create(run);
      store.save({ ...created, state: 'done' });
      return created;
    });
    const [first, second, third] = runs as [(typeof runs)[0], (typeof runs)[0], (typeof runs)[0]];
    store.notebook.write(first, { noteId: newId(), version: 0, text: 'x', tags: [], moment: null });
    store.notebook.tag(first, ['kept'], []);
    expect(store.retention.surplus({ runs: 1, bytes: 0 })).toEqual([second.id]);
    store.retention.delete(first.id);
    expect(store.notebook.list({ limit: 10 })).toMatchObject({ notes: [], total: 0 });
    expect(store.notebook.known()).toEqual([]);
    await store.retention.cleared;
    const raw = new Database(home.database, { readonly: true });
    const left = ['notes', 'run_tags'].map((name) => raw.prepare(`select count(*) as n from ${name}`).get());
    raw.close();
    expect(left).toEqual([{ n: 0 }, { n: 0 }]);
    expect(store.get(third.id)).not.toBeNull();
  });

  it('survive a restart, and an older history has none', async () => {
    const { home, agent, write, runId, client } = await bench();
    const note = await write({ tags: ['a'] });
    await client.request('run.tag', { runId, add: ['b', 'c'], remove: ['c'] });
    await agent.close();
    const { agent: next } = await testAgent({ home });
    const again = await Recorder.connect(next);
    expect(await again.client.request('notebook.get', { runId })).toMatchObject({
      notes: [note],
      tags: ['b'],
      known: ['a', 'b'],
    });
    expect((await again.client.request('run.get', { runId })).run).toMatchObject({
      tags: ['b'],
      noteCount: 1,
    });
  });
});

describe('tags of a run', () => {
  it('are added and taken off without regard to what others do meanwhile', async () => {
    const { one, other, runId } = await bench();
    await Promise.all([
      one.client.request('run.tag', { runId, add: ['slow', 'Slow'] }),
      other.client.request('run.tag', { runId, add: ['week 3'], remove: ['none'] }),
    ]);
    const { run } = await one.client.request('run.get', { runId });
    expect(run.tags).toEqual(['slow', 'week-3']);
    await one.client.request('run.tag', { runId, remove: ['slow', 'week-3'] });
    await other.untilMessage('run.changed', ({ run: { tags } }) => tags === undefined);
    await expect(one.client.request('run.tag', { runId, add: ['#?'] })).rejects.toMatchObject(
      refused('BAD_TAG'),
    );
  });
});

describe('the command', () => {
  it('writes notes from its arguments and from files, and prints them', async () => {
    const { home, runId, client } = await bench();
    const file = join(home, 'note.md');
    writeFileSync(file, '# Findings\n\n- one\n');
    expect((await verbslab(home, ['runs', 'note', '1'])).out).toBe('Run 1 has no notes.\n');
    const args = ['runs', 'note', '1', 'Slow.', '--at', '250ms', '--tag', 'rnr'];
    expect(await verbslab(home, args)).toMatchObject({ code: 0, out: '' });
    const printed = await verbslab(home, ['runs', 'note', runId, '--file', file, '--json']);
    expect(JSON.parse(printed.out)).toMatchObject({ text: '# Findings\n\n- one', moment: null });
    const { notes } = await client.request('notebook.get', { runId });
    expect(notes).toMatchObject([{ text: 'Slow.', moment: { t: 250e6 }, tags: ['rnr'] }, {}]);
    const { out } = await verbslab(home, ['runs', 'note', '1']);
    expect(out).toMatch(/Notes on run 1\n\n.* {2}at 0\.25 s {2}rnr\nSlow\.\n/);
    expect(JSON.parse((await verbslab(home, ['runs', 'note', '1', '--json'])).out)).toMatchObject({
      run: 1,
      notes,
    });
  });

  it('adds tags and removes them, whatever letter they begin with, and lists them', async () => {
    const { home } = await bench();
    const tag = (...args: string[]) => verbslab(home, ['runs', 'tag', '1', ...args]);
    expect((await tag()).out).toBe('Run 1 has no tags.\n');
    expect((await tag('+rnr', '+hardware', '+new')).out).toBe('Run 1: hardware new rnr\n');
    expect((await tag('-hardware', '-new', '+slow')).out).toBe('Run 1: rnr slow\n');
    expect(JSON.parse((await tag('--json')).out)).toEqual({ run: 1, tags: ['rnr', 'slow'] });
    const { out } = await verbslab(home, ['runs']);
    expect(out).toMatch(/Tags\b/);
    expect(out).toMatch(/rnr slow$/m);
    expect(JSON.parse((await verbslab(home, ['runs', '--json'])).out)).toMatchObject({
      runs: [{ tags: ['rnr', 'slow'] }],
    });
    expect((await tag('--help')).out).toContain('+tag');
  });

  const wrong: [string, string[], string][] = [
    ['a tag without a sign', ['tag', '1', 'rnr'], 'Write +rnr or -rnr.'],
    ['what cannot be a tag', ['tag', '1', '+a,b'], '“a,b” cannot be a tag'],
    ['a run that is not there', ['note', '99', 'x'], 'There is no run “99”.'],
    ['two texts', ['note', '1', 'x', '--file', '/dev/null'], 'Give either a text or --file.'],
    ['an empty note', ['note', '1', ' '], 'The note is empty.'],
    ['a file that is not there', ['note', '1', '--file', '/none'], '“/none” cannot be read'],
    ['a time that is none', ['note', '1', 'x', '--at', 'soon'], 'like 1.5s or 200ms'],
  ];
  it.each(wrong)('refuses %s', async (_what, args, said) => {
    const { home } = await bench();
    const { code, out, err } = await verbslab(home, ['runs', ...args]);
    expect([code, out]).toEqual([args.includes('99') ? 1 : 2, '']);
    expect(err).toContain(said);
  });
});
