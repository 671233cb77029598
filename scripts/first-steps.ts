/** What a newcomer sees after `npm start`: where the service is, the key, and commands to copy that do something. */
import type { Scope } from '@quittance/contract/permissions';
import type { Access } from '@quittance/server/lib/data-folder';

/** Of the sandbox's first key: all but the second pair of eyes, which must be another's. */
export const sandboxScopes: readonly Scope[] = ['charge', 'read', 'money'];

/**
 * After the first start, the only one that shows the secret. `folder` is what the commands must be told to find this
 * installation; null where they look by themselves.
 */
export function firstSteps(access: Access, folder: string | null): string {
  return [
    `Base URL    ${access.baseUrl}`,
    `API key     ${access.apiKey}`,
    `API secret  ${access.apiSecret.reveal()}`,
    `Scopes      ${sandboxScopes.join(', ')}; approve needs another key: npx quittance key create --help`,
    '',
    'Create a checkout (paste into bash):',
    '',
    curlExample(access),
    '',
    ...payStep(folder),
  ].join('\n');
}

/** After every other start. */
export function nextSteps({ baseUrl, apiKey }: Access, folder: string | null): string {
  return [
    `Base URL    ${baseUrl}`,
    `API key     ${apiKey}`,
    `API secret  is in ${folder ?? 'data'}/access.json, which only you can read; it was shown at the first start.`,
    '',
    'Create a checkout (in this folder):',
    '',
    `${inFolder(folder)}npx quittance checkout create`,
    '',
    ...payStep(folder),
  ].join('\n');
}

const inFolder = (folder: string | null): string => (folder === null ? '' : `DATA_DIR=${quoted(folder)} `);

const payStep = (folder: string | null): string[] => [
  'Pay the newest checkout on the sandbox chain, or give its id instead of `latest` (in this folder):',
  '',
  `${inFolder(folder)}npx quittance pay latest`,
];

/** One command for bash with curl and openssl: the whole digest rule, in sight. */
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
