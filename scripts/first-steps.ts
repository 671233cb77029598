/** What a newcomer sees after `npm start`: where the service is, the key, and commands to copy that do something. */
import type { Scope } from '@quittance/contract/permissions';
import type { Access } from '@quittance/server/lib/data-folder';

/** Of the sandbox's first key: all but `approve`, which must be another key's. */
export const sandboxScopes: readonly Scope[] = ['charge', 'read', 'money'];

/**
 * `welcome`: the link for the first person; null: somebody has come already. `mailbox`: the page that shows what is sent by
 * e-mail; null: it is really sent.
 */
type Known = Access & { readonly welcome: string | null; readonly mailbox: string | null };

/**
 * After the first start, the only one that shows the secret. `folder`: where the commands find this installation; null:
 * they find it by themselves.
 */
export function firstSteps(access: Known, folder: string | null): string {
  return [
    ...accountStep(access.welcome),
    `Base URL    ${access.baseUrl}`,
    `API key     ${access.apiKey}`,
    `API secret  ${access.apiSecret.reveal()}`,
    `Scopes      ${sandboxScopes.join(', ')}; approve needs another key: npx quittance key create --help`,
    ...mailboxLine(access.mailbox),
    '',
    'Create a checkout (paste into bash):',
    '',
    curlExample(access),
    '',
    ...payStep(folder),
  ].join('\n');
}

/** After every other start. */
export function nextSteps({ baseUrl, apiKey, welcome, mailbox }: Known, folder: string | null): string {
  return [
    ...accountStep(welcome),
    `Base URL    ${baseUrl}`,
    `API key     ${apiKey}`,
    `API secret  is in ${folder ?? 'data'}/access.json, which only you can read; it was shown at the first start.`,
    ...mailboxLine(mailbox),
    '',
    'Create a checkout (in this folder):',
    '',
    `${inFolder(folder)}npx quittance checkout create`,
    '',
    ...payStep(folder),
  ].join('\n');
}

const accountStep = (welcome: string | null): string[] =>
  welcome === null
    ? []
    : ['Your account (this link is good for 30 minutes, once; the next start prints another):', '', welcome, ''];

const mailboxLine = (mailbox: string | null): string[] => (mailbox === null ? [] : [`E-mails     ${mailbox}`]);

const inFolder = (folder: string | null): string => (folder === null ? '' : `DATA_DIR=${quoted(folder)} `);

const payStep = (folder: string | null): string[] => [
  'Pay the newest checkout on the sandbox chain, or give its id instead of `latest` (in this folder):',
  '',
  `${inFolder(folder)}npx quittance pay latest`,
];

/** One command for bash with curl and openssl that shows the whole digest rule. */
export function curlExample({ baseUrl, apiKey, apiSecret }: Access): string {
  const body = {
    charge: { billingCurrency: 'USD', lineItems: [{ description: 'Coffee', netAmount: '25.00' }] },
    settlementAsset: 'ORIGIN',
  };
  return [
    `BODY=${quoted(JSON.stringify(body))}; TIME=$(date +%s);`,
    `SIGNATURE=$(printf %s "/checkout\${TIME}POST$BODY" | openssl dgst -sha256 -hmac ${quoted(apiSecret.reveal())} | sed 's/.* //');`,
    `curl -sS ${quoted(`${baseUrl}/checkout`)} -H 'Content-Type: application/json' -H ${quoted(`X-Digest-Key: ${apiKey}`)} \\`,
    '  -H "X-Digest-Timestamp: $TIME" -H "X-Digest-Signature: $SIGNATURE" -d "$BODY"; echo',
  ].join('\n');
}

/** Inside single quotes bash changes nothing. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
