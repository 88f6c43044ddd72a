import { PROGRAM_LAB, PROVIDER_CLASSES, type Simulation } from '@verbslab/protocol';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COLORS } from '../src/html/style.js';
import { reportHtml } from '../src/html/report.js';
import type { ReportSource } from '../src/content/source.js';
import { DONE } from '../../../apps/web/test/simulated.js';
import { bulk, measurements, note, requests, result, run, source } from './source.js';
import { all, named, textOf, treeOf, type Element } from './tree.js';

/** Elements that a report may contain. None of them fetches or runs anything. */
const ELEMENTS = new Set(
  `html head meta title style body main header footer section article div span p h1 h2 h3 h4 strong em code pre br hr a
   ul ol li dl dt dd blockquote table thead tbody tr th td figure details summary
   svg desc defs clipPath pattern g path rect line text tspan`
    .trim()
    .split(/\s+/),
);
const ATTRIBUTES =
  /^(class|title|scope|role|tabindex|aria-[a-z]+|lang|charset|http-equiv|name|content|href|rel)$/;
const DRAWING =
  /^(viewBox|x[12]?|y[12]?|width|height|d|radius|angle|orientation|transform|text-anchor|textLength|lengthAdjust|id|tabindex|fill|fill-opacity|stroke|stroke-(width|opacity|dasharray)|pattern(Units|Transform)|style|data-[a-z-]+|class|role|aria-[a-z]+)$/;
const DRAWN = new Set([
  'svg',
  'desc',
  'defs',
  'clipPath',
  'pattern',
  'g',
  'path',
  'rect',
  'line',
  'text',
  'tspan',
]);
/** The place of a chart: recharts states its size. */
const PLACE = { class: 'recharts-wrapper', width: '720', height: /^(2[16]0|86)$/ };
/** References within the same chart. */
const REFERENCE = /^url\(#[\w-]+\)$/;

/** Fails on anything that could fetch, run or break out. */
function checked(html: string): Element {
  const tree = treeOf(html);
  for (const { name, attributes } of all(tree)) {
    expect(ELEMENTS, name).toContain(name);
    const place = name === 'div' && attributes.class === PLACE.class;
    if (place) {
      expect(attributes.width).toBe(PLACE.width);
      expect(attributes.height).toMatch(PLACE.height);
      expect(attributes.style).toMatch(/^position:relative;cursor:default;width:720px;height:(2[16]0|86)px$/);
    }
    for (const [key, value] of Object.entries(attributes)) {
      if (!place) expect(key).toMatch(DRAWN.has(name) ? DRAWING : ATTRIBUTES);
      if (/url|@|script|expression/i.test(value) && /^(fill|stroke|style)$/.test(key))
        expect(value).toMatch(REFERENCE);
      if (key === 'href') expect(value).toMatch(/^https?:\/\//);
      if (DRAWN.has(name)) expect(value).not.toMatch(/NaN|undefined|Infinity/);
    }
  }
  const ids = all(tree).flatMap(({ attributes }) => attributes.id ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  expect(named(tree, 'style')).toHaveLength(1);
  expect(textOf(named(tree, 'style')[0]!)).not.toMatch(/url\(|@import|</);
  expect(textOf(named(tree, 'body')[0]!)).not.toMatch(/NaN|undefined|\[object|Infinity/);
  return tree;
}

/** Colors of the marks of all charts, by the value of `of`. */
const drawnIn = (tree: Element, of: string, color = 'stroke'): Record<string, string> =>
  Object.fromEntries(
    all(tree).flatMap(({ attributes }) =>
      attributes[of] === undefined || attributes.d === '' ? [] : [[attributes[of], attributes[color]!]],
    ),
  );

const reported = (more: Partial<ReportSource> = {}): Element => checked(reportHtml(source(more)));

/** A run with hostile text in every place that others can choose. */
const hostile = (text: string): Partial<ReportSource> => ({
  run: run({
    title: text,
    lab: text,
    tags: [text],
    parameters: { [text]: text, list: [text] },
    error: { code: 'INTERNAL', message: text, cure: text, detail: {} } as never,
    state: 'failed',
    result: result({
      device: text,
      answer: text,
      notes: [{ text }, { text, caveat: true }],
      checks: [{ id: text, ok: false, detail: text }],
      endpoints: [
        {
          role: text,
          host: text,
          device: text,
          providerClass: 'kernel',
          system: { hostname: text, cpu: text, cpus: 1, kernel: text, verbslab: text },
        },
      ],
      results: {
        figures: { [`f${text}`]: { value: 1 } },
        tables: { [`t${text}`]: [{ [`c${text}`]: text }] },
        curves: { [`x${text}`]: [{ x: 1, y: 2, series: text }] },
        predicted: {},
      } as never,
    }),
  }),
  lab: null,
  notes: [note(text, { tags: [text], moment: { t: 1, selection: { qp: { endpoint: text, qpn: 1 } } } })],
});

const ATTACKS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style></title><script>alert(1)</script>',
  '<!-- --><![CDATA[ ]]>&lt;&amp;&#60;',
  '[x](javascript:alert(1)) [y](data:text/html,x) <https://a"b> ![p](https://example.org/p.png)',
  '<svg onload=alert(1)><a href="javascript:alert(1)">x</a></svg>',
  '`${alert(1)}` {{alert(1)}}',
];

describe('the HTML report', () => {
  it('draws the one simulation of a run over virtual time, and lists several', () => {
    const headings = (simulations: Simulation[]) =>
      all(reported({ simulations }))
        .filter(({ name }) => name === 'h3')
        .map(textOf);
    const curves = ['Queues of switches', 'Payload received, what came again included'];
    expect(headings([DONE])).toEqual(expect.arrayContaining(curves));
    expect(headings([DONE])).not.toContain('Each simulation');
    const several = [DONE, { ...DONE, title: 'Cut off', result: null }];
    expect(headings(several)).toContain('Each simulation');
    expect(headings(several)).not.toContain(curves[0]);
    const rows = all(reported({ simulations: several })).filter(({ name }) => name === 'tr');
    const cells = rows.map((row) =>
      all(row)
        .filter(({ name }) => /^t[hd]$/.test(name))
        .map(textOf),
    );
    expect(cells).toContainEqual(['All at once', '40', '95.5', '500,000\u00a0B', '3', '0', '0', '0', '0']);
    expect(cells.find(([title]) => title === 'Cut off')!.slice(1)).toEqual(Array(8).fill('–'));
  });

  it('has its parts in reading order', () => {
    const tree = reported();
    const headings = all(tree).filter(({ name }) => /^h[1-4]$/.test(name));
    expect(headings.map((one) => `${one.name} ${textOf(one)}`)).toEqual([
      `h1 ${bulk.question}`,
      'h2 Results',
      'h3 Transports',
      'h3 Goodput over run time',
      'h3 CPU over run time',
      'h3 CPU seconds per GB',
      'h3 Latency',
      'h2 What the figures mean',
      'h2 Checks',
      'h2 Parameters',
      'h2 Environment',
      'h2 Notes',
      'h3 2026-11-26 08:01:00 UTC, at 1.50 s, packet 7, QP 0x000011 of client, peer',
      'h4 Seen',
    ]);
    const text = textOf(named(tree, 'body')[0]!);
    for (const part of [
      'TCP moved 20.0 Gb/s',
      'Both ends share two cores.',
      'Xeon 6',
      '6.18.1',
      'vm1',
      '#rnr',
    ])
      expect(text).toContain(part);
    expect(named(tree, 'a').map(({ attributes }) => attributes.href)).toEqual(['https://example.org/rnr']);
  });

  it('draws goodput, CPU and latency, with the provider class at each', () => {
    const tree = reported();
    const labels = named(tree, 'svg').flatMap(({ attributes }) => attributes['aria-label'] ?? []);
    expect(labels).toEqual([
      ...['Goodput over run time', 'CPU over run time', 'CPU seconds per GB', 'Latency of RDMA/UDP'],
    ]);
    const blocks = all(tree).filter(({ attributes }) => attributes.class === 'block');
    for (const one of blocks)
      expect(all(one).some(({ attributes }) => attributes.class === 'badge user-space')).toBe(true);
    expect(drawnIn(tree, 'data-line')).toEqual({ rdma: 'var(--rdma)', tcp: 'var(--tcp)' });
    expect(drawnIn(tree, 'data-histogram')).toEqual({ rdma: 'var(--rdma)' });
    expect(drawnIn(tree, 'data-percentile')).toEqual({ p50: 'var(--rdma)' });
    expect(drawnIn(tree, 'data-layer', 'fill')).toMatchObject({
      'rdma app': 'var(--cpu-app)',
      'tcp kernel': 'var(--cpu-kernel)',
    });
    expect(drawnIn(tree, 'data-start-up', 'fill')).toEqual({
      ground: 'var(--startup)',
      veils: 'var(--startup)',
    });
    // The overlong sample is a separate bar, hatched by a pattern in the same chart.
    const hatched = Object.values(drawnIn(tree, 'data-hole', 'fill'));
    const patterns = named(tree, 'pattern').map(({ attributes }) => `url(#${attributes.id})`);
    expect(hatched).toHaveLength(1);
    expect(patterns).toContain(hatched[0]);
    expect(textOf(tree)).toContain('0.80 to 2.00, one sample');
  });

  it('marks each check as passed, failed or not applying', () => {
    const items = named(reported(), 'li').filter(({ attributes }) => attributes.class !== undefined);
    expect(items.map(({ attributes }) => attributes.class)).toEqual(['passed', 'failed', 'skipped']);
  });

  it.each(ATTACKS)('shows hostile text as text: %s', (text) => {
    const tree = reported(hostile(text));
    expect(named(tree, 'h1').map(textOf)).toEqual([text]);
    expect(textOf(tree)).toContain(`#${text}`);
  });

  it('stays well-formed whatever the texts are', () => {
    const piece = fc.oneof(
      fc.constantFrom('<', '>', '&', '"', "'", '`', '|', '\\', '\n', '--', ']]>', '</', '[', '](', '!['),
      fc.string({ maxLength: 5 }),
    );
    const anyText = fc
      .array(piece, { minLength: 1, maxLength: 12 })
      .map((pieces) => pieces.join(''))
      .filter((text) => !Object.hasOwn(Object.prototype, text));
    fc.assert(
      fc.property(anyText, (text) => void reported(hostile(text))),
      { numRuns: 25 },
    );
  });

  it('says what is missing rather than leave it out', () => {
    const failed = reported({
      run: run({ state: 'failed', result: null }),
      measured: new (measurements().constructor as new () => ReportSource['measured'])(),
      notes: [],
    });
    expect(named(failed, 'h2').map(textOf)).toEqual(['Errors and misuse', 'Parameters']);
    const old = reported({
      run: run({ result: result({ endpoints: undefined }) }),
    });
    expect(textOf(old)).toContain('runhereuroce0user-space softwarenot recorded');
  });

  it('shows how long the requests of a program took, as its page does', () => {
    const tree = reported({
      ...{ lab: null, notes: [], requests: requests() },
      run: run({ lab: PROGRAM_LAB, title: './app', result: result({ transports: {} }) }),
    });
    const text = textOf(tree);
    expect(text).toContain('Latency of requests');
    expect(text).toContain('n = 2,050, p50 20.3 µs');
    expect(text).toContain('RDMA_WRITE2,00020.0');
    expect(text).toContain('RDMA_READ5050.0not enough samples');
    const charts = all(tree)
      .filter(({ name }) => name === 'svg')
      .map(({ attributes }) => attributes['aria-label'] ?? '');
    expect(charts.join('; ')).toContain('Percentiles of latency over run time');
    expect(textOf(reported({ lab: null, run: run({ lab: PROGRAM_LAB }) }))).not.toContain(
      'Latency of requests',
    );
  });

  it('shows a program with its command, its machine and its link', () => {
    const { system } = result().endpoints![0]!;
    const work = {
      ...{ processes: 1, device: 'uroce0', messages: 2000, bytes: 131_072_000, seconds: 0.1 },
      ...{ latencyUs: null, sampled: false, peers: ['127.0.0.1'], peerCount: 1 },
    };
    const program = { exitCode: 0, signal: null, work, system: system! };
    const tree = reported({
      lab: null,
      run: run({
        lab: PROGRAM_LAB,
        title: 'ib_write_bw -n 2000',
        parameters: { command: ['ib_write_bw', '-n', '2000'] },
        result: result({ endpoints: undefined, links: ['shm'], transports: {}, program } as never),
      }),
    });
    const text = textOf(tree);
    for (const part of ['ib_write_bw -n 2000', 'exit code 0', 'programadauroce0', 'RDMA over shared memory'])
      expect(text).toContain(part);
    expect(drawnIn(tree, 'data-line')).toMatchObject({ rdma: 'var(--shm)' });
    expect(text).toContain('CPU of its processes, cores');
  });

  it('has the colors of the dashboard', () => {
    const css = readFileSync(new URL('../../../apps/web/src/styles/tokens.css', import.meta.url), 'utf8');
    const tokens = (selector: string): Map<string, string> =>
      new Map(
        [
          ...new RegExp(`\\${selector} \\{([^}]*)\\}`)
            .exec(css)![1]!
            .matchAll(/--([\w-]+): (oklch\([^)]*\))/g),
        ].map(([, name, value]) => [name!, value!]),
      );
    for (const [i, selector] of [':root', '.dark'].entries()) {
      const there = tokens(selector);
      for (const [name, pair] of Object.entries(COLORS))
        expect([name, pair[i]]).toEqual([name, there.get(name)]);
    }
  });

  it('has a pattern for each provider class', () => {
    for (const provider of PROVIDER_CLASSES) {
      const tree = reported({ run: run({ result: result({ provider, endpoints: [] }) }) });
      expect(all(tree).filter(({ attributes }) => attributes.class === `badge ${provider}`)).not.toHaveLength(
        0,
      );
    }
  });
});
