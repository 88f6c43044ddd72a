import { useEffect, useLayoutEffect, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Area, ComposedChart, Line, ReferenceArea, XAxis, YAxis } from 'recharts';
import { describe, expect, it } from 'vitest';
import { staticMarkup } from '../src/static/index.js';

const ROWS = [{ t: 1, a: 1 }, { t: 2 }, { t: 3, a: 10 }, { t: 4, a: 100 }];

const chart = (
  <ComposedChart width={200} height={130} data={ROWS} margin={{ top: 10, right: 0, bottom: 0, left: 0 }}>
    <XAxis dataKey="t" type="number" domain={[0, 4]} ticks={[0, 2, 4]} height={20} />
    <YAxis type="number" scale="log" domain={[1, 100]} ticks={[1, 10, 100]} width={100} />
    <ReferenceArea x1={0} x2={1} className="shade" zIndex={-200} />
    <Line dataKey="a" dot={false} isAnimationActive={false} />
    <Area
      dataKey={({ a }: (typeof ROWS)[number]) => (a === undefined ? undefined : [1, a])}
      isAnimationActive={false}
    />
  </ComposedChart>
);

describe('static markup', () => {
  const html = staticMarkup(chart);

  it('has what a chart draws only once its effects have run', () => {
    for (const tick of ['0', '2', '4', '1', '10', '100']) expect(html).toContain(`>${tick}</tspan>`);
    // A hundred pixels for four seconds and for two decades; the second value is a hole.
    expect(html).toContain('d="M125,110ZM175,60L200,10"');
    expect(html).toMatch(/recharts-area-area" d="M125,110L125,110ZM175,60L200,10L200,110L175,110Z"/);
    expect(html).toMatch(/<g class="recharts-layer recharts-reference-area shade">/);
  });

  it('is the same each time, and leaves no window behind', () => {
    const plain = (text: string): string => text.replaceAll(/recharts[\d-]+-clip|_r_\w+_/g, '');
    expect(plain(staticMarkup(chart))).toBe(plain(html));
    expect('window' in globalThis).toBe(false);
  });

  it('follows state that effects set, texts that change, and portals', () => {
    function Late() {
      const [place, setPlace] = useState<Element | null>(null);
      const [seen, setSeen] = useState('before');
      const [list, setList] = useState(['b', 'gone']);
      useLayoutEffect(() => setList(['a', 'b', 'c']), []);
      useEffect(() => setSeen('after'), []);
      return (
        <>
          <g ref={setPlace} className="place" />
          <text>{seen}</text>
          {list.map((one) => (
            <i key={one}>{one}</i>
          ))}
          {place ? createPortal(<b>{seen}</b>, place) : null}
        </>
      );
    }
    expect(staticMarkup(<Late />)).toBe(
      '<g class="place"><b>after</b></g><text>after</text><i>a</i><i>b</i><i>c</i>',
    );
  });

  it('escapes texts, and throws what a component throws', () => {
    const named = (text: string): ReactNode => <text className={text}>{text}</text>;
    expect(staticMarkup(named('<"&'))).toBe('<text class="&lt;&quot;&amp;">&lt;&quot;&amp;</text>');
    const Broken = (): ReactNode => {
      throw new Error('no such scale');
    };
    expect(() => staticMarkup(<Broken />)).toThrow('no such scale');
    expect(staticMarkup(named('x'))).toBe('<text class="x">x</text>');
  });
});
