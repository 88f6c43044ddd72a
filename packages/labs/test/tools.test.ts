/** The programs of the distribution as data, and what reaches their command lines. */
import { AppError } from '@verbslab/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findTool,
  unusedField,
  isSafeWord,
  TOOL_GROUPS,
  TOOL_PACKAGES,
  TOOLS,
  type Tool,
} from '../src/tools/catalog.js';

const place = { address: '127.0.0.1' };

interface Property {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  minimum?: number;
  maximum?: number;
}
const properties = (tool: Tool): Record<string, Property> =>
  (tool.params.properties ?? {}) as Record<string, Property>;

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s', (_, tool) => {
  it('says what it shows, and what each field means, allows and defaults to', () => {
    expect(tool.summary).toMatch(/^[A-Z].*\.$/);
    expect(tool.shows).toMatch(/\.$/);
    expect(TOOL_PACKAGES).toContain(tool.package);
    expect(Object.keys(tool.flags).sort()).toEqual(Object.keys(properties(tool)).sort());
    for (const property of Object.values(properties(tool))) {
      expect(property.title).toMatch(/^[A-Z]/);
      expect(property.description).toMatch(/\.$/);
      expect(property.default).toBeDefined();
      // No field takes text.
      expect(['integer', 'boolean']).toContain(property.enum ? 'integer' : property.type);
      if (property.type === 'integer') expect(property.minimum! < property.maximum!).toBe(true);
    }
  });

  it('makes its commands from its defaults, the server first', () => {
    const commands = tool.commands(tool.parse({}), place);
    expect(commands.map(({ role }) => role)).toEqual(tool.roles.map(({ name }) => name));
    // The last command is not waited for; those before it say when they can be reached.
    expect(commands.map(({ ready }) => ready !== undefined)).toEqual(
      commands.map((_, index) => index < commands.length - 1),
    );
  });

  it('gives each flag of a number or choice its value, and has no flag without a field', () => {
    const switches = Object.entries(properties(tool)).flatMap(([name, { type }]) =>
      type === 'boolean' ? [tool.flags[name]!] : [],
    );
    const valued = Object.entries(properties(tool)).flatMap(([name, { type }]) =>
      type === 'boolean' || !/^--?[\w-]+$/.test(tool.flags[name]!) ? [] : [tool.flags[name]!],
    );
    for (const { command } of tool.commands(tool.parse({}), place))
      command.forEach((word, i) => {
        if (valued.includes(word) && !switches.includes(word))
          expect([word, command[i + 1]]).toEqual([word, expect.stringMatching(/^[^-]/)]);
        else if (/^-[tqlc]$/.test(word) && tool.package === 'perftest')
          expect([...valued, ...switches]).toContain(word);
      });
  });

  it('lets nothing but its own flags and checked values reach the command line', () => {
    const nasty = fc.oneof(
      fc.constantFrom(
        '-o',
        '--out_json_file=/tmp/x',
        '\0',
        '1\n2',
        '$(reboot)',
        '; rm',
        'é',
        '1e3',
        '0x10',
        ' 7 ',
      ),
      fc.constantFrom(-1, 1.5, NaN, Infinity, 2 ** 53, null, true, [], {}, ['-o']),
      fc.string({ maxLength: 500 }),
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.integer(),
      fc.jsonValue(),
    );
    const names = [...Object.keys(properties(tool)), '__proto__', 'command', '-o'];
    const known = new Set(tool.commands(tool.parse({}), place).flatMap(({ command }) => command.slice(1)));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), nasty, { maxKeys: 4 }), (input) => {
        let values;
        try {
          values = tool.parse(input);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect(['BAD_PARAM', 'UNKNOWN_FIELD']).toContain((error as AppError).info.code);
          return;
        }
        for (const { program, command } of tool.commands(values, place)) {
          const own = command.slice(command.indexOf(program) + 1);
          expect(
            command.slice(0, command.indexOf(program)).every((word) => ['stdbuf', '-oL'].includes(word)),
          ).toBe(true);
          for (const word of own) expect(isSafeWord(word)).toBe(true);
          const flags = own.filter((word) => word.startsWith('-'));
          const declared = Object.values(tool.flags).join(' ');
          for (const word of flags) expect(known.has(word) || declared.includes(word)).toBe(true);
          expect(own.join(' ').length).toBeLessThan(300);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('offers inline data for no READ, which sends none', () => {
    expect('inline' in properties(tool) && tool.name.startsWith('ib_read')).toBe(false);
  });

  it('refuses what is out of range, with the range', () => {
    for (const [name, { type, minimum, maximum }] of Object.entries(properties(tool))) {
      if (type !== 'integer') continue;
      for (const value of [minimum! - 1, maximum! + 1])
        expect(() => tool.parse({ [name]: value })).toThrow(/below the minimum|above the maximum/);
      for (const value of [minimum!, maximum!]) {
        // Rules between fields may still refuse it.
        const rest = name === 'postList' ? { txDepth: 1024 } : {};
        expect(tool.parse({ [name]: value, ...rest })).toMatchObject({ [name]: value });
      }
    }
  });
});

describe('the list', () => {
  it('has each name once and finds a tool by any of its programs', () => {
    expect(new Set(TOOLS.map(({ name }) => name)).size).toBe(TOOLS.length);
    expect(TOOL_GROUPS.every(({ tools }) => tools.length > 0)).toBe(true);
    expect(findTool('rdma_client')?.name).toBe('rdma_server');
    expect(findTool('bash')).toBeUndefined();
  });

  it('gives perftest the words that a person would type', () => {
    const tool = findTool('ib_write_bw')!;
    const [server, client] = tool.commands(
      tool.parse({ size: '4 KiB', mode: 'duration', bidirectional: true }),
      place,
    );
    expect(server!.command.join(' ')).toBe(
      'ib_write_bw -F -s 4096 -D 2 -c RC -m 4096 -x 1 -t 128 -b -p 18515',
    );
    expect(client!.command.slice(server!.command.length)).toEqual(['127.0.0.1']);
    expect(server!.ready).toEqual({ kind: 'tcp', port: 18515 });
  });

  it('takes only words that cannot be read as anything else', () => {
    for (const word of [
      '',
      '-',
      '--',
      '-oL',
      'a b',
      '$HOME',
      '-1',
      '01',
      '1.5',
      '../x',
      'bash',
      '-x=1',
      '1\n',
      '127.0.0.1;',
    ])
      expect(isSafeWord(word)).toBe(false);
  });
});

describe('a field without effect', () => {
  const unused = (name: string, given: Record<string, unknown>) => {
    const tool = findTool(name)!;
    return unusedField(tool, Object.keys(given), tool.parse(given));
  };

  it('is found, with the setting that it needs', () => {
    expect(unused('ib_write_bw', { duration: 4 })).toEqual({
      field: 'duration',
      needs: { field: 'mode', value: 'duration' },
    });
    expect(unused('ib_write_bw', { duration: 2 })).toMatchObject({ field: 'duration' });
    expect(unused('ib_read_lat', { mode: 'duration', iterations: 7 })).toEqual({
      field: 'iterations',
      needs: { field: 'mode', value: 'iterations' },
    });
    expect(unused('ib_send_bw', { mode: 'all-sizes', size: 64 })).toMatchObject({ field: 'size' });
  });

  it.each([
    ['ib_write_bw', { mode: 'duration', duration: 4, size: 8, queuePairs: 1 }],
    ['ibv_asyncwatch', { seconds: 3 }],
    ['ibv_rc_pingpong', { iterations: 10, events: true }],
  ])('is none in %s %j', (name, given) => {
    expect(unused(name, given)).toBeNull();
  });
});
