import type { FieldEdits } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { editFault, editsIn, groupsOf, withEdit } from '../src/parts/forms/packet-edits';

const field = { name: 'bth.psn', label: 'PSN', text: '', max: '16777215' };
const edits: FieldEdits = {
  of: 'packet',
  titles: { write: 'WRITE', send: 'SEND' },
  groups: { write: [{ title: 'BTH', fields: [field] }], send: [] },
};

describe('edits of fields in one text', () => {
  it('change field by field, and keep the others', () => {
    expect(withEdit('', 'bth.psn', '+1')).toBe('bth.psn=+1');
    expect(withEdit('bth.psn=+1; reth.rkey=0', 'bth.psn', '5')).toBe('bth.psn=5; reth.rkey=0');
    expect(withEdit('BTH.PSN=+1; reth.rkey=0', 'bth.psn', '')).toBe('reth.rkey=0');
    // While it is being typed.
    expect(withEdit('reth.rkey=0', 'bth.psn', '+')).toBe('reth.rkey=0; bth.psn=+');
    expect([...editsIn('bth.psn = +1;RETH.rkey=0')]).toEqual([
      ['bth.psn', '+1'],
      ['reth.rkey', '0'],
    ]);
  });

  it('are judged by the packet that is chosen', () => {
    expect(groupsOf(edits, { packet: 'write' })[0]?.fields).toEqual([field]);
    expect(editFault(edits, { packet: 'write' }, 'bth.psn=+1')).toBeNull();
    expect(editFault(edits, { packet: 'write' }, 'bth.psn=16777216')).toBe(
      'bth.psn takes 0 to 16777215, not 16777216.',
    );
    expect(editFault(edits, { packet: 'send' }, 'bth.psn=1')).toContain('A SEND has no field bth.psn');
  });
});
