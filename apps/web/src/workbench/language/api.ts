import ts from 'typescript';
import type { ApiEntry, ApiKind, ApiMember, Details } from './messages';

const KINDS: readonly (readonly [ts.SymbolFlags, ApiKind])[] = [
  [ts.SymbolFlags.Class, 'class'],
  [ts.SymbolFlags.Function, 'function'],
  [ts.SymbolFlags.Interface, 'interface'],
  [ts.SymbolFlags.TypeAlias, 'type'],
  [ts.SymbolFlags.Variable, 'value'],
];

type Describe = (
  parts: undefined,
  docs: readonly ts.SymbolDisplayPart[],
  tags: readonly ts.JSDocTagInfo[],
) => Details;

/** Exports of a module by name, with the members of classes and interfaces, without internal ones. */
export function apiOf(program: ts.Program, path: string, describe: Describe): ApiEntry[] {
  const checker = program.getTypeChecker();
  const module = program.getSourceFile(path);
  const symbol = module && checker.getSymbolAtLocation(module);
  if (!symbol) return [];

  const told = (one: ts.Symbol): Pick<Details, 'docs' | 'tags'> => {
    const { docs, tags } = describe(
      undefined,
      one.getDocumentationComment(checker),
      one.getJsDocTags(checker),
    );
    return { docs, tags };
  };
  const hidden = (one: ts.Symbol): boolean =>
    one.getJsDocTags(checker).some(({ name }) => name === 'internal') ||
    (one.declarations ?? []).some(
      (place) =>
        (ts.getCombinedModifierFlags(place) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0,
    );
  /** Text of a declaration, without its body, comments and line ends. */
  const declared = (place: ts.Declaration): string =>
    place
      .getText()
      .replace(/^export |^declare |^export declare /, '')
      .replace(/\/\*[\s\S]*?\*\/|\s*\/\/.*$/gm, '')
      .replace(/\s+/g, ' ')
      .replace(/;$/, '');

  const members = (one: ts.Symbol): ApiMember[] =>
    [...(one.members?.values() ?? []), ...(one.exports?.values() ?? [])]
      .filter(
        (member) =>
          !hidden(member) &&
          (member.flags & (ts.SymbolFlags.TypeParameter | ts.SymbolFlags.Prototype)) === 0 &&
          !member.name.startsWith('__#'),
      )
      .flatMap((member) =>
        (member.declarations ?? [])
          .filter((place) => !ts.isPrivateIdentifier(ts.getNameOfDeclaration(place) ?? place))
          .map((place) => ({ signature: declared(place), ...told(member) })),
      );

  return checker
    .getExportsOfModule(symbol)
    .map((one) => (one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one))
    .filter((one) => !hidden(one))
    .flatMap((one): ApiEntry[] => {
      const kind = KINDS.find(([flag]) => (one.flags & flag) !== 0)?.[1];
      if (!kind) return [];
      const holds = kind === 'class' || kind === 'interface';
      const signature = holds ? '' : (one.declarations ?? []).map(declared).join('\n');
      return [{ name: one.name, kind, signature, ...told(one), members: holds ? members(one) : [] }];
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}
