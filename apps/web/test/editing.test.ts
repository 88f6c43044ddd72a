/** A note between an editor and the agent: nothing that was typed is lost, and nothing unseen is overwritten. */
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
import { parseMoment, momentHref, momentText } from '../src/notebook/moment';

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
    // The same, where another page wrote in between.
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
    const moment = { t: 1.5e9, selection: { packet: 7, request: { endpoint: 'client', qpn: 1, wrId: 3 } } };
    expect(momentText(moment)).toBe('at 1.50\u00a0s, packet 7, work request 3 of client');
    expect(momentHref('bbbbbbbbbb', moment)).toBe('/runs/view?id=bbbbbbbbbb&t=1500000000');
  });
});
