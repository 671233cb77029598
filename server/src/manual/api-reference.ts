/** The reference of the API in Markdown, written from the contract: a page for each endpoint, one for all events. */
import { type Endpoint, endpoints } from '@quittance/contract/endpoints';
import { events } from '@quittance/contract/events';
import { type Example, readExamples } from '@quittance/contract/examples';
import { failures, failuresOf } from '@quittance/contract/failures';
import {
  idempotencyKey,
  description as rulesOfAll,
  scopeSentence,
  securitySchemes,
  tags,
} from '@quittance/contract/openapi';
import { webhookHeaders } from '@quittance/contract/webhook-headers';
import { exampleRequests } from './example-requests.ts';
import { manualRoot } from './manual-pages.ts';
import { cell, fieldsOf, fieldTable } from './schema-fields.ts';

export const apiPath = `${manualRoot}/api`;
export const eventsPath = `${apiPath}/events`;
export const errorsPath = `${manualRoot}/errors`;
export const endpointPath = ({ id }: Pick<Endpoint, 'id'>): string => `${apiPath}/${id}`;

const all = Object.values(endpoints) as readonly Endpoint[];

export const findEndpoint = (id: string): Endpoint | undefined => all.find((endpoint) => endpoint.id === id);

/** In the order in which they are read. */
export const endpointGroups = (): { readonly tag: string; readonly what: string; readonly endpoints: Endpoint[] }[] =>
  Object.entries(tags).map(([tag, what]) => ({ tag, what, endpoints: all.filter((each) => each.tag === tag) }));

export type ReferencePage = { readonly path: string; readonly markdown: string };

export function referencePages(): ReferencePage[] {
  const examples = readExamples();
  return [
    { path: apiPath, markdown: contentsOfApi() },
    ...endpointGroups()
      .flatMap((group) => group.endpoints)
      .map((endpoint) => ({
        path: endpointPath(endpoint),
        markdown: endpointMarkdown(endpoint, examples.operations[endpoint.id] ?? { reply: null }),
      })),
    { path: eventsPath, markdown: eventsMarkdown(examples.events) },
  ];
}

function contentsOfApi(): string {
  const groups = endpointGroups().map(
    ({ tag, what, endpoints: inGroup }) => `### ${tag}

${what}

| Endpoint | What it does | Who may |
|---|---|---|
${inGroup.map((each) => `| \`${each.method} ${each.path}\` | [${each.summary}](${endpointPath(each)}) | ${scopeSentence(each.access).trim() || 'Public.'} |`).join('\n')}`,
  );
  return `# API reference

${rulesOfAll}

The same as a file for programs: [openapi.json](/api/v1/openapi.json). The sentences that are answered when something is not
done: [errors](${errorsPath}). What is sent to your server: [events](${eventsPath}).

## Sign a request

Three headers, made anew for every request. The SDKs do it for you.

| Header | Meaning |
|---|---|
${[securitySchemes.digestKey, securitySchemes.digestTimestamp, securitySchemes.digestSignature].map((each) => `| \`${String(each['name'])}\` | ${cell(String(each['description']))} |`).join('\n')}

Instead of them \`X-Basic\`: ${String(securitySchemes.basic['description'])}

## Ask again

\`Idempotency-Key\`, a header of whatever changes something. ${idempotencyKey.description}

## Endpoints

${groups.join('\n\n')}
`;
}

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

function endpointMarkdown(endpoint: Endpoint, example: Example): string {
  const { summary, method, path, description, access, query, body, reply, isFile = false } = endpoint;
  const requests = Object.entries(exampleRequests(endpoint, example)).map(
    ([language, code]) => `\`\`\`${language}\n${code}\n\`\`\``,
  );
  const sent = body ?? query;
  const refusals = [...failuresOf(endpoint)].map(
    ([status, what]) => `| [${status}](${errorsPath}#status-${status}) | ${cell(what ?? failures[status])} |`,
  );
  return `# ${summary}

\`${method} ${path}\`

${description}${scopeSentence(access)}${access === 'public' ? '' : demands(endpoint)}

${sent === undefined ? '' : `## ${body === undefined ? 'Parameters' : 'What you send'}\n\n${fieldTable(fieldsOf(sent), true)}\n`}
## Example

${requests.join('\n\n')}

## The answer

${isFile ? 'A file, as it was asked for.' : fieldTable(fieldsOf(reply), false)}

${typeof example.reply === 'string' ? `\`\`\`text\n${example.reply.trim()}\n\`\`\`` : json(example.reply)}

## When it is refused

| Status | Meaning |
|---|---|
${refusals.join('\n')}
`;
}

/** What else a caller must be, in sentences. */
const demands = ({ isMoneyMoving, isSignatureUsedUp, needsAllowedAddress }: Endpoint): string =>
  [
    isMoneyMoving ? ' Money moves: only with a signature, never with `X-Basic`.' : '',
    isSignatureUsedUp ? ' A signature is accepted once.' : '',
    needsAllowedAddress ? ' Only from addresses on the account’s list.' : '',
  ].join('');

/** Where the record that an event carries is described to its last field. */
const describedAt: Readonly<Record<string, Endpoint>> = {
  checkout: endpoints.getCheckout,
  refund: endpoints.getRefund,
  deposit: endpoints.getDeposit,
  swap: endpoints.getSwap,
  transfer: endpoints.getTransfer,
};

function eventsMarkdown(examples: Readonly<Record<string, unknown>>): string {
  const parts = events.map(({ type, when, body }) => {
    const fields = fieldsOf(body, 2);
    const records = fields.flatMap(({ path }) => describedAt[path.replace('data.', '')] ?? []);
    const links = records.map((each) => `[${each.method} ${each.path}](${endpointPath(each)})`).join(' and ');
    const example = examples[type];
    return `## ${type}

${when}

${fieldTable(fields, false)}
${links === '' ? '' : `\nEvery field of it is as ${links} answers it.\n`}${example === undefined ? '' : `\n${json(example)}\n`}`;
  });
  return `# Events

What is sent to your webhook, and when. Answer any 2xx within 15 seconds and do the work afterwards. An event can come
twice, with the same \`webhook-id\`; an older one about the same subject never follows a newer one.

| Header | Meaning |
|---|---|
${Object.entries(webhookHeaders)
  .map(([name, what]) => `| \`${name}\` | ${cell(what)} |`)
  .join('\n')}

${parts.join('\n')}`;
}
