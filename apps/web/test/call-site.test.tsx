import type { CallPlace } from '@verbslab/protocol';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { CallSite } from '../src/run/standing/call-site';

const SOURCE = Array.from({ length: 12 }, (_, i) => `call_${i + 1}();`).join('\n');
const place = (line: number | null): CallPlace => ({
  ...{ function: 'main', object: '/tmp/work/main', offset: '0x10', file: '/tmp/work/main.c', line },
});
const drawn = (files: Record<string, string>, parameters: object, line: number | null = 6): string =>
  renderToStaticMarkup(
    <CallSite
      places={[{ what: 'The request was posted by', place: place(line) }]}
      files={new Map(Object.entries(files))}
      record={{ parameters } as never}
    />,
  );

it('lights the call in the file that is recorded with the run', () => {
  const html = drawn({ 'main.c': SOURCE }, { workbench: { task: 'set-up', language: 'c' } });
  expect(html).toContain('main, main.c:6');
  expect([...html.matchAll(/data-line="(\d+)"/g)].map(([, n]) => Number(n))).toEqual([3, 4, 5, 6, 7, 8, 9]);
  expect(html).toMatch(/data-line="6" data-lit="true"[^>]*>.*<mark[^>]*>call_6\(\);<\/mark>/);
  expect(html).not.toContain('not recorded');
});

it('says why there are no lines: no file, or no debug information', () => {
  expect(drawn({}, {})).toContain('The source is not recorded');
  expect(drawn({}, {}, null)).toContain('compile the program with -g');
});
