import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from './html.ts';
import { createLook, pageReply } from './page-layout.ts';

test('a page runs and shows only what is ours, sends forms only to us, and is framed by nobody', () => {
  const look = createLook('en', { isSandbox: false, files: { stylesheet: '/a.css', script: '/a.mjs' } });
  const policy = pageReply(200, look, html`<p>`).headers?.['content-security-policy'] ?? '';
  const directives = Object.fromEntries(
    policy.split('; ').map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
  );
  assert.deepEqual(directives, {
    'default-src': "'none'",
    'script-src': `'nonce-${look.nonce}'`,
    'style-src': `'nonce-${look.nonce}'`,
    'img-src': "'self'",
    'font-src': "'self'",
    'connect-src': "'self'",
    'manifest-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  });
});
