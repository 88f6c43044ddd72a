/** A note between an editor and the agent: no typed text is lost, and no unseen text is overwritten. */
import type { RunNote } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { AgentError } from '../src/connection/client';
import {
  arrived,
  asNew,
  begin,
  decided,
  fresh,
  isDue,
  NOTHING,
  refused,
  saved,
  saveState,
  sending,
  typed,
} from '../src/notebook/editing';
import { momentHref, momentOf, momentText, parseMoment } from '../src/parts/run/moment';
import { readSelection, type Selection } from '../src/model/selection';

const note = (version: number, text: string, more: Partial<RunNote> = {}): RunNote => ({
  ...{ id: 'aaaaaaaaaa', runId: 'bbbbbbbbbb', version, text, tags: [], moment: null },
  ...{ createdAt: 1, changedAt: version },
  ...more,
});
const error = (code: string) => new AgentError({ code, message: 'Refused.', cure: 'Stop.' });
const state = (editing: Parameters<typeof saveState>[0]) => saveState(editing, true);

describe('a note in an editor', () => {
  it('is begun with its first text, and not before', () => {
    const empty = fresh('bbbbbbbbbb', 'aaaaaaaaaa', NOTHING);
    expect([state(empty), isDue(empty)]).toEqual(['empty', false]);
    const tagged = typed(empty, { tags: ['rnr'] });
    expect(isDue(tagged)).toBe(false);
    const written = typed(tagged, { text: 'Slow.' });
    expect([state(written), isDue(written)]).toEqual(['unsaved', true]);
    const under = sending(written);
    expect([state(under), isDue(under)]).toEqual(['saving', false]);
    expect(state(saved(under, note(1, 'Slow.', { tags: ['rnr'] })))).toBe('saved');
  });

  it('keeps what is typed while it is saved', () => {
    const under = sending(typed(begin(note(1, 'a')), { text: 'ab' }));
    const back = saved(typed(under, { text: 'abc' }), note(2, 'ab'));
    expect([back.mine.text, back.version, state(back)]).toEqual(['abc', 2, 'unsaved']);
  });

  it('shows what was written elsewhere, unless it was edited here: then both', () => {
    expect(arrived(begin(note(1, 'a')), note(2, 'theirs')).mine.text).toBe('theirs');
    const clash = arrived(typed(begin(note(1, 'a')), { text: 'mine' }), note(2, 'theirs'));
    expect([state(clash), isDue(clash), clash.mine.text, clash.theirs?.text]).toEqual([
      'conflict',
      false,
      'mine',
      'theirs',
    ]);
    const later = arrived(clash, note(3, 'later'));
    expect(later.theirs?.text).toBe('later');
    expect(decided(later, 'theirs')).toMatchObject({ version: 3, mine: { text: 'later' } });
    const mine = decided(later, 'mine');
    expect([mine.version, mine.mine.text, isDue(mine)]).toEqual([3, 'mine', true]);
    expect(decided(later, 'both').mine.text).toBe('mine\n\nlater');
  });

  it('is no conflict with itself: an answer that crosses its message, a message that arrived although its answer did not', () => {
    const under = sending(typed(begin(note(1, 'a')), { text: 'b' }));
    expect(arrived(under, note(2, 'b')).theirs).toBeNull();
    const lost = typed(refused(under, error('DISCONNECTED')), { text: 'bc' });
    expect([saveState(lost, false), isDue(lost)]).toEqual(['waiting', true]);
    const again = arrived(lost, note(2, 'b'));
    expect([again.theirs, again.version, again.mine.text, isDue(again)]).toEqual([null, 2, 'bc', true]);
    // Another page wrote in between: a conflict.
    expect(arrived(lost, note(3, 'theirs')).theirs?.text).toBe('theirs');
  });

  it('says what the agent does not take, and sends it again only when asked', () => {
    const under = sending(typed(begin(note(1, 'a')), { text: 'b' }));
    const failed = refused(under, error('DISK_FULL'));
    expect([state(failed), isDue(failed), failed.mine.text]).toEqual(['failed', false, 'b']);
    expect(isDue(typed(failed, {}))).toBe(true);
  });

  it('outlives its deletion elsewhere, as a new note', () => {
    const under = sending(typed(begin(note(1, 'a')), { text: 'b' }));
    for (const gone of [refused(under, error('UNKNOWN_NOTE')), arrived(under, null)]) {
      expect([state(gone), isDue(gone)]).toEqual(['gone', false]);
      const anew = asNew(gone, 'cccccccccc');
      expect([anew.version, anew.mine.text, isDue(anew)]).toEqual([0, 'b', true]);
    }
    expect(arrived(fresh('bbbbbbbbbb', 'aaaaaaaaaa', NOTHING), null).gone).toBe(false);
  });
});

describe('a moment', () => {
  it('is typed as a time and shown as one', () => {
    expect(['1.5 s', '200ms', '3 µs', '7ns', '2'].map(parseMoment)).toEqual([1.5e9, 2e8, 3000, 7, 2e9]);
    expect(['soon', '-1 s', '1 KiB'].map(parseMoment)).toEqual([null, null, null]);
    const at = (selection: Selection | null) => momentOf(1.5e9, selection, { numbered: true });
    expect(momentText(at({ kind: 'packet', index: 6 }))).toBe('at 1.50\u00a0s, packet 7');
    expect(momentText(at({ kind: 'qp', endpoint: 'client', qpn: 17 }))).toBe(
      'at 1.50\u00a0s, QP 0x000011 of client',
    );
    // Packets of several processes get their numbers when the run ends.
    expect(momentOf(5, { kind: 'packet', index: 6 }, { numbered: false })).toEqual({ t: 5 });
    expect(momentText({ t: 0 })).toBe('at 0\u00a0ns');
    // The address of the run's page at the moment, with what was selected there.
    const selections: (Selection | null)[] = [
      null,
      { kind: 'packet', index: 6 },
      { kind: 'wr', seq: 30 },
      { kind: 'event', seq: 31 },
      { kind: 'qp', endpoint: 'client', qpn: 17 },
    ];
    for (const selection of selections) {
      const { searchParams } = new URL(momentHref('bbbbbbbbbb', at(selection)), 'http://localhost');
      expect([searchParams.get('id'), searchParams.get('t')]).toEqual(['bbbbbbbbbb', '1500000000']);
      expect(readSelection(searchParams)).toEqual(selection);
    }
  });
});
