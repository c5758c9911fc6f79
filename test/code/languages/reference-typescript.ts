/** What the TypeScript compiler says a file declares, in the words of our outlines. */
import ts from 'typescript';

export interface Declared {
  readonly kind: string;
  readonly name: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly children: readonly Declared[];
}

export interface Reference {
  readonly symbols: readonly Declared[];
  /** Lines of statements that are expressions: what we list from them is no declaration to the compiler. */
  readonly expressions: readonly (readonly [number, number])[];
  readonly broken: boolean;
}

export function referenceOf(path: string, text: string): Reference {
  const file = ts.createSourceFile(
    path,
    text,
    { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
    true,
  );
  const expressions: [number, number][] = [];
  const breaks = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks.push(at + 1);
  /** Lines as everything else here counts them: by line feeds. */
  const lineAt = (offset: number): number => {
    let low = 0;
    let high = breaks.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((breaks[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
  const startOf = (node: ts.Node): number => {
    const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : [];
    const decorators = ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : [];
    const last = decorators.at(-1);
    const first = modifiers.find((one) => last === undefined || one.pos >= last.end);
    if (decorators.length === 0 || modifiers.some((one) => one.pos < (decorators[0]?.pos ?? 0))) return node.getStart(file);
    if (first) return first.getStart(file);
    return (
      node
        .getChildren(file)
        .find((child) => child.kind !== ts.SyntaxKind.SyntaxList || child.pos > (last?.end ?? 0))
        ?.getStart(file) ?? node.getStart(file)
    );
  };
  const make = (
    node: ts.Node,
    kind: string,
    name: string,
    children: readonly Declared[] = [],
    from = startOf(node),
  ): Declared => ({
    kind,
    name,
    startLine: lineAt(from),
    endLine: lineAt(Math.max(from, node.end - 1)),
    children,
  });
  const nameOf = (name: ts.PropertyName | ts.ModuleName | ts.BindingName | undefined): string => {
    if (!name) return '';
    if (ts.isStringLiteral(name) || ts.isNoSubstitutionTemplateLiteral(name)) return name.getText(file).slice(1, -1);
    return name.getText(file).replace(/\s+/g, ' ');
  };
  const indexName = (node: ts.IndexSignatureDeclaration): string =>
    `[${node.parameters.map((one) => one.getText(file)).join(', ')}]`;
  const member = (node: ts.ClassElement | ts.TypeElement): Declared[] => {
    if (ts.isConstructorDeclaration(node)) return [make(node, 'constructor', 'constructor')];
    if (ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) return [make(node, 'method', nameOf(node.name))];
    if (ts.isGetAccessor(node) || ts.isSetAccessor(node)) return [make(node, 'property', nameOf(node.name))];
    if (ts.isPropertyDeclaration(node)) {
      const value = node.initializer;
      return [
        make(node, 'property', nameOf(node.name), value && ts.isClassExpression(value) ? value.members.flatMap(member) : []),
      ];
    }
    if (ts.isPropertySignature(node)) return [make(node, 'property', nameOf(node.name))];
    if (ts.isIndexSignatureDeclaration(node)) return [make(node, 'property', indexName(node))];
    if (ts.isCallSignatureDeclaration(node)) return [make(node, 'method', '()')];
    if (ts.isConstructSignatureDeclaration(node)) return [make(node, 'method', 'new')];
    return [];
  };
  const isRequire = (value: ts.Expression | undefined): boolean => {
    let node = value;
    while (node && ts.isPropertyAccessExpression(node)) node = node.expression;
    if (!node || !ts.isCallExpression(node)) return false;
    if (/^\(?(?:0, )?(?:tslib_1\.)?(?:__importStar|__importDefault|_interopRequire\w*)\)?$/.test(node.expression.getText(file)))
      return isRequire(node.arguments[0]);
    return (
      node.expression.getText(file) === 'require' && node.arguments[0] !== undefined && ts.isStringLiteral(node.arguments[0])
    );
  };
  const bound = (name: ts.BindingName): ts.Identifier[] =>
    ts.isIdentifier(name) ? [name] : name.elements.flatMap((one) => (ts.isOmittedExpression(one) ? [] : bound(one.name)));
  const objectMembers = (object: ts.ObjectLiteralExpression): Declared[] =>
    object.properties.flatMap((node): Declared[] => {
      if (ts.isMethodDeclaration(node)) return [make(node, 'method', nameOf(node.name))];
      if (ts.isGetAccessor(node) || ts.isSetAccessor(node)) return [make(node, 'property', nameOf(node.name))];
      if (!ts.isPropertyAssignment(node)) return [];
      const value = node.initializer;
      if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return [make(node, 'method', nameOf(node.name))];
      const children = ts.isObjectLiteralExpression(value) ? objectMembers(value) : [];
      return children.length === 0 ? [] : [make(node, 'property', nameOf(node.name), children)];
    });
  const variables = (statement: ts.VariableStatement): Declared[] => {
    const { declarations, flags } = statement.declarationList;
    const kind = flags & (ts.NodeFlags.Const | ts.NodeFlags.Using) ? 'const' : 'var';
    return declarations.flatMap((node): Declared[] => {
      if (isRequire(node.initializer)) return [];
      const at = declarations.length === 1 ? statement : node;
      if (!ts.isIdentifier(node.name)) return bound(node.name).map((one) => make(at, kind, one.text, [], one.getStart(file)));
      const value = node.initializer;
      const of =
        value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value))
          ? 'function'
          : value && ts.isClassExpression(value)
            ? 'class'
            : kind;
      const children =
        value && ts.isClassExpression(value)
          ? value.members.flatMap(member)
          : value && ts.isObjectLiteralExpression(value)
            ? objectMembers(value)
            : [];
      return [make(at, of, nameOf(node.name), children)];
    });
  };
  const moduleOf = (node: ts.ModuleDeclaration): Declared => {
    let name = nameOf(node.name);
    let body = node.body;
    while (body && ts.isModuleDeclaration(body)) {
      name += `.${nameOf(body.name)}`;
      body = body.body;
    }
    const children = body && ts.isModuleBlock(body) ? statements(body.statements) : [];
    return make(node, ts.isStringLiteral(node.name) ? 'module' : 'namespace', name, children);
  };
  const exportList = (node: ts.ExportDeclaration, local: ReadonlySet<string>): Declared[] => {
    const clause = node.exportClause;
    if (!clause) return [make(node, 'export', '*')];
    if (ts.isNamespaceExport(clause)) return [make(node, 'export', nameOf(clause.name as ts.Identifier))];
    return clause.elements
      .filter((one) => node.moduleSpecifier || !local.has(nameOf((one.propertyName ?? one.name) as ts.Identifier)))
      .map((one) => make(one, 'export', nameOf(one.name as ts.Identifier)));
  };
  /** Statements a statement holds, but those of functions. */
  const innerStatements = (node: ts.Statement): readonly ts.Statement[] => {
    if (ts.isBlock(node)) return node.statements;
    if (ts.isIfStatement(node)) return [node.thenStatement, ...(node.elseStatement ? [node.elseStatement] : [])];
    if (ts.isTryStatement(node))
      return [
        node.tryBlock,
        ...(node.catchClause ? [node.catchClause.block] : []),
        ...(node.finallyBlock ? [node.finallyBlock] : []),
      ];
    if (ts.isSwitchStatement(node)) return node.caseBlock.clauses.flatMap((one) => [...one.statements]);
    if (ts.isIterationStatement(node, false) || ts.isLabeledStatement(node) || ts.isWithStatement(node)) return [node.statement];
    return [];
  };
  /** Of what a block declares for itself alone only functions and classes. */
  const inBlock = (list: readonly ts.Statement[]): Declared[] =>
    list.flatMap((node) => {
      const found = statements([node]);
      const isLocal = ts.isVariableStatement(node) && (node.declarationList.flags & ts.NodeFlags.BlockScoped) !== 0;
      return isLocal ? found.filter((one) => one.kind === 'function' || one.kind === 'class') : found;
    });
  const statements = (list: readonly ts.Statement[]): Declared[] => {
    const found = list.flatMap((node): Declared[] => {
      if (ts.isExpressionStatement(node)) expressions.push([lineAt(node.getStart(file)), lineAt(node.end - 1)]);
      if (ts.isFunctionDeclaration(node)) return [make(node, 'function', nameOf(node.name) || 'default')];
      if (ts.isClassDeclaration(node)) return [make(node, 'class', nameOf(node.name) || 'default', node.members.flatMap(member))];
      if (ts.isInterfaceDeclaration(node)) return [make(node, 'interface', nameOf(node.name), node.members.flatMap(member))];
      if (ts.isTypeAliasDeclaration(node))
        return [make(node, 'type', nameOf(node.name), ts.isTypeLiteralNode(node.type) ? node.type.members.flatMap(member) : [])];
      if (ts.isEnumDeclaration(node))
        return [
          make(
            node,
            'enum',
            nameOf(node.name),
            node.members.map((one) => make(one, 'enum-member', nameOf(one.name))),
          ),
        ];
      if (ts.isModuleDeclaration(node)) return [moduleOf(node)];
      if (ts.isVariableStatement(node)) return variables(node);
      const inner = innerStatements(node);
      if (inner.length > 0) return inBlock(inner);
      if (ts.isNamespaceExportDeclaration(node)) return [make(node, 'export', nameOf(node.name))];
      if (ts.isImportEqualsDeclaration(node) && !ts.isExternalModuleReference(node.moduleReference))
        return [make(node, 'namespace', nameOf(node.name))];
      if (ts.isExportAssignment(node) && !ts.isIdentifier(node.expression)) {
        const value = node.expression;
        const kind =
          ts.isArrowFunction(value) || ts.isFunctionExpression(value)
            ? 'function'
            : ts.isClassExpression(value)
              ? 'class'
              : 'export';
        return [make(node, kind, 'default', ts.isObjectLiteralExpression(value) ? objectMembers(value) : [])];
      }
      return [];
    });
    const local = new Set(found.map((one) => one.name));
    const more = list.flatMap((node): Declared[] => {
      if (ts.isExportDeclaration(node)) return exportList(node, local);
      if (ts.isExportAssignment(node) && ts.isIdentifier(node.expression) && !local.has(node.expression.text))
        return [make(node, 'export', node.isExportEquals ? node.expression.text : 'default')];
      return [];
    });
    return [...found, ...more];
  };
  const diagnostics = (file as unknown as { parseDiagnostics: readonly unknown[] }).parseDiagnostics;
  return { symbols: statements(file.statements), expressions, broken: diagnostics.length > 0 };
}
