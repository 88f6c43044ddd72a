import type { RunRecord } from '@verbslab/protocol';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { ProgramCommands } from '../src/run/program-again';
import { plain, shows } from './panels/case';
import { record } from './stream';

const program = (id: string, number: number, ...command: string[]): RunRecord =>
  record({
    ...{ id, number, lab: 'program', title: command.join(' '), state: 'done' },
    ...{ parameters: { command }, createdAt: number, endedAt: 100 },
  });
const server = program('server0000', 3, 'ib_write_bw', '-x', '1');
const client = program('client0000', 4, 'ib_write_bw', '-x', '1', '127.0.0.1');
const draw = (run: RunRecord, peers: readonly RunRecord[] = []): string =>
  renderToStaticMarkup(<ProgramCommands record={run} peers={peers} />);
const commands = (html: string): string[] =>
  [...html.matchAll(/<code[^>]*>(npx.*?)<\/code>/g)].map(([, c]) => c!);

describe('how to run a program again', () => {
  it('leads to its peer, and has the commands of both in the order of their start', () => {
    const both = ['npx verbslab exec -- ib_write_bw -x 1', 'npx verbslab exec -- ib_write_bw -x 1 127.0.0.1'];
    const html = draw(client, [server]);
    expect(html).toContain('href="/runs/view?id=server0000"');
    expect(plain(html)).toContain('Connected to run 3: ib_write_bw -x 1');
    expect(plain(html)).toContain('each in a terminal of its own, in this order:');
    expect(commands(html)).toEqual(both);
    const other = draw(server, [client]);
    expect(other).toContain('href="/runs/view?id=client0000"');
    expect(commands(other)).toEqual(both);
    expect(other).toMatch(/data-shows="exec-command".*data-shows="peer-command"/s);
  });

  it('has one command where no other program is known', () => {
    const html = draw(client);
    expect(html).not.toContain('Connected to');
    expect(plain(html)).toContain('Run it again in a terminal:');
    expect(shows(html, 'peer-command')).toEqual([]);
    expect(commands(html)).toHaveLength(1);
  });

  it('has the options that each command had', () => {
    const options = ['--recovery', 'go-back-0', '--faults', 'rate=4mbit,at=1s'];
    const with_ = { ...client, parameters: { ...client.parameters, options } };
    const again =
      'npx verbslab exec --recovery go-back-0 --faults rate=4mbit,at=1s -- ib_write_bw -x 1 127.0.0.1';
    expect(commands(draw(with_)).map((one) => one.replaceAll('&#x27;', "'"))).toEqual([again]);
    const ends = { begun: 0, exitCode: 0, signal: null };
    const joined = record({
      ...client,
      result: {
        ...{ lab: 'program', state: 'done', provider: null, device: null, endpoints: [], parameters: {} },
        ...{ transports: {}, checks: [], problems: 0, captureFile: null },
        program: {
          ...ends,
          commands: [
            { ...ends, command: ['one'], options: ['--link', 'udp'] },
            { ...ends, command: ['two'] },
          ],
        },
      },
    });
    expect(commands(draw(joined))).toEqual([
      'npx verbslab exec --link udp -- one',
      'npx verbslab exec -- two',
    ]);
  });

  it('waits for the end of the program', () => {
    expect(draw({ ...client, state: 'running', endedAt: null }, [server])).toBe('');
  });
});
