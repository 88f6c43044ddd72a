import { PROGRAM_VIEW, type RunEventOf, type RunRecord } from '@verbslab/protocol';
import { plainText } from '@verbslab/report/failure';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { RunSession } from '../src/connection/run-sessions';
import type { RunView } from '../src/connection/run-view';
import { RunModel } from '../src/model/run-model';
import OutputPanel from '../src/parts/run/output';
import { record, Stream } from './stream';

type Part = Pick<RunEventOf<'output'>, 'stream' | 'text' | 't'> & { leftOut?: number };

function model(parts: Part[], change: Partial<RunRecord> = {}): RunModel {
  const run = new RunModel(record({ lab: 'program', state: 'done', ...change }));
  const s = new Stream();
  for (const part of parts) run.event(s.event({ kind: 'output', bytes: part.text.length, ...part }));
  return run;
}
const draw = (run: RunModel) =>
  renderToStaticMarkup(
    <OutputPanel
      view={{ model: run } as RunView}
      session={{} as RunSession}
      lab={PROGRAM_VIEW}
      table={false}
    />,
  );

describe('the output of a program', () => {
  it('is shown by time, with the stream named where it is stderr', () => {
    const run = model([
      { stream: 'stdout', text: 'one\n', t: 1e6 },
      { stream: 'stdout', text: 'three\n', t: 3e6 },
      { stream: 'stderr', text: 'two <b>\n', t: 2e6 },
    ]);
    expect(run.output.text).toBe('one\ntwo <b>\nthree\n');
    const html = draw(run);
    expect(html).toContain('two &lt;b&gt;');
    expect(html.match(/>stderr</g)).toHaveLength(1);
    expect(html).toContain('10\u00a0B of stdout, 8\u00a0B of stderr.');
  });

  it('says how much was left out, where it was', () => {
    const run = model([
      { stream: 'stdout', text: 'first', t: 1 },
      { stream: 'stdout', text: 'last', t: 2, leftOut: 2 ** 20 },
    ]);
    expect(draw(run)).toMatch(/first.*1\u00a0MiB of stdout left out here.*last/s);
    // The sum covers what was left out too.
    expect(run.output.bytes('stdout')).toBe(2 ** 20 + 'firstlast'.length);
    expect(run.output.text).toBe('first\n[1048576 bytes left out]\nlast');
  });

  it('names the streams of every command that go to a terminal, while the run is in progress', () => {
    const run = new RunModel(
      record({ lab: 'program', state: 'running', parameters: { terminal: ['stdout'] } }),
    );
    const s = new Stream();
    const begin = (index: number, terminal?: ('stdout' | 'stderr')[]) =>
      run.event(
        s.event({
          ...{ kind: 'command', phase: 'begin', index, command: ['ib_write_bw'], t: index },
          ...(terminal ? { terminal } : {}),
        }),
      );
    begin(0);
    begin(1, ['stdout', 'stderr']);
    expect(draw(run)).toContain('stdout of command 1, stdout and stderr of command 2 go to a terminal');
  });

  it('says that perftest’s latency is another one than that of the page', () => {
    const perftest = ' #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]\n';
    expect(draw(model([{ stream: 'stdout', text: perftest, t: 1 }]))).toContain('half of a round trip');
    expect(draw(model([{ stream: 'stdout', text: 'done', t: 1 }]))).not.toContain('half of a round trip');
  });

  it('joins what came in pieces of a line', () => {
    const run = model([
      { stream: 'stdout', text: 'half ', t: 1 },
      { stream: 'stdout', text: 'line\n', t: 5e9 },
    ]);
    expect(run.output.blocks).toMatchObject([{ t: 1, text: 'half line\n' }]);
  });

  it('shows what a terminal would: no escape sequences, the last state of a line', () => {
    expect(plainText('\u001b[1;31mred\u001b[0m\u001b]0;title\u0007 \u0000x')).toBe('red x');
    expect(plainText('10 %\r50 %\r100 %\r\nnext\n')).toBe('100 %\nnext\n');
  });

  it('says what perftest’s MB/sec are beside the Gb/s of the page', () => {
    const heading = ' #bytes #iterations BW peak[%]   BW average[%]   MsgRate[Mpps]\n';
    const printed = (unit: string) =>
      draw(model([{ stream: 'stdout', text: heading.replaceAll('%', unit), t: 1 }]));
    expect(printed('MB/sec')).toContain('1 Gb/s is 119.2 MB/sec');
    expect(printed('Gb/sec')).not.toContain('119.2');
  });

  it('says why there is none', () => {
    expect(draw(model([], { state: 'running' }))).toContain('What the program prints appears here.');
    expect(draw(model([]))).toContain('did not record output');
    const terminal = { parameters: { command: ['x'], terminal: ['stdout', 'stderr'] } };
    expect(draw(model([], terminal))).toMatch(/stdout and stderr went to a terminal .* --keep-output/);
  });

  it('explains the lines of a program that is known, once each, with their arithmetic, and leaves others plain', () => {
    const row =
      ' #bytes #iterations BW peak[MB/sec] BW average[MB/sec] MsgRate[Mpps]\n 65536 1000 4000.00 3488.29 0.055813\n';
    const work = {
      ...{ processes: 1, devices: ['uroce0'], peers: [], bytes: 65_536_000, messages: 1000 },
      ...{ timedFrom: 'post', seconds: 0.018, latencyUs: null, sampled: false },
    } as unknown as NonNullable<NonNullable<RunRecord['result']>['program']>['work'];
    const of = (command: string[]) =>
      draw(
        model([{ stream: 'stdout', text: `no line of it\n${row}${row}`.slice(0, -row.length), t: 1 }], {
          parameters: { command },
          result: { program: { exitCode: 0, signal: null, work } } as unknown as NonNullable<
            RunRecord['result']
          >,
        }),
      );
    const html = of(['/usr/bin/ib_write_bw']);
    expect(html).toContain('Average 29.3 Gb/s: 55813 messages of 65536 B per second.');
    expect(html).toContain(
      'The program’s average is 29.3 Gb/s. This run’s records say 29.1 Gb/s, from the first post',
    );
    expect(html.match(/data-explained/g)).toHaveLength(2);
    expect(html).toMatch(/<pre[^>]*>no line of it<\/pre><\/div>/);
    expect(of(['./mine'])).not.toContain('data-explained');
  });
});
