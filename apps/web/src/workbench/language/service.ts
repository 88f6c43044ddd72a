import ts from 'typescript';
import { apiOf } from './api';
import type { Answers, Details, TypeProblem } from './messages';

const MAIN = '/main.ts';
const VERBS = '/node_modules/@verbslab/verbs/index.d.ts';
/** Codes of “Cannot find name …” with the advice to install the types of Node. */
const NODE_NAMES: ReadonlySet<number> = new Set([2580, 2591]);

/** Options of the agent's compiler (apps/agent/src/workbench/typescript-child.ts). */
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
};

/** TypeScript's language service for a program and the files of the library and the verbs. Uses no file system. */
export class ProgramService {
  readonly #service: ts.LanguageService;
  #text = '';
  #version = 0;

  constructor(files: Readonly<Record<string, string>>) {
    const textOf = (path: string): string | undefined => (path === MAIN ? this.#text : files[path]);
    const folders = new Set(Object.keys(files).flatMap((path) => parents(path)));
    const host: ts.LanguageServiceHost = {
      getCompilationSettings: () => OPTIONS,
      getScriptFileNames: () => [MAIN, '/globals.d.ts', VERBS],
      getScriptVersion: (path) => (path === MAIN ? String(this.#version) : '1'),
      getScriptSnapshot: (path) => {
        const text = textOf(path);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => '/',
      getDefaultLibFileName: () => '/lib/lib.es2023.d.ts',
      fileExists: (path) => textOf(path) !== undefined,
      readFile: textOf,
      directoryExists: (path) => folders.has(path),
      getDirectories: () => [],
      useCaseSensitiveFileNames: () => true,
    };
    this.#service = ts.createLanguageService(host);
  }

  /** Sets the current program. */
  set text(text: string) {
    if (text === this.#text) return;
    this.#text = text;
    this.#version++;
  }

  completions(at: number): Answers['completions'] {
    const found = this.#service.getCompletionsAtPosition(MAIN, at, {
      includeCompletionsWithInsertText: true,
      includeCompletionsForModuleExports: false,
    });
    if (!found) return null;
    const span = found.optionalReplacementSpan;
    return {
      from: span?.start ?? wordStart(this.#text, at),
      list: found.entries
        .filter(({ kind }) => kind !== ts.ScriptElementKind.warning)
        .map(({ name, kind, sortText, insertText }) => ({
          label: name,
          kind,
          sort: sortText,
          ...(insertText === undefined ? {} : { insert: insertText }),
        })),
    };
  }

  details(at: number, name: string): Answers['details'] {
    const found = this.#service.getCompletionEntryDetails(
      MAIN,
      at,
      name,
      undefined,
      undefined,
      undefined,
      undefined,
    );
    return found ? describe(found.displayParts, found.documentation, found.tags) : null;
  }

  hover(at: number): Answers['hover'] {
    const found = this.#service.getQuickInfoAtPosition(MAIN, at);
    if (!found) return null;
    const { start, length } = found.textSpan;
    return {
      from: start,
      to: start + length,
      ...describe(found.displayParts, found.documentation, found.tags),
    };
  }

  signature(at: number): Answers['signature'] {
    const found = this.#service.getSignatureHelpItems(MAIN, at, undefined);
    const item = found?.items[found.selectedItemIndex];
    if (!found || !item) return null;
    const parameters = item.parameters.flatMap((one, i) => [
      ...(i === 0 ? [] : item.separatorDisplayParts),
      ...one.displayParts,
    ]);
    return {
      from: found.applicableSpan.start,
      parameter: found.argumentIndex,
      ...describe(
        [...item.prefixDisplayParts, ...parameters, ...item.suffixDisplayParts],
        item.parameters[found.argumentIndex]?.documentation.length
          ? item.parameters[found.argumentIndex]!.documentation
          : item.documentation,
        [],
      ),
    };
  }

  /** Everything that a program may import. */
  api(): Answers['api'] {
    const program = this.#service.getProgram();
    return program ? apiOf(program, VERBS, describe) : [];
  }

  problems(): Answers['problems'] {
    return [
      ...this.#service.getSyntacticDiagnostics(MAIN),
      ...this.#service.getSemanticDiagnostics(MAIN),
    ].map((one): TypeProblem => {
      const from = one.start ?? 0;
      return {
        from,
        to: from + (one.length ?? 0),
        severity: one.category === ts.DiagnosticCategory.Error ? 'error' : 'warning',
        message: NODE_NAMES.has(one.code)
          ? 'Programs of the workbench have the language and @verbslab/verbs, not Node’s modules.'
          : ts.flattenDiagnosticMessageText(one.messageText, '\n'),
      };
    });
  }
}

function parents(path: string): string[] {
  const parts = path.split('/').slice(1, -1);
  return ['/', ...parts.map((_, i) => `/${parts.slice(0, i + 1).join('/')}`)];
}

function wordStart(text: string, at: number): number {
  let from = at;
  while (from > 0 && /[\w$]/.test(text[from - 1]!)) from--;
  return from;
}

function describe(
  parts: readonly ts.SymbolDisplayPart[] | undefined,
  docs: readonly ts.SymbolDisplayPart[] | undefined,
  tags: readonly ts.JSDocTagInfo[] | undefined,
): Details {
  return {
    signature: ts.displayPartsToString(parts ? [...parts] : []),
    docs: unlinked(ts.displayPartsToString(docs ? [...docs] : [])),
    tags: (tags ?? [])
      .filter(({ name }) => name !== 'internal')
      .map(({ name, text }) => unlinked(`@${name} ${ts.displayPartsToString(text)}`.trimEnd())),
  };
}

/** Replaces `{@link Pd.createQp}` by the name. */
const unlinked = (text: string): string => text.replace(/\{@link\s+([^}\s|]+)(?:[|\s][^}]*)?\}/g, '$1');
