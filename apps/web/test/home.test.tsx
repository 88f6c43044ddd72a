import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Doors, EXEC, LEARN, MEASURE } from '../src/home/doors';
import { Starters, STARTERS } from '../src/home/starters';
import { CATALOG } from '../src/labs/catalog';

describe('the doors of the home page', () => {
  const html = renderToStaticMarkup(<Doors />);

  it('lead to the guided WRITE, and to a lab that exists', () => {
    expect(html).toContain(`href="${LEARN}"`);
    expect(html).toContain(`href="${MEASURE}"`);
    expect(CATALOG.map(({ id }) => `/labs/${id}`)).toContain(MEASURE);
  });

  it('give the command for a program, with a button to copy it', () => {
    expect(html).toContain(EXEC);
    expect(html).toContain('aria-label="Copy the command"');
  });
});

describe('the labs to begin with', () => {
  it('exist, in their order, each with a reason', () => {
    const labs = CATALOG.map((lab) => ({ ...lab, why: `Because of ${lab.id}.` }));
    const html = renderToStaticMarkup(<Starters labs={labs} />);
    const found = [...html.matchAll(/href="\/labs\/([\w-]+)"/g)].map(([, id]) => id);
    expect(found).toEqual([...STARTERS]);
    for (const id of STARTERS) expect(html).toContain(`Because of ${id}.`);
  });
});
