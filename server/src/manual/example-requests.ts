/**
 * The example of an operation as a program sends it: with curl, and with the SDKs for Node, PHP and Ruby. Key and base URL
 * are those that the whole manual uses; the page puts the reader's in their place. Every one of them is run by a test.
 */
import type { Endpoint } from '@quittance/contract/endpoints';
import type { Example } from '@quittance/contract/examples';
import { literal, syntaxes } from './code-literal.ts';
import { type SdkCall, sdkCalls } from './sdk-calls.ts';

/** As in the prose: replaced by the public URL of the installation, and by the id of the reader's key. */
export const manualBase = 'http://127.0.0.1:8080';
export const manualKey = 'YOUR_KEY';

type Sent = Readonly<Record<string, unknown>>;

export const exampleRequests = (endpoint: Endpoint, example: Example): Readonly<Record<string, string>> => {
  const sent: Sent = example.body ?? example.query ?? {};
  const call = sdkCalls[endpoint.id] ?? null;
  return {
    sh: curlRequest(endpoint, example),
    js: nodeRequest(endpoint, call, sent),
    php: phpRequest(endpoint, call, sent),
    ruby: rubyRequest(endpoint, call, sent),
  };
};

function curlRequest({ method, path, access }: Endpoint, { query = {}, body }: Example): string {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const asked = search === '' ? path : `${path}?${search}`;
  const url = `"${manualBase}/api/v1${asked}"`;
  if (access === 'public') return `curl -s ${url}`;
  return [
    ...(body === undefined ? [] : [`BODY='${jsonText(body).replaceAll("'", "'\\''")}'`]),
    'NOW=$(date +%s)',
    `SIGNATURE=$(printf '%s' "${asked}\${NOW}${method}${body === undefined ? '' : '${BODY}'}" \\`,
    `  | openssl dgst -sha256 -hmac "$QUITTANCE_SECRET" -hex | sed 's/.* //')`,
    `curl -s ${method === 'GET' || method === 'POST' ? '' : `-X ${method} `}${url} \\`,
    `  -H "X-Digest-Key: ${manualKey}" \\`,
    '  -H "X-Digest-Timestamp: $NOW" \\',
    `  -H "X-Digest-Signature: $SIGNATURE"${body === undefined ? '' : ' \\\n  -d "$BODY"'}`,
  ].join('\n');
}

const jsonText = (value: unknown): string => {
  const onLine = JSON.stringify(value);
  return onLine.length <= 72 ? onLine : JSON.stringify(value, null, 2);
};

/** What stands between the brackets of a call. */
type Arguments = { readonly value: unknown } | null;

function argumentsOf({ takes }: SdkCall, sent: Sent, isNode: boolean): Arguments {
  if (takes === 'nothing' || Object.keys(sent).length === 0) return null;
  if (takes === 'all' || (takes === 'period' && isNode)) return { value: sent };
  return { value: sent[takes === 'period' ? 'period' : takes.field] };
}

const plainMethod = ({ method }: Endpoint): string => method.toLowerCase();

function nodeRequest(endpoint: Endpoint, call: SdkCall | null, sent: Sent): string {
  const head = `import { Client } from '@quittance/sdk';

const client = new Client('${manualKey}', process.env.QUITTANCE_SECRET, '${manualBase}/api/v1');
`;
  const js = (value: unknown): string => literal(value, syntaxes.js);
  if (call === null) {
    const given = Object.keys(sent).length === 0 ? '' : `, ${js(sent)}`;
    const asked = `await client.${plainMethod(endpoint)}('${endpoint.path}'${given})`;
    return `${head}\nconst { status, data } = ${asked};\nconsole.log(status, data);`;
  }
  const args = argumentsOf(call, sent, true);
  const asked = `client.${call.method}(${args === null ? '' : js(args.value)})`;
  if (call.gives === 'list') return `${head}\nfor await (const each of ${asked}) console.log(each);`;
  if (call.gives === 'nothing') return `${head}\nawait ${asked};`;
  if (call.gives === 'file')
    return `${head}\nconst { fileName, body } = await ${asked};\nconsole.log(fileName, await new Response(body).text());`;
  return `${head}\nconst answer = await ${asked};\nconsole.log(answer);`;
}

function phpRequest(endpoint: Endpoint, call: SdkCall | null, sent: Sent): string {
  const head = `require 'vendor/autoload.php';

$client = new Quittance\\Client('${manualKey}', getenv('QUITTANCE_SECRET'), '${manualBase}/api/v1');
`;
  const php = (value: unknown): string => literal(value, syntaxes.php);
  if (call === null) {
    const given = Object.keys(sent).length === 0 ? '' : `, ${php(sent)}`;
    return `${head}\nprint_r($client->${plainMethod(endpoint)}('${endpoint.path}'${given}));`;
  }
  const args = argumentsOf(call, sent, false);
  const asked = `$client->${call.method.replace('.', '->')}(${args === null ? '' : php(args.value)})`;
  if (call.gives === 'list') return `${head}\nforeach (${asked} as $each) {\n    print_r($each);\n}`;
  if (call.gives === 'nothing') return `${head}\n${asked};`;
  if (call.gives === 'file')
    return `${head}\n$file = ${asked};\necho $file->fileName, "\\n", stream_get_contents($file->body);`;
  return `${head}\n$answer = ${asked};\nprint_r($answer);`;
}

const inSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function rubyRequest(endpoint: Endpoint, call: SdkCall | null, sent: Sent): string {
  const head = `require 'quittance'

client = Quittance::Client.new('${manualKey}', ENV.fetch('QUITTANCE_SECRET'), '${manualBase}/api/v1')
`;
  const ruby = (value: unknown): string => literal(value, syntaxes.ruby);
  if (call === null) {
    const given = Object.keys(sent).length === 0 ? '' : `, ${ruby(sent)}`;
    return `${head}\np client.${plainMethod(endpoint)}('${endpoint.path}'${given})`;
  }
  const args = argumentsOf(call, sent, false);
  const asked = `client.${inSnakeCase(call.method)}${args === null ? '' : `(${ruby(args.value)})`}`;
  if (call.gives === 'list') return `${head}\n${asked}.each { |each| p each }`;
  if (call.gives === 'nothing') return `${head}\n${asked}`;
  if (call.gives === 'file') return `${head}\nfile = ${asked}\nputs file.file_name, file.body`;
  return `${head}\nanswer = ${asked}\np answer`;
}
