import ts from 'typescript';

/** The one package that a program may import. */
export const VERBS = '@verbslab/verbs';

/** Names of Node’s and of browsers’ for what a program may not do. */
const FORBIDDEN: ReadonlySet<string> = new Set([
  ...['process', 'require', 'module', 'exports', 'global', '__dirname', '__filename', 'Deno', 'Bun'],
  ...['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'Worker', 'WebAssembly'],
]);

export interface Refused {
  line: number;
  name: string;
}

/** “Cannot find name”, in its forms. */
const NOT_FOUND: ReadonlySet<number> = new Set([2304, 2552, 2580, 2584, 2591, 2868]);

/** The module that a node imports, where it imports one; a text that is made at run time is an empty one. */
function imported(node: ts.Node): string | null {
  const text = (one: ts.Node | undefined): string => (one && ts.isStringLiteralLike(one) ? one.text : '');
  if (ts.isImportDeclaration(node)) return text(node.moduleSpecifier);
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) return text(node.moduleSpecifier);
  if (ts.isExternalModuleReference(node)) return text(node.expression);
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? text(node.argument.literal) : '';
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return text(node.arguments[0]);
  return null;
}

const isEval = (node: ts.Node): boolean =>
  (ts.isCallExpression(node) || ts.isNewExpression(node)) &&
  ts.isIdentifier(node.expression) &&
  ['eval', 'Function'].includes(node.expression.text);

/** The first thing in the source that programs may not use; null when there is none. */
export function refusedIn(source: ts.SourceFile, problems: readonly ts.Diagnostic[]): Refused | null {
  const lineOf = (at: number): number => source.getLineAndCharacterOfPosition(at).line + 1;
  const found: Refused[] = [];
  const visit = (node: ts.Node): void => {
    const module = imported(node);
    if (module !== null && module !== VERBS)
      found.push({ line: lineOf(node.getStart(source)), name: module || node.getText(source).slice(0, 80) });
    if (isEval(node))
      found.push({ line: lineOf(node.getStart(source)), name: node.getText(source).slice(0, 80) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const { code, file, start, length } of problems) {
    if (file !== source || start === undefined || !NOT_FOUND.has(code)) continue;
    const name = source.text.slice(start, start + (length ?? 0));
    if (FORBIDDEN.has(name)) found.push({ line: lineOf(start), name });
  }
  return found.sort((a, b) => a.line - b.line)[0] ?? null;
}
