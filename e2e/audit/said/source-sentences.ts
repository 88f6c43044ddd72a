// The sentences in sources: strings, templates and the text of elements in TypeScript, strings in C++.
import ts from 'typescript';
import { sentencesOf, statesSomething, type Sayer, type Statement } from './statement.js';

/** Name of the thing that a string belongs to: a counter, a field, a component's attribute, a call's first argument. */
function aboutOf(node: ts.Node): string {
  const names: string[] = [];
  for (let at: ts.Node | undefined = node.parent; at && names.length < 2; at = at.parent) {
    if (ts.isPropertyAssignment(at) || ts.isVariableDeclaration(at)) names.unshift(at.name.getText());
    else if (ts.isJsxAttribute(at)) names.unshift(at.name.getText());
    else if (ts.isFunctionDeclaration(at) && at.name) names.unshift(at.name.getText());
    else if (ts.isCallExpression(at) && names.length === 0) {
      const [first] = at.arguments;
      if (first && first !== node && ts.isStringLiteralLike(first)) names.unshift(first.text);
    }
  }
  return names.join(' ');
}

const MOST_OF_EXPRESSION = 60;
const filledIn = (node: ts.Node): string =>
  `{${node
    .getText()
    .replace(/^\{(.*)\}$/s, '$1')
    .slice(0, MOST_OF_EXPRESSION)}}`;

/** Text of a node, with `{…}` for the values of a template. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return (
      node.head.text +
      node.templateSpans.map(({ expression, literal }) => `${filledIn(expression)}${literal.text}`).join('')
    );
  if (ts.isJsxElement(node) || ts.isJsxFragment(node))
    return node.children
      .map((child) => (ts.isJsxText(child) ? child.text : filledIn(child)))
      .join('')
      .replaceAll(/\s+/g, ' ');
  return null;
}

/** Attributes that only name a thing or style it. */
const NAMES_ONLY = /(?:^| )(?:className|aria-label|title|label|name)$/;

/** True if a node has text of its own. An element around others says only the text between them. */
const saysItself = (node: ts.Node): boolean =>
  !(ts.isJsxElement(node) || ts.isJsxFragment(node)) ||
  statesSomething(node.children.map((child) => (ts.isJsxText(child) ? child.text : '')).join(' '));

export function typescriptSentences(by: Sayer, file: string, source: string): Statement[] {
  const parsed = ts.createSourceFile(
    file,
    source,
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const found: Statement[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    const text = saysItself(node) ? textOf(node) : null;
    if (text !== null) {
      const line = parsed.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const about = aboutOf(node);
      for (const sentence of NAMES_ONLY.test(about) ? [] : sentencesOf(text))
        if (statesSomething(sentence.text)) found.push({ by, text: sentence.text, about, file, line });
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return found;
}

/** Adjacent literals are one string. */
const C_STRINGS = /"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*/g;

export function cSentences(by: Sayer, file: string, source: string): Statement[] {
  return [...source.matchAll(C_STRINGS)].flatMap(({ 0: raw, index }) => {
    const text = [...raw.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([, inside]) => inside).join('');
    const line = source.slice(0, index).split('\n').length;
    return sentencesOf(text.replaceAll(/\\[nt]/g, ' ').replaceAll('\\"', '"'))
      .filter((one) => statesSomething(one.text))
      .map((one) => ({ by, text: one.text, about: '', file, line }));
  });
}
