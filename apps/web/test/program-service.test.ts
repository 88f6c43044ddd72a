// Language service of the workbench's editor: completions, signatures, docs and type errors of the verbs.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TASKS } from '@verbslab/labs/workbench';
import { beforeAll, describe, expect, it } from 'vitest';
import { ProgramService } from '../src/workbench/language/service';

const web = join(import.meta.dirname, '..');
let service: ProgramService;

beforeAll(() => {
  execFileSync(process.execPath, [join(web, 'generate-types.mjs')]);
  service = new ProgramService(
    JSON.parse(readFileSync(join(web, 'public/generated/types.json'), 'utf8')) as Record<string, string>,
  );
});

const HEAD = "import { openDevice } from '@verbslab/verbs';\nawait using ctx = openDevice();\n";
const at = (text: string) => {
  service.text = text.replace('|', '');
  return text.indexOf('|');
};

describe('the language service of the workbench', () => {
  it('finds nothing wrong with the first program of packages/verbs/README.md', () => {
    const readme = readFileSync(join(web, '../../packages/verbs/README.md'), 'utf8');
    service.text = /```ts\n([\s\S]*?)```/.exec(readme)![1]!;
    expect(service.problems()).toEqual([]);
  });

  it.each(TASKS.map((task) => [task.id, task] as const))(
    'nor with the starter and the solution of the task %s',
    (_, task) => {
      for (const text of [task.starter.typescript, task.solution.typescript]) {
        service.text = text;
        expect(service.problems()).toEqual([]);
      }
    },
  );

  it('completes members with their signatures and docs, and leaves out what is internal', () => {
    const place = at(`${HEAD}ctx.al|`);
    const found = service.completions(place)!;
    const names = found.list.map(({ label }) => label);
    expect(names).toContain('allocPd');
    expect(names).not.toContain('native');
    expect(found.from).toBe(place - 2);
    expect(service.details(place, 'allocPd')).toMatchObject({
      signature: expect.stringContaining('allocPd(): Pd') as string,
      docs: expect.stringMatching(/\w/) as string,
    });
  });

  it('lists the whole API with docs, whatever the program imports', () => {
    service.text = '';
    const api = service.api();
    const entry = (name: string) => api.find((one) => one.name === name)!;
    expect(entry('openDevice')).toMatchObject({
      kind: 'function',
      docs: expect.stringMatching(/\w/) as string,
    });
    expect(entry('openDevice').signature).toContain('openDevice(');
    const qp = entry('Qp');
    expect(qp.kind).toBe('class');
    expect(qp.members.map(({ signature }) => signature).join('\n')).toContain('postSend(');
    const names = JSON.stringify(api);
    expect(names).not.toContain('{@link');
    expect(
      api
        .flatMap(({ members }) => members)
        .filter(({ signature }) => /^(private\b|#|native\b)/.test(signature)),
    ).toEqual([]);
  });

  it('explains what the pointer is over, without the marks of links', () => {
    const hover = service.hover(at(`${HEAD}const pd = ctx.alloc|Pd();`))!;
    expect(hover.signature).toContain('Pd');
    expect(hover.docs + hover.tags.join()).not.toContain('{@link');
  });

  it('shows the parameters of the call that is being typed', () => {
    const shown = service.signature(at(`${HEAD}ctx.allocPd().regMr(64, |`))!;
    expect(shown.parameter).toBe(1);
    expect(shown.signature).toContain('access?');
  });

  it('underlines a wrong name, a wrong type and a module that is not there', () => {
    const problems = (text: string) => {
      service.text = text;
      return service.problems().map(({ message, from, to }) => [message, text.slice(from, to)]);
    };
    expect(problems(`${HEAD}ctx.allocPdd();`)).toEqual([[expect.stringContaining('allocPdd'), 'allocPdd']]);
    expect(problems(`${HEAD}ctx.createCq({ depth: '16' });`)).toEqual([
      [expect.stringContaining('not assignable'), 'depth'],
    ]);
    expect(problems("import net from 'node:net';\nnet;")).toEqual([
      [expect.stringContaining('not Node’s modules'), "'node:net'"],
    ]);
  });
});
