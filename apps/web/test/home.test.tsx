import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Doors, EXEC, LEARN, MEASURE } from '../src/home/doors';
import { CATALOGUE } from '../src/labs/catalogue';

describe('the doors of the home page', () => {
  const html = renderToStaticMarkup(<Doors labs={CATALOGUE} />);

  it.each([LEARN, MEASURE])('one leads to the lab %s, which exists', (id) => {
    expect(CATALOGUE.map((lab) => lab.id)).toContain(id);
    expect(html).toContain(`href="/labs/${id}"`);
  });

  it.each([LEARN, MEASURE])('one has the title of the lab %s, as the list of its runs does', (own) => {
    expect(html).toContain(`</span>${CATALOGUE.find(({ id }) => id === own)!.title}</h2>`);
  });

  it('say how often Next is pressed, as the lab declares it', () => {
    const steps = CATALOGUE.find(({ id }) => id === LEARN)?.steps;
    expect(html).toContain(`button ${steps?.length} times`);
  });

  it('give the command for a program, with a button to copy it', () => {
    expect(html).toContain(EXEC);
    expect(html).toContain('aria-label="Copy the command"');
  });
});
