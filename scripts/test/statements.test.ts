// The sentences that labs, explanations, errors, counters and docs say: all are found, each with its place and a way to
// check it, and the names of our own in them exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { program } from '../../apps/agent/src/cli/main.js';
import { allStatements, codeOf, ROOT } from '../../e2e/audit/said/collect.js';
import { commandsIn } from '../../e2e/audit/said/commands.js';
import { drawn } from '../../e2e/audit/said/draw.js';
import { markdownSentences } from '../../e2e/audit/said/markdown-sentences.js';
import { namesIn, OWN_PATH, OWN_VARIABLE, Places } from '../../e2e/audit/said/names.js';
import { cSentences, typescriptSentences } from '../../e2e/audit/said/source-sentences.js';
import { placeOf, SAYERS, type Statement } from '../../e2e/audit/said/statement.js';
import { waysTo } from '../../e2e/audit/said/ways.js';

const all = allStatements();
const code = [...codeOf()];
const places = new Places(code);
const linesOf = new Map<string, string[]>();
const lineAt = (file: string, line: number): string => {
  if (!linesOf.has(file)) linesOf.set(file, readFileSync(join(ROOT, file), 'utf8').split('\n'));
  return linesOf.get(file)![line - 1] ?? '';
};
const told = (list: readonly Statement[], what: (one: Statement) => string[]): string[] =>
  list.flatMap((one) => what(one).map((wrong) => `${placeOf(one)}: ${wrong} in “${one.text}”`));

describe('sentences are found', () => {
  it('in Markdown: by paragraph, item and row, without code, with the line on which each begins', () => {
    const text = [
      '## Head',
      '',
      'The first has two lines and',
      'ends here. The second costs 4.3 µs, e.g. 5 of them.',
      '```sh',
      'no sentence in here at all',
      '```',
      '- An item that says something.',
      '| a cell of a row | and another one |',
      '| --- | --- |',
      '## Traps',
      '- “This one is wrong in fact.” And here is why.',
    ].join('\n');
    expect(markdownSentences('doc', 'a.md', text).map((one) => [one.line, one.about, one.text])).toEqual([
      [3, 'Head', 'The first has two lines and ends here.'],
      [4, 'Head', 'The second costs 4.3 µs, e.g. 5 of them.'],
      [8, 'Head', 'An item that says something.'],
      [9, 'Head', 'a cell of a row | and another one'],
      [12, 'Traps', '“This one is wrong in fact.” And here is why.'],
    ]);
  });

  it('in TypeScript: strings, templates and text of elements, with what they are about', () => {
    const source = [
      "import './no/sentence/in/an/import at all.js';",
      "const MEANING = { acks: 'Packets that acknowledge. They carry no data of their own.' };",
      'const text = `There are ${n} of them in all.`;',
      'const page = <p>The page says {count} of them.</p>;',
      "const short = 'two words';",
      "const named = { label: 'A label with as many words' };",
    ].join('\n');
    expect(typescriptSentences('lab', 'a.tsx', source).map((one) => [one.line, one.about, one.text])).toEqual(
      [
        [2, 'MEANING acks', 'They carry no data of their own.'],
        [3, 'text', 'There are {n} of them in all.'],
        [4, 'page', 'The page says {count} of them.'],
      ],
    );
  });

  it('in C++: adjacent literals are one', () => {
    const source = 'f(x,\n  "The call was refused, "\n  "because the queue is full.");';
    expect(cSentences('error', 'a.cc', source)).toEqual([
      {
        by: 'error',
        text: 'The call was refused, because the queue is full.',
        about: '',
        file: 'a.cc',
        line: 2,
      },
    ]);
  });

  it('by each that says something, at its place', () => {
    for (const by of SAYERS) expect(all.filter((one) => one.by === by).length, by).toBeGreaterThan(50);
    // A sentence may begin within a string or a template, which begins on the line.
    const markdown = all.filter(({ file }) => file.endsWith('.md'));
    expect(
      told(markdown, ({ file, line, text }) => {
        const first = text.split(' ')[0]!;
        return lineAt(file, line).includes(first) ? [] : [`“${first}” is not on the line`];
      }),
    ).toEqual([]);
  });

  it('every text.md and every doc says something', () => {
    const said = new Set(all.map(({ file }) => file));
    for (const folder of ['docs', 'packages/labs/src'])
      for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }))
        if (/(?:^[^/]+|text)\.md$/.test(name)) expect(said).toContain(`${folder}/${name}`);
  });
});

describe('drawing', () => {
  it('gives the same for the same seed, another for another, each once, and each kind', () => {
    for (const seed of [1, 2, 20_261_128]) {
      const one = drawn(all, seed, 90);
      expect(drawn(all, seed, 90)).toEqual(one);
      expect(drawn(all, seed + 1, 90)).not.toEqual(one);
      expect(new Set(one).size).toBe(90);
      expect(new Set(one.map(({ by }) => by))).toEqual(new Set(SAYERS));
    }
  });

  it('reaches every sentence', () => {
    expect(new Set(drawn(all, 3, all.length + 1))).toEqual(new Set(all));
    expect(drawn(all, 3, 5, ['counter']).map(({ by }) => by)).toEqual(Array(5).fill('counter'));
  });
});

describe('each can be checked', () => {
  it('in at least one way', () => {
    expect(told(all, (one) => (waysTo(one, places).length > 0 ? [] : ['no way']))).toEqual([]);
  });

  it('by the code that has a name, by the manual page, by the specification', () => {
    const one: Statement = {
      ...{ by: 'counter', about: 'duplicate_request', file: 'docs/events.md', line: 1 },
      text: 'After ibv_modify_qp the QP answers an RNR NAK.',
    };
    const ways = waysTo(one, places).join('\n');
    expect(ways).toMatch(/duplicate_request: native\/uroce\/.*transport\/counters/);
    expect(ways).toContain('man3/ibv_modify_qp.3.html');
    expect(ways).toContain('9.7.5');
  });

  it('and the places of names have them', () => {
    const named = new Set(all.flatMap((one) => namesIn(`${one.about} ${one.text}`)));
    for (const name of named)
      for (const place of places.of(name)) {
        const [file, line] = place.split(':');
        expect(lineAt(file!, Number(line)), place).toContain(name);
      }
  });
});

/** The fault of a command that the docs tell; null if it can be typed. */
function wrongWith([name, ...words]: readonly string[]): string | null {
  if (name === 'npm') return wrongWithNpm(words);
  let command: Command = verbslab;
  const options = [...command.options];
  for (const word of words) {
    const sub = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    const flag = /^(?:--[a-z][\w-]*|-[a-zA-Z]$)/.exec(word)?.[0];
    if (sub) {
      command = sub;
      options.push(...sub.options);
    } else if (
      flag &&
      !['--help', '-h'].includes(flag) &&
      !options.some(({ short, long }) => [short, long].includes(flag))
    )
      return `${command.name()} has no option ${flag}`;
    else if (
      !flag &&
      command.commands.length > 0 &&
      command.registeredArguments.length === 0 &&
      /^[a-z]+$/.test(word)
    )
      return `${command.name()} has no command ${word}`;
  }
  return null;
}
const verbslab = program();

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const wrongWithNpm = ([verb, script]: readonly string[]): string | null =>
  verb === 'run' && !(script! in scripts) ? `no script ${script} in package.json` : null;

describe('names of our own exist', () => {
  const inCode = code.map(([, text]) => text).join('\n');
  const documents = [...new Set(all.map(({ file }) => file)), 'CONTRIBUTING.md'].filter((file) =>
    file.endsWith('.md'),
  );

  it('environment variables', () => {
    expect(
      told(all, ({ text }) =>
        namesIn(text).filter((name) => OWN_VARIABLE.test(name) && !inCode.includes(name)),
      ),
    ).toEqual([]);
  });

  it('files and folders', () => {
    expect(
      told(all, ({ text }) =>
        namesIn(text).filter((name) => OWN_PATH.test(name) && !existsSync(join(ROOT, name))),
      ),
    ).toEqual([]);
  });

  it('commands and options', () => {
    const commands = documents.flatMap((file) =>
      commandsIn(readFileSync(join(ROOT, file), 'utf8')).map((one) => ({ ...one, file })),
    );
    expect(commands.length).toBeGreaterThan(100);
    const wrong = commands.flatMap(({ file, line, words }) => {
      const fault = wrongWith(words);
      return fault ? [`${file}:${line}: ${fault}: ${words.join(' ')}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('and what does not exist is found', () => {
    const wrong = (markdown: string) => commandsIn(markdown).map(({ words }) => wrongWith(words));
    expect(wrong('Type `verbslab runs export 1 --form trace`.')).toEqual(['export has no option --form']);
    expect(wrong('    npx verbslab peers invent | verbslab up --quick')).toEqual([
      'peers has no command invent',
      'up has no option --quick',
    ]);
    expect(wrong('`verbslab exec --pcap FILE -- ib_write_bw --size 4`, `npm run never`')).toEqual([
      null,
      'no script never in package.json',
    ]);
  });
});
