import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { because, english } from '../../../src/types/reason.js';
import { ptBrReasons } from '../../../src/ui/text/pt-br-reasons.js';
import { reasonText } from '../../../src/ui/text/reason-text.js';

const SRC = resolve(import.meta.dirname, '../../../src');

/** Every text that stands behind the tag `because`, its places numbered. */
function textsOf(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'because') {
      const { template } = node;
      found.push(
        ts.isNoSubstitutionTemplateLiteral(template)
          ? template.text
          : template.templateSpans.reduce((text, span, index) => `${text}{${index}}${span.literal.text}`, template.head.text),
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  return found;
}

const texts = new Set(
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== join('types', 'reason.ts'))
    .flatMap((name) => textsOf(join(SRC, name))),
);
const places = (text: string): string[] => [...text.matchAll(/\{\d+\}/g)].map(([place]) => place).sort();

describe('reasons in Portuguese', () => {
  it('are there for every reason in the program, and for no other', () => {
    expect(texts.size).toBeGreaterThan(250);
    expect([...texts].filter((text) => !Object.hasOwn(ptBrReasons, text))).toEqual([]);
    expect(Object.keys(ptBrReasons).filter((text) => !texts.has(text))).toEqual([]);
  });

  it('have the same places, and are translated', () => {
    for (const [text, words] of Object.entries(ptBrReasons)) {
      expect(places(words), text).toEqual(places(text));
      if (/[a-z]/.test(text)) expect(words, text).not.toBe(text);
    }
  });

  it('name the same programs', () => {
    const names = (text: string): string[] => [...text.matchAll(/`[^`]+`/g)].map(([name]) => name).sort();
    for (const [text, words] of Object.entries(ptBrReasons))
      expect(names(words), text).toEqual(expect.arrayContaining(names(text)));
  });
});

describe('reasonText', () => {
  const part = because`deletes folders with all they hold`;
  const reason = because`${'`rm -rf`'} ${part}`;

  it('says a reason and the reasons in it as one sentence', () => {
    const said = '`rm -rf` deletes folders with all they hold.';
    expect(reasonText(reason, 'en', said)).toBe(said);
    expect(reasonText(reason, 'pt-BR', said)).toBe('`rm -rf` apaga pastas com tudo o que contêm.');
    expect(english(reason)).toBe('`rm -rf` deletes folders with all they hold');
  });

  it('never takes what a value holds for a place or a pattern', () => {
    const odd = because`it writes ${'{0} {1} $& $1'}`;
    expect(reasonText(odd, 'pt-BR', 'It writes.')).toBe('Escreve em {0} {1} $& $1.');
    expect(reasonText(odd, 'pt-BR', 'it writes')).toBe('escreve em {0} {1} $& $1');
    expect(english(odd)).toBe('it writes {0} {1} $& $1');
  });

  it('says what the parser of commands found', () => {
    const fault = (words: string) => reasonText(because`it could not be parsed (${words} at ${3})`, 'pt-BR', 'x');
    expect(fault("expected command after 'if'")).toBe(
      "não foi possível analisá-lo (falta um comando depois de 'if', na posição 3)",
    );
    expect(fault('unterminated single quote')).toContain('(aspa simples sem fim,');
    expect(fault("expected 'fi' to close 'if'")).toContain("(falta 'fi' para fechar 'if',");
    expect(fault('something new')).toContain('(something new,');
    expect(reasonText(because`it writes ${'unterminated x'}`, 'pt-BR', 'x')).toContain('unterminated x');
  });

  it('says in English what it does not know', () => {
    expect(reasonText({ text: 'toString', values: [] }, 'pt-BR', '')).toBe('toString');
    expect(reasonText({ text: 'new: {0} {1}', values: ['a'] }, 'pt-BR', '')).toBe('new: a {1}');
  });
});
