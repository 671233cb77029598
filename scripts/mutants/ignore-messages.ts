/**
 * Leaves out faults in the words of a message: tests hold what is refused, and by which error, but not every word of it.
 * All other texts count, because most of them are states, kinds and names.
 */
import type { Ignorer } from '@stryker-mutator/api/ignore';
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** What Stryker hands over is a path of Babel; this much of it is looked at. */
type Syntax = { readonly type: string; readonly name?: string; readonly callee?: Syntax };
type SyntaxPath = { readonly node: Syntax; readonly parent?: Syntax };

const sayers = new Set(['Error', 'assert', 'present', 'invalidRequest', 'malformed']);

const messages: Ignorer = {
  shouldIgnore(path) {
    const { node, parent } = path as SyntaxPath;
    const isText = node.type === 'StringLiteral' || node.type === 'TemplateLiteral';
    const isSaid = parent?.type === 'CallExpression' || parent?.type === 'NewExpression';
    return isText && isSaid && sayers.has(parent.callee?.name ?? '') ? 'the words of a message' : undefined;
  },
};

export const ignoreMessages = declareValuePlugin(PluginKind.Ignore, 'messages', messages);
