import { describe, expect, it } from 'vitest';
import { leavesFor, nameOfLink, type FollowedLink } from '../src/connection/held-navigation';

const HERE = 'http://127.0.0.1:7471/labs/bulk?p=1#form';
const link = (more: Partial<FollowedLink>): FollowedLink => ({
  ...{ href: '/runs', target: '', download: false, modified: false },
  ...more,
});

describe('a link that is clicked while the agent is gone', () => {
  it('waits when it leads to another page of the dashboard', () => {
    expect(leavesFor(link({}), HERE)).toBe('/runs');
    expect(leavesFor(link({ href: 'http://127.0.0.1:7471/runs/view?run=7#p' }), HERE)).toBe(
      '/runs/view?run=7#p',
    );
    expect(leavesFor(link({ href: '/labs/bulk?p=2', target: '_self' }), HERE)).toBe('/labs/bulk?p=2');
  });

  it('is left to the browser when this page stays', () => {
    for (const more of [
      { href: '#figures' },
      { href: '/labs/bulk?p=1#top' },
      { href: 'https://example.org/' },
      { href: 'http://127.0.0.1:7472/runs' },
      { href: 'mailto:a@b' },
      { href: '/api/runs/abc/export/csv' },
      { target: '_blank' },
      { download: true },
      { modified: true },
    ])
      expect(leavesFor(link(more), HERE), JSON.stringify(more)).toBeNull();
  });

  it('is named in one line', () => {
    expect(nameOfLink('  Runs\n  12 ')).toBe('Runs 12');
    expect(nameOfLink('x'.repeat(60))).toHaveLength(40);
  });
});
