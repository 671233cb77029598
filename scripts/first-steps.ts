/** What a newcomer sees after `npm start`: where the service is, the key, and commands to copy that do something. */
import type { Access } from '@quittance/server/lib/data-folder';

/** `folder` is what the commands must be told to find this installation; null where they look by themselves. */
export function firstSteps(access: Access, folder: string | null): string {
  return [
    `Base URL    ${access.baseUrl}`,
    `API key     ${access.apiKey}`,
    `API secret  ${access.apiSecret.reveal()}`,
    '',
    'Create a checkout (paste into bash):',
    '',
    curlExample(access),
    '',
    'Pay the newest checkout on the sandbox chain, or give its id instead of `latest` (in this folder):',
    '',
    `${folder === null ? '' : `DATA_DIR=${quoted(folder)} `}npx quittance pay latest`,
  ].join('\n');
}

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
