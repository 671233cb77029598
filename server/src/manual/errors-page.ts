/** Every sentence that the API can answer, in Markdown: by status, with its name where it has one, and what to do. */
import { type FailureStatus, failures } from '@quittance/contract/failures';
import { apiSentences, hasWords } from './api-sentences.ts';
import { cell } from './schema-fields.ts';

/** By status; what a sentence says itself comes first. */
const whatToDo: Readonly<Record<number, string>> = {
  400: 'Change the request: each sentence names the field and what would be right. Sending it again as it is cannot help.',
  401: 'Check key, secret and clock. The timestamp must be less than 30 seconds away from `GET /time`.',
  403: 'Use a key that has the scope, digest authentication, and an address that is on the account’s list.',
  404: 'Look at the id. Ids of other accounts are answered like ids that never were.',
  405: 'Use the method that the sentence names.',
  409: 'Read what it is about again and decide anew. With `Retry-After`: send the same request again after so many seconds.',
  413: 'Send less: at most 256 KiB.',
  422: 'Change what is asked for. With `Retry-After`: the same request may succeed after so many seconds.',
  429: 'Wait for `Retry-After` seconds. The headers `RateLimit-*` say how much is left.',
  500: 'Send the same request again, with the same `Idempotency-Key`. If it stays: tell the operator the `X-Request-Id`.',
  503: 'Send the same request again after `Retry-After` seconds. Nothing was done.',
};

export const headingOfStatus = (status: number): string => `Status ${status}`;

export function errorsMarkdown(): string {
  const sentences = apiSentences();
  const statuses = [...new Set(sentences.map(({ status }) => status))];
  const parts = statuses.map((status) => {
    const rows = sentences
      .filter((each) => each.status === status)
      .map(
        ({ name, sentence, isForNow }) =>
          `| ${hasWords(sentence) ? cell(sentence).replaceAll(/\{[^}]+\}/g, '*$&*') : 'One of the other sentences of this page, such as what a network says about an address.'}${isForNow ? ' (With `Retry-After`.)' : ''} | ${name === null ? '' : `\`${name}\``} |`,
      );
    const meaning = failures[status as FailureStatus] ?? 'The path is known, but not with this method.';
    return `## ${headingOfStatus(status)}

${meaning}

**What to do.** ${whatToDo[status] ?? ''}

| Sentence | Name in our source |
|---|---|
${rows.join('\n')}`;
  });
  return `# Errors

What is not done is answered with \`{"errors": ["…"]}\`: one plain sentence per problem, at most 20, and the first one may be shown
to a shopper. Programs go by the status; the words may become better. What stands in braces is filled in.

The SDKs make an error of a class out of each status, with all sentences in it.

${parts.join('\n\n')}
`;
}
