import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ASKED, EVENT_BODIES, FRAME_KINDS } from '@verbslab/protocol';

const doc = (name: string) => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');

/** First cell of every table row, code marks removed. */
const rows = (text: string) =>
  [...text.matchAll(/^\| (`[^|]+`)/gm)].flatMap(([, cell]) =>
    [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );

describe('the docs list what the schema has', () => {
  it('docs/events.md has a row for each kind of event, and no other', () => {
    expect(new Set(rows(doc('events.md')))).toEqual(new Set(Object.keys(EVENT_BODIES)));
  });

  it('docs/protocol.md has each request and each kind of frame', () => {
    const named = new Set(rows(doc('protocol.md')));
    for (const type of Object.keys(ASKED)) expect(named).toContain(type);
    for (const kind of Object.keys(FRAME_KINDS)) expect(doc('protocol.md')).toContain(`**${kind}**`);
  });
});
