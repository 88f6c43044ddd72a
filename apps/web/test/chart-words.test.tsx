/** Words that stand outside of a plot: in it they would lie on the curves. */
import type { LatencyCurve } from '@verbslab/charts/data';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { LatencyKey } from '../src/parts/charts/latency-key';
import { plain } from './panels/case';

describe('the key of a latency histogram', () => {
  const curve: LatencyCurve = {
    ...{ transport: 'tcp', share: [], total: 1500, min: 1e5, max: 7e6 },
    ...{ p50: 379_000, p99: 2_950_000, p999: null },
  };
  const key = (one: LatencyCurve, name = 'TCP') =>
    renderToStaticMarkup(
      <LatencyKey curve={one} look={{ name, line: 'black', ink: 'black', dash: undefined }} />,
    );

  it('stands outside of the plot: what is counted, and each percentile with its line', () => {
    const html = key({ ...curve, p999: 5_490_000 });
    expect(plain(html)).toMatch(/% of TCP messages \(n = 1,500\).*p50 379 µs.*p99 2\.95 ms.*p99\.9 5\.49 ms/);
    expect(html.match(/<path/g)).toHaveLength(3);
  });

  it('names the transport where several count alike', () => {
    const html = key({ ...curve, transport: 'shm' }, 'RDMA/shm');
    expect(plain(html)).toMatch(/^% of RDMA\/shm requests \(n = 1,500\)/);
  });

  it('has no line for a percentile that is withheld', () => {
    const html = key(curve);
    expect(plain(html)).toContain('p99.9 needs n ≥ 10,000');
    expect(html.match(/<path/g)).toHaveLength(2);
  });
});
