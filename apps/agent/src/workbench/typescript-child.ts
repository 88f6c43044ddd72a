/**
 * The process that compiles a program of the workbench: `typescript-child SOURCE FOLDER`, FOLDER being the compiled
 * @verbslab/verbs. The compiler writes main.mjs beside the source, and the process its answer, as JSON, to standard
 * output.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { AMBIENT } from './ambient.js';
import { refusedIn, VERBS, type Refused } from './refused-names.js';

const AMBIENT_FILE = '/workbench.d.ts';

interface Answer {
  /** `main.ts:LINE:COLUMN: error: …` */
  messages: string[];
  refused: Refused | null;
}

function optionsFor(verbs: string): ts.CompilerOptions {
  return {
    // Below the version that has `await using`, so that the compiler writes it out for Node 20.
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    paths: { [VERBS]: [join(verbs, 'index.d.ts')] },
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmitOnError: true,
    inlineSourceMap: true,
    inlineSources: true,
    newLine: ts.NewLineKind.LineFeed,
  };
}

function hostFor(options: ts.CompilerOptions): ts.CompilerHost {
  const real = ts.createCompilerHost(options);
  return {
    ...real,
    fileExists: (name) => name === AMBIENT_FILE || real.fileExists(name),
    readFile: (name) => (name === AMBIENT_FILE ? AMBIENT : real.readFile(name)),
    getSourceFile: (name, ...rest) =>
      name === AMBIENT_FILE
        ? ts.createSourceFile(name, AMBIENT, ts.ScriptTarget.ES2022)
        : real.getSourceFile(name, ...rest),
  };
}

/** The program finds the package where the agent has it, whatever folder it lies in itself. */
const importsFrom =
  (url: string): ts.TransformerFactory<ts.SourceFile> =>
  (context) =>
  (file) =>
    ts.visitEachChild(
      file,
      (node) =>
        ts.isImportDeclaration(node) && (node.moduleSpecifier as ts.StringLiteral).text === VERBS
          ? context.factory.updateImportDeclaration(
              node,
              node.modifiers,
              node.importClause,
              context.factory.createStringLiteral(url),
              node.attributes,
            )
          : node,
      context,
    );

function messageOf({ file, start, messageText, code }: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(messageText, ' ').replaceAll(/\s+/g, ' ');
  if (!file || start === undefined) return `main.ts:1:1: error: ${text} (TS${code})`;
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return `main.ts:${line + 1}:${character + 1}: error: ${text} (TS${code})`;
}

function compile(source: string, verbs: string): Answer {
  const options = optionsFor(verbs);
  const program = ts.createProgram([source, AMBIENT_FILE], options, hostFor(options));
  const file = program.getSourceFile(source)!;
  const problems = [
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ];
  const refused = refusedIn(file, problems);
  if (refused || problems.length > 0) return { messages: problems.map(messageOf), refused };
  const url = pathToFileURL(join(verbs, 'index.js')).href;
  program.emit(
    file,
    (name, text) => {
      if (name.endsWith('.js')) writeFileSync(resolve(source, '../main.mjs'), text);
    },
    undefined,
    false,
    { after: [importsFrom(url)] },
  );
  return { messages: [], refused: null };
}

const [source, verbs] = process.argv.slice(2);
if (source === undefined || verbs === undefined) throw new Error('usage: typescript-child SOURCE FOLDER');
// Fails with the reason if the file cannot be read.
readFileSync(source);
process.stdout.write(JSON.stringify(compile(resolve(source), verbs)));
