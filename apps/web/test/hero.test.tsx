import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Hero } from '../src/home/hero';
import { LOSABLE, lostSample, sample } from '../src/model/picture/sample';
import { stagesOf } from '../src/model/picture/stages-of';

const write = await sample('write');

describe('the picture of the home page', () => {
  it('has its size and its words before any code has run', () => {
    const html = renderToStaticMarkup(<Hero write={write} />);
    expect(html).toMatch(/--tall:[\d.]+rem;--wide:[\d.]+rem/);
    expect(html).toContain('Packets out');
    expect(html).toContain('Press a packet on the wire to lose it.');
    expect(html).toContain('data-shows="picture-source"');
  });

  it('has for each of its packets a recording in which that packet was lost', async () => {
    const labels = write.events.flatMap((e) => (e.kind === 'packet' ? [e.label] : []));
    expect([...labels].sort()).toEqual([...LOSABLE].sort());
    for (const which of LOSABLE) {
      const lost = await lostSample(which);
      const gone = lost.events.flatMap((e) => (e.kind === 'packet' && e.lost ? [e.label] : []));
      const names = stagesOf(lost).map(({ name }) => name);
      expect(gone).toEqual([which]);
      expect(names).toContain(`${which} lost`);
    }
  });
});
